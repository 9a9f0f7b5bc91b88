/* SPDX-License-Identifier: MIT */
/* False hits that stop generated games, and what fixes it. Counted in nodes of one thread a run, so that all repeats. */
#include "unit.h"

#include "lab/table/hazard.h"

enum { NODES = 900000, SMALL = 32 << 10, SEEDS_MAX = 10 };

static void count_call(void *calls, double nodes, double share) {
    assert_true(nodes > 0 && share > 0 && share <= 1);
    ++*(unsigned *)calls;
}

static void measure(HazardRequest q, HazardRow rows[HAZARD_ROWS]) {
    TabiaError error = {0};
    unsigned calls = 0;
    q.depth = 1, q.score_limit = 800, q.bytes = SMALL;
    q.show = count_call, q.context = &calls;
    if (!hazard_measure(&q, rows, &error)) fail_msg("%s", error.text);
    for (unsigned i = 0; i < HAZARD_ROWS; i++) {
        const HazardRow *r = &rows[i];
        assert_int_equal(r->seeds, q.seeds);
        assert_true(r->nodes >= q.nodes * q.seeds && r->games > 0);
        assert_true(r->blocked >= HAZARD_FALL_GAMES * r->falls && r->incidents >= r->falls);
        assert_true(r->falls < 5 + r->games / 10); /* a wiped table plays again */
        assert_true(r->low <= r->rate && r->rate < r->high);
    }
    assert_true(calls > HAZARD_ROWS * q.seeds);
}

/* When the fall comes is a matter of chance: with one of some seeds. Partitions need most nodes, as the others play whole games while
   one player is blocked. Strict generations have no fall with any seed, though a search finds wrong entries of its own. */
static void only_strict_generations_end_the_falls(void **state) {
    uint64_t falls[HAZARD_STRICT] = {0}, incidents = 0;
    for (uint64_t seed = 1; seed <= SEEDS_MAX; seed++) {
        HazardRow rows[HAZARD_ROWS];
        measure((HazardRequest){.signature_bits = 8, .nodes = NODES, .seed = seed, .seeds = 1, .threads = 1}, rows);
        assert_int_equal(rows[HAZARD_STRICT].falls + rows[HAZARD_ALL].falls, 0);
        incidents += rows[HAZARD_STRICT].incidents;
        for (unsigned i = 0; i < HAZARD_STRICT; i++) falls[i] += rows[i].falls;
        assert_int_equal(hazard_holds(rows), rows[HAZARD_NONE].falls > 0);
        if (falls[HAZARD_NONE] && falls[HAZARD_PARTITION] && falls[HAZARD_GENERATIONS] && incidents) return;
    }
    fail_msg("no fall without a fix, by partitions or generations alone: %ju, %ju, %ju", (uintmax_t)falls[0],
             (uintmax_t)falls[1], (uintmax_t)falls[2]);
}

static void wide_signatures_block_no_game(void **state) {
    HazardRow rows[HAZARD_ROWS];
    measure((HazardRequest){.signature_bits = 32, .nodes = NODES / 4, .seed = 1, .seeds = 1, .threads = 1}, rows);
    for (unsigned i = 0; i < HAZARD_ROWS; i++) assert_int_equal(rows[i].blocked, 0);
    assert_false(hazard_holds(rows));
}

/* The same counts by any number of threads; each fix plays other games, as does each seed. */
static void runs_repeat_and_cures_differ(void **state) {
    HazardRow one[HAZARD_ROWS], three[HAZARD_ROWS], other[HAZARD_ROWS];
    HazardRequest q = {.signature_bits = 8, .nodes = NODES / 20, .seed = 1, .seeds = 2, .threads = 1};
    measure(q, one);
    q.threads = 3;
    measure(q, three);
    assert_memory_equal(one, three, sizeof one);
    q.seed = 7;
    measure(q, other);
    for (unsigned i = 0; i < HAZARD_ROWS; i++) {
        assert_int_not_equal(one[i].nodes, other[i].nodes);
        for (unsigned k = 0; k < i; k++) assert_int_not_equal(one[i].nodes, one[k].nodes);
    }
}

static void a_missing_fall_and_one_under_strict_are_faults(void **state) {
    HazardRow rows[HAZARD_ROWS] = {[HAZARD_NONE] = {.falls = 1}, [HAZARD_GENERATIONS] = {.falls = 2}};
    assert_true(hazard_holds(rows));
    for (unsigned i = HAZARD_STRICT; i <= HAZARD_ALL; i++) {
        rows[i].falls = 1;
        assert_false(hazard_holds(rows));
        rows[i].falls = 0;
    }
    rows[HAZARD_NONE].falls = 0;
    assert_false(hazard_holds(rows));
}

/* Of the tables of the Poisson distribution. */
static void limits_are_exact(void **state) {
    static const struct {
        uint64_t n;
        double low, high;
    } all[] = {{0, 0, 3.689}, {1, 0.0253, 5.572}, {10, 4.795, 18.390}, {100, 81.36, 121.63}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        double low, high;
        hazard_interval(all[i].n, &low, &high);
        assert_float_equal(low, all[i].low, 0.01);
        assert_float_equal(high, all[i].high, 0.01);
    }
}

#include "test_hazard_list.h"
