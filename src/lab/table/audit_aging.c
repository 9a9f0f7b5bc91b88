/* SPDX-License-Identifier: MIT */
/*
 * Aging: along a game each move begins a generation, and each position is counted deeper and deeper, as a search does.
 * What the last position left behind helps with the shallower counts of the next one, and is in the way of the deepest.
 */
#include <assert.h>
#include <stdlib.h>

#include "audit.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "replay.h"
#include "rules/movegen.h"

enum { POLICIES = 3, GAME_PLIES = 16, GAME_DEPTH = 5, GAME_DEPTH_QUICK = 4 };

static const struct {
    const char *name;
    unsigned age_weight;
    bool strict;
} policy[POLICIES] = {{"aged (8)", 0, false}, {"age ignored", TABIA_AGE_IGNORED, false}, {"strict", 0, true}};

static const char *const game[GAME_PLIES] = {"e4",  "e5",  "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6",
                                             "O-O", "Be7", "Re1", "b5",  "Bb3", "d6", "c3",  "O-O"};

enum { C_POLICY, C_BYTES, C_HITS, C_WALKED, C_TIMES, C_DEEPEST, COLUMNS };

static const SheetColumn columns[COLUMNS] = {
    [C_POLICY] = {"policy", "entries of before", CELL_TEXT},
    [C_BYTES] = {"bytes", "table", CELL_BYTES},
    [C_HITS] = {"hits", "hits", CELL_SHARE},
    [C_WALKED] = {"walked", "nodes walked", CELL_NUMBER},
    [C_TIMES] = {"times_aged", "of the aged table's", CELL_RATIO},
    [C_DEEPEST] = {"last_hits", "hits in the last generation", CELL_SHARE},
};

static const SheetPlot plot = {.x = C_BYTES,
                               .y = C_WALKED,
                               .series = C_POLICY,
                               .x_log = true,
                               .y_log = true,
                               .y_label = "nodes walked along the game"};

/* One column for each policy. */
enum { G_GENERATION, G_FIRST, G_COLUMNS = G_FIRST + POLICIES };

static const SheetColumn generation_columns[G_COLUMNS] = {
    [G_GENERATION] = {"generation", "generation", CELL_NUMBER},
    [G_FIRST] = {"aged_hits", "hits, aged", CELL_SHARE},
    [G_FIRST + 1] = {"ignored_hits", "age ignored", CELL_SHARE},
    [G_FIRST + 2] = {"strict_hits", "strict", CELL_SHARE},
};

static const SheetPlot generation_plot = {.x = G_GENERATION,
                                          .y = G_FIRST,
                                          .also = 1 << (G_FIRST + 1) | 1 << (G_FIRST + 2),
                                          .series = -1,
                                          .y_label = "hits, %"};

static void show(void *context, uint64_t records, double share) {
    (void)records;
    audit_progress(context, "recording a game", share);
}

bool audit_record_game(const AuditOptions *o, Stream *s, TabiaError *error) {
    Move moves[GAME_PLIES];
    Position p;
    if (!fen_parse(&p, fen_start, error)) return false;
    StreamJob job = {.root = p,
                     .game = moves,
                     .plies = GAME_PLIES,
                     .deepen = true,
                     .threads = o->threads,
                     .depth = o->quick ? GAME_DEPTH_QUICK : GAME_DEPTH,
                     .keys_seed = o->seed,
                     .text = "a Ruy Lopez",
                     .progress = show,
                     .context = (void *)o};
    for (unsigned i = 0; i < GAME_PLIES; i++) {
        if (!(moves[i] = move_from_text(&p, game[i], error))) return false;
        position_make_move(&p, &p, moves[i]);
    }
    return stream_make(s, &job, error);
}

/* The sums of the perfts of each generation; by_generation has room for s->runs. How many generations. */
static unsigned sum_generations(const Stream *s, const ReplayCounts *by_run, ReplayCounts *by_generation) {
    unsigned n = 0;
    for (uint32_t i = 0; i < s->runs; i++) {
        if (i == 0 || s->run[i].generation != s->run[i - 1].generation) by_generation[n++] = (ReplayCounts){0};
        by_generation[n - 1].probes += by_run[i].probes;
        by_generation[n - 1].hits += by_run[i].hits;
        by_generation[n - 1].walked += by_run[i].walked;
    }
    assert(n > 0 && n <= s->runs);
    return n;
}

typedef struct {
    const Stream *stream;
    Sheet *sizes, *generations;
    ReplayCounts *by_run;
    ReplayCounts *by_generation[POLICIES]; /* of the size that is shown in detail */
    uint64_t aged_walked;
    unsigned all; /* generations */
    bool exact;
} Aging;

static bool run_policy(Aging *a, unsigned k, uint64_t bytes, TabiaError *error) {
    const Stream *s = a->stream;
    const TabiaOptions options = {
        .bytes = bytes, .age_weight = policy[k].age_weight, .strict_generations = policy[k].strict, .threads = 1};
    TabiaTable *table;
    ReplayCounts c;
    if (tabia_table_create(&table, &options, error)) return false;
    const bool good = replay_run(s, table, &(ReplayOptions){0}, &c, a->by_run, error);
    tabia_table_destroy(table);
    if (!good) return false;
    for (uint32_t i = 0; i < s->runs; i++)
        a->exact = a->exact && a->by_run[i].total == s->record[s->run[i].first].leaves && !a->by_run[i].wrong;
    a->all = sum_generations(s, a->by_run, a->by_generation[k]);
    if (k == 0) a->aged_walked = c.walked;
    assert(a->all > 0 && a->aged_walked > 0); /* the aged table comes first */
    const Cell row[COLUMNS] = {[C_POLICY].text = policy[k].name,
                               [C_BYTES].number = bytes,
                               [C_HITS].real = replay_hit_share(&c),
                               [C_WALKED].number = c.walked,
                               [C_TIMES].real = (double)c.walked / (double)a->aged_walked,
                               [C_DEEPEST].real = replay_hit_share(&a->by_generation[k][a->all - 1])};
    return audit_row(a->sizes, row, error);
}

static bool add_generations(Aging *a, TabiaError *error) {
    for (unsigned g = 0; g < a->all; g++) {
        Cell row[G_COLUMNS] = {[G_GENERATION].number = g};
        for (unsigned k = 0; k < POLICIES; k++) row[G_FIRST + k].real = replay_hit_share(&a->by_generation[k][g]);
        if (!audit_row(a->generations, row, error)) return false;
    }
    return true;
}

/* From room for a sixteenth of one generation's records to room for all of them; one size in detail. */
static bool run_sizes(const AuditOptions *o, Aging *a, TabiaError *error) {
    enum { SIZES = 5, DETAIL = 2 };
    const Stream *s = a->stream;
    const uint64_t records = s->records / (s->run[s->runs - 1].generation - s->run[0].generation + 1);
    uint64_t bytes = 64;
    while (bytes < records) bytes *= 2;
    for (unsigned i = 0; i < SIZES; i++, bytes *= 2) {
        for (unsigned k = 0; k < POLICIES; k++) {
            audit_progress(o, "aging", (double)(i * POLICIES + k) / (SIZES * POLICIES));
            if (!run_policy(a, k, bytes, error)) return false;
        }
        if (i == DETAIL && !add_generations(a, error)) return false;
    }
    return true;
}

static bool age(const AuditOptions *o, AuditReport *report, const Stream *s, TabiaError *error) {
    Aging a = {.stream = s, .exact = true};
    a.sizes = audit_sheet(report, "aging", "a game, a generation for each move: what becomes of the entries of before",
                          columns, COLUMNS, &plot);
    a.generations = audit_sheet(report, "aging_by_generation", "the same by generation, the table of the middle size",
                                generation_columns, G_COLUMNS, &generation_plot);
    bool good = (a.by_run = calloc(s->runs, sizeof *a.by_run)) != NULL;
    for (unsigned k = 0; k < POLICIES; k++)
        good = (a.by_generation[k] = calloc(s->runs, sizeof *a.by_run)) != NULL && good;
    good = good ? run_sizes(o, &a, error) : tabia_fail(error, "not enough memory for %u perfts", s->runs);
    if (good) audit_claim(report, a.exact, "aging: every total of the game is the true one");
    for (unsigned k = 0; k < POLICIES; k++) free(a.by_generation[k]);
    free(a.by_run);
    return good;
}

bool audit_aging(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    const Stream *given = o->stream;
    if (given && given->run[given->runs - 1].generation > given->run[0].generation) return age(o, report, given, error);
    Stream own;
    if (!audit_record_game(o, &own, error)) return false;
    const bool good = age(o, report, &own, error);
    stream_free(&own);
    return good;
}
