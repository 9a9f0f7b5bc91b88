/* SPDX-License-Identifier: MIT */
/* False hits end a generator's games: seen in the loose table, not in the strict one, counted in nodes, so that it
 * repeats. When the fall comes is a matter of chance, and of what the engine plays: of some seeds one must show it. */
#include "unit.h"

#include "lab/table/collisions.h"

enum { LOOSE, WIDE, STRICT, SEEDS = 10 };
static const uint64_t nodes_of_a_run = 1000000;

static CollisionResult run(unsigned which, uint64_t seed, uint64_t nodes) {
    DatagenSettings s;
    CollisionResult r;
    TabiaError error = {0};
    collision_defaults(&s);
    s.adjudication.eval_limit = 800;
    s.seed = seed;
    const CollisionJob job = {.settings = &s, .threads = 1, .nodes = nodes};
    if (!collisions_run(&collision_cases[which], &job, &r, &error)) fail_msg("%s", error.text);
    return r;
}

static CollisionSlice all_of(const CollisionResult *r) {
    return collision_sum(r, 0, COLLISION_SLICES);
}

/* A generator that stood still from the beginning has not fallen. */
static bool falls(const CollisionResult *r) {
    return collision_as_expected(&collision_cases[LOOSE], r) && r->slice[0].positions > 100;
}

static void loose_table_stops_the_generator(void **state) {
    CollisionResult r = {0};
    uint64_t seed = 0;
    (void)state;
    while (!falls(&r)) {
        if (++seed > SEEDS) fail_msg("no fall with %d seeds", SEEDS);
        r = run(LOOSE, seed, nodes_of_a_run);
    }
    assert_false(collision_as_expected(&collision_cases[STRICT], &r));
    const CollisionSlice last = collision_sum(&r, COLLISION_SLICES * 3 / 4, COLLISION_SLICES);
    assert_true(last.empty > last.games * 0.9);
    assert_true(all_of(&r).false_hits > 0);

    const CollisionResult cured = run(STRICT, seed, nodes_of_a_run);
    assert_false(falls(&cured));
    assert_true(cured.left_by_nodes > 0.6 && cured.least_by_nodes > 0.75);
    assert_true(all_of(&cured).false_hits > 0); /* of the same search: its end ends them */

    const CollisionResult wide = run(WIDE, seed, nodes_of_a_run);
    assert_false(falls(&wide));
    assert_int_equal(all_of(&wide).false_hits, 0);
}

static void judge_says_no_too(void **state) {
    static const struct {
        unsigned which;
        CollisionResult r;
        bool as_expected;
    } all[] = {
        {LOOSE, {.left = 0.24, .left_by_nodes = 0.24}, true},
        {LOOSE, {.left = 0.26, .left_by_nodes = 0.1}, false},
        {LOOSE, {.left = 0.1, .left_by_nodes = 0.26}, false},
        {LOOSE, {.left = 1, .left_by_nodes = 1, .least_by_nodes = 1}, false},
        {STRICT, {.left = 0.8, .left_by_nodes = 1, .least_by_nodes = 0.91}, true},
        {STRICT, {.left = 1, .left_by_nodes = 1, .least_by_nodes = 0.89}, false},
        {WIDE, {.left = 1, .left_by_nodes = 1, .least_by_nodes = 0}, false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(collision_as_expected(&collision_cases[all[i].which], &all[i].r), all[i].as_expected);
}

static void one_thread_repeats(void **state) {
    CollisionResult one = run(LOOSE, 1, 100000), two = run(LOOSE, 1, 100000);
    (void)state;
    for (unsigned i = 0; i < COLLISION_SLICES; i++) one.slice[i].seconds = two.slice[i].seconds = 0;
    assert_memory_equal(one.slice, two.slice, sizeof one.slice);
    assert_true(all_of(&one).nodes >= 100000);
}

static bool at_once(void *context, double done) {
    assert_true(done >= 0 && done <= 1);
    ++*(unsigned *)context;
    return true;
}

static void stops_when_told(void **state) {
    DatagenSettings s;
    CollisionResult r;
    TabiaError error;
    unsigned times = 0;
    collision_defaults(&s);
    const CollisionJob job = {.settings = &s, .threads = 1, .seconds = 1000, .watch = at_once, .context = &times};
    (void)state;
    assert_true(collisions_run(&collision_cases[LOOSE], &job, &r, &error));
    assert_int_equal(times, 1);
    assert_int_equal(all_of(&r).games, 1);
    /* A rate of 0 is 1 of itself: no position, or a game shorter than what the clock tells apart. */
    assert_float_equal(r.left, collision_rate(r.slice[0]) > 0 ? 0 : 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_table_stops_the_generator),
        cmocka_unit_test(judge_says_no_too),
        cmocka_unit_test(one_thread_repeats),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
