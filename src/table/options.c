/* SPDX-License-Identifier: MIT */
#include "table/options.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "replacement.h"
#include "table_internal.h"

#define REFUSE(...) return tabia_error_set(error, TABIA_ERROR_OPTION, __VA_ARGS__)

static int fill_shape(TabiaOptions *o, TabiaError *error) {
    if (o->type > TABIA_RECORDS) REFUSE("type %d: there are entries, counts and records", o->type);
    if (!o->record_words) o->record_words = 3;
    if (o->type != TABIA_RECORDS) o->record_words = 1;
    if (o->record_words > TABIA_RECORD_WORDS_MAX)
        REFUSE("record_words %u: a record has 1 to %d words", o->record_words, TABIA_RECORD_WORDS_MAX);
    if (!o->partitions) o->partitions = 1;
    if (!o->bytes) o->bytes = TABIA_BYTES_DEFAULT;
    if (o->bytes / o->partitions < CACHE_LINE_BYTES)
        REFUSE("bytes %" PRIu64 ": each of %u partitions needs at least %d", o->bytes, o->partitions, CACHE_LINE_BYTES);
    if (o->pages > TABIA_PAGES_SMALL) REFUSE("pages %d: there are largest and small", o->pages);
    if (o->touch > TABIA_TOUCH_LATER) REFUSE("touch %d: there are parallel and later", o->touch);
    return 0;
}

/* What of an entry lies in the check word: path, user bits and the upper bits of the move. */
static int fill_layout(TabiaOptions *o, TabiaError *error) {
    enum { PATH_BITS_MAX = 32 };
    if (o->type != TABIA_ENTRIES) o->move_bits = o->user_bits = 0;
    if (o->type != TABIA_ENTRIES) o->refresh_on_hit = false;
    if (!o->move_bits) o->move_bits = TABIA_MOVE_BITS_DEFAULT;
    if (o->move_bits < TABIA_MOVE_BITS_DEFAULT || o->move_bits > TABIA_MOVE_BITS_MAX)
        REFUSE("move_bits %u: %d to %d", o->move_bits, TABIA_MOVE_BITS_DEFAULT, TABIA_MOVE_BITS_MAX);
    if (o->user_bits > TABIA_USER_BITS_MAX) REFUSE("user_bits %u: at most %d", o->user_bits, TABIA_USER_BITS_MAX);
    if (o->type != TABIA_ENTRIES)
        o->path_bits = EPOCH_TAG_BITS;
    else if (o->path_bits == TABIA_NO_PATH_BITS)
        o->path_bits = 0;
    else if (!o->path_bits)
        o->path_bits = TABIA_PATH_BITS_DEFAULT;
    else if (o->path_bits > PATH_BITS_MAX)
        REFUSE("path_bits %u: 1 to %d, or TABIA_NO_PATH_BITS", o->path_bits, PATH_BITS_MAX);
    return 0;
}

/* The constants of entries' replacement. */
static int fill_constants(TabiaOptions *o, TabiaError *error) {
    if (o->type != TABIA_ENTRIES) o->age_weight = o->exact_bonus = o->keep_margin = 0;
    if (!o->age_weight) o->age_weight = TABIA_AGE_DEFAULT;
    if (o->age_weight > TABIA_AGE_IGNORED) REFUSE("age_weight %u: 1 to 254, or TABIA_AGE_IGNORED", o->age_weight);
    if (o->age_weight == TABIA_AGE_IGNORED) o->age_weight = 0;
    if (!o->exact_bonus) o->exact_bonus = TABIA_EXACT_BONUS_DEFAULT;
    if (!o->keep_margin) o->keep_margin = TABIA_KEEP_MARGIN_DEFAULT;
    if (o->exact_bonus > TABIA_NO_EXACT_BONUS)
        REFUSE("exact_bonus %u: 1 to 254, or TABIA_NO_EXACT_BONUS", o->exact_bonus);
    if (o->keep_margin > TABIA_KEEP_NEVER) REFUSE("keep_margin %u: 1 to 254, or TABIA_KEEP_NEVER", o->keep_margin);
    return 0;
}

/* signature + zeros + upper bits of the move + user bits + path = 64 */
static int fill_widths(TabiaOptions *o, TabiaError *error) {
    enum { SIGNATURE_BITS_MIN = 8 };
    const int code = fill_layout(o, error);
    if (code) return code;
    const unsigned room = 64 - o->path_bits - o->user_bits - (o->move_bits - TABIA_MOVE_BITS_DEFAULT);
    if (room < SIGNATURE_BITS_MIN)
        REFUSE(
            "path_bits %u, user_bits %u and move_bits %u leave %u bits of 64 to the signature, which has %d at least",
            o->path_bits, o->user_bits, o->move_bits, room, SIGNATURE_BITS_MIN);
    if (!o->signature_bits) o->signature_bits = room;
    if (o->signature_bits < SIGNATURE_BITS_MIN || o->signature_bits > room)
        REFUSE("signature_bits %u: %d to %u beside the bits of path, user and move", o->signature_bits,
               SIGNATURE_BITS_MIN, room);
    return fill_constants(o, error);
}

const char *tabia_replacement_name(TabiaReplacement rule) {
    static const char *const names[] = {"default", "always", "larger-stays", "depth-and-age", "two-tier"};
    return (unsigned)rule < sizeof names / sizeof *names ? names[rule] : "unknown";
}

static int fill_replacement(TabiaOptions *o, TabiaError *error) {
    if (!o->replacement) o->replacement = replacement_default(o->type);
    bool known = false;
    for (unsigned i = 0; i < REPLACEMENT_RULES; i++) known |= o->replacement == replacement_rules[i];
    if (!known)
        REFUSE("replacement %d (%s): there are always and depth-and-age", o->replacement,
               tabia_replacement_name(o->replacement));
    return 0;
}

static int check_name(const char *name, TabiaError *error) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (!name) return 0;
    const size_t length = strlen(name);
    if (length == 0 || length > 200 || name[0] == '.' || name[strspn(name, good)])
        REFUSE("name '%.200s': 1 to 200 letters, digits, '-', '_' or '.', the first no '.'", name);
    return 0;
}

int tabia_options_fill(TabiaOptions *full, const TabiaOptions *asked, TabiaError *error) {
    *full = asked ? *asked : (TabiaOptions){0};
    full->watch = NULL; /* the creation asks that of the caller's own options */
    enum { THREADS_MAX = 4096 };
    if (!full->threads) full->threads = tabia_threads_usable();
    if (full->threads > THREADS_MAX) REFUSE("threads %u: at most %d", full->threads, THREADS_MAX);
    int code = check_name(full->name, error);
    if (!code) code = fill_shape(full, error);
    if (!code) code = fill_widths(full, error);
    if (!code) code = fill_replacement(full, error);
    if (!code && full->name && full->partitions > 1)
        REFUSE("name '%s': a table with partitions can have none", full->name);
    return code;
}
