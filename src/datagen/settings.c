/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

/* ---- numbers ---- */

#define OFFSET(member) offsetof(DatagenSettings, member)

static const DatagenNumber numbers[] = {
    {"depth", OFFSET(search.depth), 0, 1, 100, "D", "search each position to D plies"},
    {"depth2", OFFSET(search.depth2), 0, 1, 100, "D", "to a random depth from --depth to D, drawn for each position"},
    {"nodes", OFFSET(search.nodes), 0, 1, 1000000000000, "N", "search N nodes; an iteration may end incomplete"},
    {"soft-nodes", OFFSET(search.soft_nodes), 0, 1, 1000000000000, "N",
     "end after the iteration that reaches N nodes, and at 8 N nodes in any case; default 5000 if there is no other "
     "limit"},

    {"random-move-min-ply", OFFSET(opening.random_min_ply), 1, 1, 2000, "P",
     "random moves start at this ply (1: the first), ..."},
    {"random-move-max-ply", OFFSET(opening.random_max_ply), 9, 0, 2000, "P",
     "... and end at this one; 0: no random moves"},
    {"random-move-count", OFFSET(opening.random_count), 8, 0, 2000, "N",
     "number of random moves, at random plies between these; positions before the last one are not written"},
    {"random-move-like-apery", OFFSET(opening.random_like_apery), 0, 0, 1000, "N",
     "one random move in N is a king move if possible, and in half of these cases the reply is random too; 0: no"},
    {"random-multipv", OFFSET(opening.random_multi_pv), 0, 0, 200, "N",
     "a random move is one of the N best moves; 0: of all moves"},
    {"random-multipv-diff", OFFSET(opening.random_multi_pv_margin), 32000, 0, 32000, "CP",
     "... and at most CP worse than the best"},
    {"random-multipv-depth", OFFSET(opening.random_multi_pv_depth), 0, 0, 100, "D",
     "... in a search to D plies; 0: --depth, or 4"},
    {"opening-limit", OFFSET(opening.score_limit), 1000, 0, 32000, "CP",
     "replaces an opening whose first score is beyond CP; 0: none"},

    {"eval-limit", OFFSET(adjudication.eval_limit), 3000, 0, 32000, "CP",
     "the first score of CP wins a game, and its position is not written; 0: no limit"},
    {"write-max-ply", OFFSET(adjudication.max_ply), 400, 1, 2000, "P", "a game of P plies is a draw"},
#define RULE_OPTION(member, option, initial, min, max, argument, help)                                                 \
    {option, OFFSET(rules.member), initial, min, max, argument, help},
    GAME_RULE_OPTIONS(RULE_OPTION)
#undef RULE_OPTION

        {"write-min-ply", OFFSET(output.min_ply), 0, 0, 2000, "P", "writes positions from this ply on"},
    {"save-every", OFFSET(output.block_positions), 10000, 1, 1000000000, "N",
     "positions of a block; a kill loses at most an unfinished block"},
};

static const struct {
    const char *spelling, *option;
} spellings[] = {
    {"random-move-minply", "random-move-min-ply"},
    {"random-move-maxply", "random-move-max-ply"},
    {"write-minply", "write-min-ply"},
    {"write-maxply", "write-max-ply"},
};

const DatagenNumber *datagen_number(unsigned index) {
    return index < sizeof numbers / sizeof *numbers ? &numbers[index] : NULL;
}

const char *datagen_number_spelling(unsigned index) {
    return index < sizeof spellings / sizeof *spellings ? spellings[index].spelling : NULL;
}

const DatagenNumber *datagen_number_named(const char *option) {
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(option, spellings[i].spelling)) option = spellings[i].option;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(option, numbers[i].option)) return &numbers[i];
    return NULL;
}

uint64_t *datagen_number_of(DatagenSettings *s, const DatagenNumber *n) {
    assert(n->offset % _Alignof(uint64_t) == 0 && n->offset + sizeof(uint64_t) <= sizeof *s);
    return (void *)((char *)s + n->offset);
}

void datagen_settings_default(DatagenSettings *s) {
    *s = (DatagenSettings){
        .seed = 1,
        .adjudication =
            {.resign_score = 2500, .resign_plies = 4, .draw_score = 4, .draw_plies = 12, .draw_min_ply = 80},
        .hash_bytes = 1 << 20,
    };
    for (unsigned i = 0; datagen_number(i); i++) *datagen_number_of(s, datagen_number(i)) = datagen_number(i)->initial;
}

/* ---- checks ---- */

static uint64_t random_plies(const DatagenOpening *o) {
    return o->random_max_ply ? o->random_count : 0;
}

static bool check_random_moves(const DatagenOpening *o, uint64_t max_ply, TabiaError *error) {
    const uint64_t plies = o->random_max_ply + 1 - o->random_min_ply;
    if (!random_plies(o)) return true;
    if (o->random_max_ply < o->random_min_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 ": is less than --random-move-min-ply %" PRIu64,
                          o->random_max_ply, o->random_min_ply);
    if (o->random_count > plies)
        return tabia_fail(
            error, "--random-move-count %" PRIu64 ": from ply %" PRIu64 " to %" PRIu64 " there are only %" PRIu64,
            o->random_count, o->random_min_ply, o->random_max_ply, plies);
    if (o->random_max_ply >= max_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 ": games end at ply %" PRIu64 " (--write-max-ply)",
                          o->random_max_ply, max_ply);
    return true;
}

static bool complete_search(DatagenSearchLimits *l, TabiaError *error) {
    if (!l->depth && !l->nodes && !l->soft_nodes) l->soft_nodes = 5000;
    if (l->soft_nodes && !l->nodes) l->nodes = 8 * l->soft_nodes;
    assert(l->depth || l->nodes);
    if (l->depth2 && l->depth2 < l->depth)
        return tabia_fail(error, "--depth2 %" PRIu64 ": must be at least --depth %" PRIu64, l->depth2, l->depth);
    return !l->depth2 || l->depth || tabia_fail(error, "--depth2: needs --depth D, the lowest depth");
}

bool datagen_settings_check(DatagenSettings *s, TabiaError *error) {
    const uint64_t max_ply = s->adjudication.max_ply;
    if (!complete_search(&s->search, error) || !check_random_moves(&s->opening, max_ply, error)) return false;
    if (s->output.min_ply >= max_ply)
        return tabia_fail(error, "--write-min-ply %" PRIu64 ": no game is that long (--write-max-ply %" PRIu64 ")",
                          s->output.min_ply, max_ply);
    return true;
}

bool datagen_settings_check_variety(const DatagenSettings *s, uint64_t start_positions, TabiaError *error) {
    assert(start_positions > 0);
    if (start_positions > 1 || random_plies(&s->opening) || s->search.depth2 > s->search.depth) return true;
    char starts[80] = "";
    for (unsigned i = 1, n = 0; i < STARTS_N; i++)
        n += (unsigned)snprintf(starts + n, sizeof starts - n, "--%s, ", datagen_starts[i].name);
    return tabia_fail(error,
                      "--random-move-%s 0: without random moves and with one start position every game would be the "
                      "same; %s--book FILE or --depth2 D make games differ",
                      s->opening.random_max_ply ? "count" : "max-ply", starts);
}

/* ---- names and filters ---- */

const DataName datagen_filters[FILTERS_N] = {
#define NAME(name, words) {#name, words},
    DATAGEN_FILTERS(NAME)
#undef NAME
};

const DataName datagen_starts[STARTS_N] = {
#define NAME(name, words) {#name, words},
    GAME_STARTS(NAME)
#undef NAME
};

/* ---- parsing ---- */

static bool parse_score(const char *text, const char *end, DatagenOutput *out, TabiaError *error) {
    char *rest;
    out->filter_score = strtoull(text, &rest, 10);
    if (rest != end || !out->filter_score || out->filter_score > 32000)
        return tabia_fail(error, "--filter: 'score=' needs centipawns from 1 to 32000, as in score=1500");
    return out->filters |= FILTER_score, true;
}

static bool add_filter(const char *name, size_t length, DatagenOutput *out, TabiaError *error) {
    if (length == 5 && !strncmp(name, "quiet", length)) return out->filters |= FILTER_quiet, true;
    if (length > 6 && !strncmp(name, "score=", 6)) return parse_score(name + 6, name + length, out, error);
    for (unsigned i = 0; i < FILTER_INDEX_score; i++)
        if (strlen(datagen_filters[i].name) == length && !strncmp(name, datagen_filters[i].name, length))
            return out->filters |= 1u << i, true;
    return tabia_fail(error, "--filter: '%.*s' is none of quiet, check, capture, promotion, mate, draw, score=CP, none",
                      (int)length, name);
}

bool filters_parse(const char *text, DatagenOutput *out, TabiaError *error) {
    out->filters = 0;
    out->filter_score = 0;
    if (!strcmp(text, "none")) return true;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (!add_filter(at, length, out, error)) return false;
        at += length;
        if (!*at) return true;
    }
}

/* ---- settings as text ---- */

enum { VALUE_MAX = sizeof(((SettingText *)0)->value) };

static void format_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", s->output.format ? s->output.format->name : "none");
}

static void seed_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%" PRIu64, s->seed);
}

static void network_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%016" PRIx64, evaluation_identity(s->evaluation, s->network));
}

static void hash_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%" PRIu64, s->hash_bytes);
}

static void start_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", datagen_starts[s->opening.start].name);
}

static void book_text(const DatagenSettings *s, char *out) {
    const DatagenOpening *o = &s->opening;
    if (!o->book) snprintf(out, VALUE_MAX, "none");
    if (o->book) snprintf(out, VALUE_MAX, "%.150s %016" PRIx64, o->book, o->book_checksum);
}

static void resign_text(const DatagenSettings *s, char *out) {
    const DatagenAdjudication *a = &s->adjudication;
    snprintf(out, VALUE_MAX, "%" PRIu64 ",%" PRIu64, a->resign_score, a->resign_plies);
}

static void draw_text(const DatagenSettings *s, char *out) {
    const DatagenAdjudication *a = &s->adjudication;
    snprintf(out, VALUE_MAX, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, a->draw_score, a->draw_plies, a->draw_min_ply);
}

static void filter_text(const DatagenSettings *s, char *out) {
    const DatagenOutput *o = &s->output;
    size_t n = 0;
    out[0] = '\0';
    EACH (i, o->filters)
        n += (size_t)snprintf(out + n, VALUE_MAX - n, "%s%s", n ? "," : "", datagen_filters[(unsigned)i].name);
    assert(n < VALUE_MAX);
    if (o->filters & FILTER_score) snprintf(out + n, VALUE_MAX - n, "=%" PRIu64, o->filter_score);
    if (!o->filters) snprintf(out, VALUE_MAX, "none");
}

/* The settings that are no whole numbers. */
static const struct {
    const char *name;
    void (*text)(const DatagenSettings *s, char *out);
} others[] = {
    {"format", format_text}, {"seed", seed_text},   {"network", network_text},
    {"hash", hash_text},     {"start", start_text}, {"book", book_text},
    {"resign", resign_text}, {"draw", draw_text},   {"filter", filter_text},
};

static void number_text(const DatagenSettings *s, const DatagenNumber *n, SettingText *out) {
    DatagenSettings copy = *s;
    snprintf(out->name, sizeof out->name, "%s", n->option);
    snprintf(out->value, sizeof out->value, "%" PRIu64, *datagen_number_of(&copy, n));
}

bool datagen_setting_text(const void *settings, unsigned index, SettingText *out) {
    const DatagenSettings *s = settings;
    for (unsigned i = 0; datagen_number(i); i++, index--)
        if (!index) return number_text(s, datagen_number(i), out), true;
    if (index >= sizeof others / sizeof *others) return false;
    snprintf(out->name, sizeof out->name, "%s", others[index].name);
    others[index].text(s, out->value);
    return true;
}

/* ---- the command line as a whole ---- */

static bool is_given(const DatagenGivenOptions *given, const char *name) {
    for (unsigned i = 0; i < given->count; i++)
        if (!strcmp(given->names[i], name)) return true;
    return false;
}

/* Options that change how another one works. */
static bool check_dependent(const DatagenGivenOptions *given, const DatagenSettings *s, TabiaError *error) {
    static const char *const of_multi_pv[] = {"random-multipv-diff", "random-multipv-depth"};
    for (unsigned i = 0; i < 2 && !s->opening.random_multi_pv; i++)
        if (is_given(given, of_multi_pv[i]))
            return tabia_fail(error, "--%s: is for --random-multipv only", of_multi_pv[i]);
    return true;
}

static bool check_evaluation(const DatagenGivenOptions *given, const DatagenSettings *s, TabiaError *error) {
    return s->evaluation == EVALUATION_NETWORK || !is_given(given, "network") ||
           tabia_fail(error, "--evaluation material, --network: one evaluates without a network; give one of the two");
}

static bool choose_start(const DatagenGivenOptions *given, DatagenOpening *o, TabiaError *error) {
    unsigned chosen = START_standard;
    for (unsigned i = 1; i < STARTS_N; i++) {
        if (!is_given(given, datagen_starts[i].name)) continue;
        if (chosen != START_standard)
            return tabia_fail(error, "--%s, --%s: games begin in one or the other, not both",
                              datagen_starts[chosen].name, datagen_starts[i].name);
        chosen = i;
    }
    if (chosen != START_standard) o->start = (StartPosition)chosen;
    return !o->book || o->start == START_standard ||
           tabia_fail(error, "--book, --%s: games begin in the book or in %s, not both", datagen_starts[o->start].name,
                      datagen_starts[o->start].words);
}

/* The extensions of all formats that can be written, separated by blanks, each once: with the first format that has it. */
static void list_extensions(char *out, size_t bytes) {
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        const char *at = data_format(i)->write ? data_format(i)->extensions : "";
        for (size_t length; (length = strcspn(at, " ")) != 0; at += length, at += *at == ' ') {
            char name[32];
            snprintf(name, sizeof name, "x.%.*s", (int)length, at);
            if (data_format_by_extension(name) == data_format(i) && n < bytes)
                n += (size_t)snprintf(out + n, bytes - n, "%s%.*s", n ? " " : "", (int)length, at);
        }
    }
}

static bool choose_format(const char *path, DatagenOutput *out, TabiaError *error) {
    char extensions[200];
    if (!data_check_output_name(path, error)) return false;
    if (!out->format) out->format = data_format_by_extension(path);
    if (out->format && (!out->format->write || out->format->named_only)) /* dual needs a second search */
        return tabia_fail(error, "--format: %s is not for generated games", out->format->name);
    if (out->format) return true;
    list_extensions(extensions, sizeof extensions);
    return tabia_fail(error, "--out %.200s: its extension is none of %s; name the format with --format", path,
                      extensions);
}

bool datagen_options_check(const DatagenGivenOptions *given, DatagenSettings *s, const char *path, TabiaError *error) {
    if (!check_dependent(given, s, error) || !check_evaluation(given, s, error)) return false;
    if (!choose_start(given, &s->opening, error)) return false;
    if (!path) return tabia_fail(error, "--out FILE is missing; tabia gensfen --help lists the options");
    return choose_format(path, &s->output, error) && datagen_settings_check(s, error);
}
