/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void settings_default(Settings *s) {
    *s = (Settings){
#define NUMBER_DEFAULT(option, member, initial, least, most, argument, help) .member = initial,
        SETTINGS_NUMBERS(NUMBER_DEFAULT)
#undef NUMBER_DEFAULT
            .seed = 1,
        .hash_bytes = 1 << 20,
        .sharing = TABIA_PARTITIONED,
        .strict = true,
        .resign_score = 2500,
        .resign_plies = 4,
        .draw_score = 4,
        .draw_plies = 12,
        .draw_from = 80,
    };
}

/* ---- filters ---- */

const char *filter_name(unsigned number) {
#define NAME(name, words) #name,
    static const char *const all[] = {SETTINGS_FILTERS(NAME)};
#undef NAME
    return all[number];
}

const char *filter_words(unsigned number) {
#define WORDS(name, words) words,
    static const char *const all[] = {SETTINGS_FILTERS(WORDS)};
#undef WORDS
    return all[number];
}

static bool add_filter(const char *word, size_t length, Settings *s, TabiaError *error) {
    char *end;
    if (length == 5 && !strncmp(word, "quiet", length)) return s->filters |= FILTER_quiet, true;
    if (length > 6 && !strncmp(word, "score=", 6)) {
        s->filter_score = strtoull(word + 6, &end, 10);
        if (end != word + length || !s->filter_score || s->filter_score > 32000)
            return tabia_fail(error, "--filter: 'score=' wants centipawns from 1 to 32000, as in score=1500");
        return s->filters |= FILTER_score, true;
    }
    for (unsigned i = 0; i < FILTER_NUMBER_score; i++)
        if (strlen(filter_name(i)) == length && !strncmp(word, filter_name(i), length))
            return s->filters |= 1u << i, true;
    return tabia_fail(error, "--filter: '%.*s' is none of quiet, check, capture, promotion, mate, draw, score=CP, none",
                      (int)length, word);
}

bool filters_parse(const char *text, Settings *s, TabiaError *error) {
    s->filters = 0;
    s->filter_score = 0;
    if (!strcmp(text, "none")) return true;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (!add_filter(at, length, s, error)) return false;
        at += length;
        if (!*at) return true;
    }
}

/* ---- together ---- */

/* How many plies of a game are random. */
static uint64_t random_plies(const Settings *s) {
    return s->random_max_ply ? s->random_count : 0;
}

static bool check_random(const Settings *s, TabiaError *error) {
    const uint64_t span = s->random_max_ply + 1 - s->random_min_ply;
    if (!random_plies(s)) return true;
    if (s->random_max_ply < s->random_min_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 " lies before --random-move-min-ply %" PRIu64,
                          s->random_max_ply, s->random_min_ply);
    if (s->random_count > span)
        return tabia_fail(
            error, "--random-move-count %" PRIu64 ": from ply %" PRIu64 " to %" PRIu64 " there are only %" PRIu64,
            s->random_count, s->random_min_ply, s->random_max_ply, span);
    if (s->random_max_ply >= s->write_max_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 ": games end at ply %" PRIu64 " (--write-max-ply)",
                          s->random_max_ply, s->write_max_ply);
    return true;
}

bool settings_vary(const Settings *s, uint64_t starts, TabiaError *error) {
    if (starts > 1 || random_plies(s) || s->depth2 > s->depth) return true;
    return tabia_fail(
        error,
        "--random-move-%s 0: without random moves, and with one position to begin with, every game would be "
        "the same; --book FILE, --chess960, --dfrc or --depth2 D make them differ",
        s->random_max_ply ? "count" : "max-ply");
}

bool settings_check(Settings *s, TabiaError *error) {
    if (!s->depth && !s->nodes && !s->soft_nodes) s->soft_nodes = 5000;
    if (s->soft_nodes && !s->nodes) s->nodes = 8 * s->soft_nodes;
    if (s->depth2 && s->depth2 < s->depth)
        return tabia_fail(error, "--depth2 %" PRIu64 ": must be at least --depth %" PRIu64, s->depth2, s->depth);
    if (s->depth2 && !s->depth) return tabia_fail(error, "--depth2: from which depth on? --depth D");
    if (!check_random(s, error)) return false;
    if (s->write_min_ply >= s->write_max_ply)
        return tabia_fail(error, "--write-min-ply %" PRIu64 ": no game is that long (--write-max-ply %" PRIu64 ")",
                          s->write_min_ply, s->write_max_ply);
    if (s->signature_bits && (s->signature_bits < 8 || s->signature_bits > 48))
        return tabia_fail(error, "--signature-bits %" PRIu64 ": 8 to 48, or 0 for all", s->signature_bits);
    if (s->sharing == TABIA_SHARED && s->strict)
        return tabia_fail(error, "--table shared cannot have strict generations: the search of one thread would take "
                                 "the others' entries away; --strict-generation off");
    return true;
}

/* ---- as text ---- */

static const char *sharing_name(TabiaSharing sharing) {
    static const char *const names[] = {"shared", "partition", "private"};
    return names[sharing];
}

static void filters_text(const Settings *s, char out[200]) {
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < FILTERS_N; i++)
        if (s->filters & 1u << i) n += (size_t)snprintf(out + n, 200 - n, "%s%s", n ? "," : "", filter_name(i));
    if (s->filters & FILTER_score) snprintf(out + n, 200 - n, "=%" PRIu64, s->filter_score);
    if (!s->filters) snprintf(out, 200, "none");
}

static void book_text(const Settings *s, char out[200]) {
    if (!s->book) snprintf(out, 200, "none");
    if (s->book) snprintf(out, 200, "%.150s %016" PRIx64, s->book, s->book_sum);
}

/* What is no number. */
static bool other_text(const Settings *s, unsigned number, SettingText *t) {
    static const char *const names[] = {"format", "seed", "hash",   "table", "strict-generation", "start", "book",
                                        "resign", "draw", "filter", "dedupe"};
    static const char *const starts[] = {"standard", "chess960", "dfrc"};
    if (number >= sizeof names / sizeof *names) return false;
    snprintf(t->name, sizeof t->name, "%s", names[number]);
    const size_t room = sizeof t->value;
    if (number == 0) snprintf(t->value, room, "%s", s->format ? s->format->name : "none");
    if (number == 1) snprintf(t->value, room, "%" PRIu64, s->seed);
    if (number == 2) snprintf(t->value, room, "%" PRIu64, s->hash_bytes);
    if (number == 3) snprintf(t->value, room, "%s", sharing_name(s->sharing));
    if (number == 4) snprintf(t->value, room, "%s", s->strict ? "on" : "off");
    if (number == 5) snprintf(t->value, room, "%s", starts[s->start]);
    if (number == 6) book_text(s, t->value);
    if (number == 7) snprintf(t->value, room, "%" PRIu64 ",%" PRIu64, s->resign_score, s->resign_plies);
    if (number == 8)
        snprintf(t->value, room, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, s->draw_score, s->draw_plies, s->draw_from);
    if (number == 9) filters_text(s, t->value);
    if (number == 10) snprintf(t->value, room, "%s", s->dedupe ? "on" : "off");
    return true;
}

bool settings_text(const Settings *s, unsigned number, SettingText *out) {
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
#define NUMBER_VALUE(option, member, initial, least, most, argument, help) {option, s->member},
        SETTINGS_NUMBERS(NUMBER_VALUE)
#undef NUMBER_VALUE
    };
    const unsigned n = sizeof numbers / sizeof *numbers;
    if (number >= n) return other_text(s, number - n, out);
    snprintf(out->name, sizeof out->name, "%s", numbers[number].name);
    snprintf(out->value, sizeof out->value, "%" PRIu64, numbers[number].value);
    return true;
}

TabiaOptions settings_table(const Settings *s, unsigned threads) {
    const bool own = s->sharing != TABIA_SHARED;
    return (TabiaOptions){.bytes = own ? s->hash_bytes * threads : s->hash_bytes,
                          .sharing = s->sharing,
                          .shares = own ? threads : 1,
                          .strict_generations = s->strict,
                          .signature_bits = (unsigned)s->signature_bits};
}
