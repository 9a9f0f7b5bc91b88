/* SPDX-License-Identifier: MIT */
/* The hazard of false hits: counted falls, the prediction beside them, cures, intervals. Counted in nodes of one thread, so
 * that all repeats. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "game.h"
#include "lab/table/hazard_candidates.h"
#include "lab/table/hazard_grid.h"
#include "tabia/entry.h"

enum { NODES = 700000, SMALL = 32 << 10, SEED = 3, SEEDS = 10 };

static HazardCounts run_seed(uint64_t seed, uint64_t bytes, unsigned bits, unsigned cure, uint64_t nodes) {
    DatagenSettings s;
    HazardCounts counts;
    TabiaError error = {0};
    hazard_defaults(&s);
    s.seed = seed;
    s.table.signature_bits = bits;
    s.table.hash_bytes = bytes;
    const HazardRun r = {.settings = &s, .cure = hazard_cures[cure], .players = HAZARD_CURE_PLAYERS, .nodes = nodes};
    if (!hazard_run(&r, &counts, &error)) fail_msg("%s", error.text);
    assert_true(counts.nodes >= nodes && counts.games > 0 && counts.falls <= counts.incidents);
    return counts;
}

static HazardCounts run(unsigned bits, unsigned cure, uint64_t nodes) {
    return run_seed(SEED, SMALL, bits, cure, nodes);
}

/* With one of some seeds: when the fall comes is a matter of chance. */
static bool falls(unsigned cure) {
    for (uint64_t seed = SEED; seed < SEED + SEEDS; seed++)
        if (run_seed(seed, SMALL, 8, cure, NODES).falls > 0) return true;
    return false;
}

/* As many incidents as the entries of the table predict; and none with wide signatures, in whose table there are as many. */
static void narrow_signatures_fall_as_predicted(void **state) {
    (void)state;
    const HazardCounts narrow = run(8, HAZARD_CURE_NONE, 2 * NODES), wide = run(32, HAZARD_CURE_NONE, NODES / 2);
    const double predicted = hazard_predicted(&narrow, &hazard_cures[HAZARD_CURE_NONE], 8);
    assert_true(narrow.falls > 0 && narrow.false_hits > 0);
    assert_true(narrow.incidents > narrow.falls + 1); /* most end by themselves */
    assert_true(narrow.incidents > predicted / 4 && narrow.incidents < predicted * 2);
    assert_float_equal(hazard_predicted(&narrow, &hazard_cures[HAZARD_CURE_NONE], 10), predicted / 4, 1e-9);
    assert_float_equal(hazard_predicted(&narrow, &hazard_cures[HAZARD_CURE_STRICT], 8), 0, 0);
    assert_int_equal(wide.incidents, 0);
    assert_int_equal(wide.false_hits, 0);
    assert_true(wide.candidates > 100);
}

/* A table of its own stops a player all the same; a search that finds no other's entries does not. */
static void only_strict_generations_end_the_falls(void **state) {
    (void)state;
    assert_true(falls(HAZARD_CURE_PARTITION));
    assert_true(falls(HAZARD_CURE_GENERATIONS));
    const uint64_t nodes = whole_tests() ? 2 * NODES : NODES;
    const HazardCounts strict = run(8, HAZARD_CURE_STRICT, nodes), all = run(8, HAZARD_CURE_ALL, nodes);
    assert_int_equal(strict.falls + all.falls, 0);
    assert_true(strict.false_hits > 0 && all.false_hits > 0); /* of the same search */
}

static void each_cure_changes_the_games(void **state) {
    HazardCounts seen[HAZARD_CURES];
    (void)state;
    for (unsigned i = 0; i < HAZARD_CURES; i++) {
        seen[i] = run(8, i, NODES / 2);
        for (unsigned k = 0; k < i; k++) assert_memory_not_equal(&seen[i], &seen[k], sizeof seen[i]);
    }
    /* Partitions are no table of their size for all. So short a run has no fall. */
    const HazardCounts partition = run(8, HAZARD_CURE_PARTITION, NODES / 14),
                       shared = run_seed(SEED, SMALL / HAZARD_CURE_PLAYERS, 8, HAZARD_CURE_NONE, NODES / 14);
    assert_int_not_equal(partition.positions, shared.positions);
}

/* ---- what the prediction counts ---- */

/* Stores an entry beside the child of the start position by its first move: in its bucket, under another key. */
static void store_beside(TabiaTable *table, const Zobrist *z, const Position *p, uint64_t other, TabiaEntry e) {
    Move moves[MOVES_MAX];
    assert_true(game_moves(p, moves) > 0);
    TabiaKey key = game_table_key(game_key_after(z, p, zobrist_key(z, p), moves[0]));
    key.check ^= other;
    tabia_entry_store(table, key, (uint32_t)(key.check << 8), e);
}

static void entries_that_stay_count_once(void **state) {
    enum { LIMIT = 800 };
    const TabiaOptions options = {.bytes = 1 << 20, .path_bits = 32, .signature_bits = 32, .integrity = TABIA_NONE};
    const TabiaEntry lost = {.score = -LIMIT, .draft = 1, .bound = TABIA_BOUND_UPPER};
    TabiaEntry other = lost;
    TabiaTable *table;
    TabiaError error;
    Openings openings;
    Position start;
    Zobrist z;
    uint64_t random = 1;
    (void)state;
    assert_true(openings_open(&openings, NULL, START_standard, false, NULL, &error));
    assert_true(openings_draw(&openings, &random, &start));
    assert_int_equal(tabia_table_create(&table, &options, &error), TABIA_OK);
    zobrist_init(&z, 1);
    HazardCandidates *c = hazard_candidates_create();
    const HazardQuestion q = {.table = table, .zobrist = &z, .positions = &start, .n = 1, .limit = LIMIT, .draft = 1};
    assert_int_equal(hazard_candidates_new(c, &q), 0);
    store_beside(table, &z, &start, 0, lost); /* its own */
    other.score = 1 - LIMIT;
    store_beside(table, &z, &start, (uint64_t)1 << 40 | 1, other);
    other = lost, other.bound = TABIA_BOUND_LOWER;
    store_beside(table, &z, &start, (uint64_t)1 << 41 | 2, other);
    assert_int_equal(hazard_candidates_new(c, &q), 0);
    store_beside(table, &z, &start, (uint64_t)1 << 42 | 4, lost);
    assert_int_equal(hazard_candidates_new(c, &q), 1);
    assert_int_equal(hazard_candidates_new(c, &q), 0);
    store_beside(table, &z, &start, (uint64_t)1 << 43 | 8, lost);
    assert_int_equal(hazard_candidates_new(c, &q), 1);
    other = lost, other.draft = 0;
    store_beside(table, &z, &start, (uint64_t)1 << 44 | 16, other);
    assert_int_equal(hazard_candidates_new(c, &q), 0);
    hazard_candidates_destroy(c);
    tabia_table_destroy(table);
}

/* ---- grids ---- */

static bool count_calls(void *context, double done, const HazardPoint *point) {
    assert_true(done >= 0 && done <= 1 && point != NULL);
    return ++*(unsigned *)context == 0;
}

static void grid_repeats_on_any_threads(void **state) {
    static HazardGrid one, two;
    DatagenSettings s;
    TabiaError error = {0};
    unsigned calls = 0;
    (void)state;
    hazard_defaults(&s);
    hazard_grid_make(&one, &s, 1u << HAZARD_SERIES_SIZE | 1u << HAZARD_SERIES_CURES, 20000);
    two = one;
    const HazardGridJob a = {.threads = 1, .seeds = 2, .watch = count_calls, .context = &calls},
                        b = {.threads = 3, .seeds = 2};
    assert_true(hazard_grid_run(&one, &a, &error) && hazard_grid_run(&two, &b, &error));
    assert_true(calls > one.points);
    for (unsigned i = 0; i < one.points; i++) {
        assert_int_equal(one.point[i].seeds, 2);
        assert_memory_equal(&one.point[i].counts, &two.point[i].counts, sizeof one.point[i].counts);
    }
}

static bool at_once(void *context, double done, const HazardPoint *point) {
    (void)context, (void)done, (void)point;
    return true;
}

static void grid_stops_when_told(void **state) {
    static HazardGrid grid;
    DatagenSettings s;
    TabiaError error = {0};
    (void)state;
    hazard_defaults(&s);
    hazard_grid_make(&grid, &s, ~(uint64_t)0, 1000000000);
    const HazardGridJob job = {.threads = 2, .seeds = 1, .watch = at_once};
    assert_true(grid.points > 12 && hazard_grid_run(&grid, &job, &error));
    for (unsigned i = 0; i < grid.points; i++) assert_int_equal(grid.point[i].seeds, 0);
}

/* Of the tables of the Poisson distribution. */
static void intervals_are_exact(void **state) {
    static const struct {
        uint64_t n;
        double low, high;
    } all[] = {{0, 0, 3.689}, {1, 0.0253, 5.572}, {10, 4.795, 18.390}, {100, 81.36, 121.63}};
    (void)state;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        double low, high;
        hazard_interval(all[i].n, 1, &low, &high);
        assert_float_equal(low, all[i].low, 0.01);
        assert_float_equal(high, all[i].high, 0.01);
        hazard_interval(all[i].n, 4, &low, &high);
        assert_float_equal(high, all[i].n + 2 * (all[i].high - all[i].n), 0.02);
        assert_float_equal(low, fmax(0, all[i].n - 2 * (all[i].n - all[i].low)), 0.02);
    }
}

static void clusters_are_seen_between_seeds(void **state) {
    (void)state;
    const HazardPoint even = {.seeds = 2, .counts = {.incidents = 20}, .incident_squares = 200},
                      uneven = {.seeds = 2, .counts = {.incidents = 20}, .incident_squares = 400},
                      single = {.seeds = 1, .counts = {.incidents = 20}, .incident_squares = 400};
    assert_float_equal(hazard_dispersion(&even), 1, 0);
    assert_float_equal(hazard_dispersion(&uneven), 20, 1e-9);
    assert_float_equal(hazard_dispersion(&single), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_signatures_fall_as_predicted),
        cmocka_unit_test(only_strict_generations_end_the_falls),
        cmocka_unit_test(each_cure_changes_the_games),
        cmocka_unit_test(entries_that_stay_count_once),
        cmocka_unit_test(grid_repeats_on_any_threads),
        cmocka_unit_test(grid_stops_when_told),
        cmocka_unit_test(intervals_are_exact),
        cmocka_unit_test(clusters_are_seen_between_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
