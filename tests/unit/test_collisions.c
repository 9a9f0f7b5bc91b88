/* SPDX-License-Identifier: MIT */
/* False hits end a generator's games: seen in the loose table, not in the strict one, counted in nodes, so that it
 * repeats. */
#include "unit.h"

#include "lab/collisions.h"

enum { LOOSE, WIDE, STRICT };

static CollisionResult run(const CollisionCase *c, uint64_t nodes) {
    Settings s;
    CollisionResult r;
    Fault fault = {""};
    collision_defaults(&s);
    s.seed = 3;
    const CollisionJob job = {.settings = &s, .threads = 1, .nodes = nodes};
    if (!collisions_run(c, &job, &r, &fault)) fail_msg("%s", fault.text);
    return r;
}

static CollisionSlice all_of(const CollisionResult *r) {
    return collision_sum(r, 0, COLLISION_SLICES);
}

/* The same run, judged as the other case, is not what is said: the judge can say no. */
static bool as_the_other(CollisionCase c, const CollisionResult *r) {
    c.falls = !c.falls;
    return collision_as_said(&c, r);
}

static void loose_table_stops_the_generator(void **state) {
    const CollisionResult r = run(&collision_cases[LOOSE], 800000);
    const CollisionSlice first = r.slice[0], last = r.slice[COLLISION_SLICES - 1];
    (void)state;
    assert_true(collision_as_said(&collision_cases[LOOSE], &r));
    assert_false(as_the_other(collision_cases[LOOSE], &r));
    assert_true(first.positions > 100 && first.empty < first.games / 2);
    assert_int_equal(last.positions, 0);
    assert_true(last.games > 100 && last.empty == last.games && all_of(&r).false_hits > 0);
}

static void strict_partition_goes_on(void **state) {
    const CollisionResult r = run(&collision_cases[STRICT], 1500000);
    (void)state;
    assert_true(collision_as_said(&collision_cases[STRICT], &r));
    assert_false(as_the_other(collision_cases[STRICT], &r));
    assert_true(all_of(&r).false_hits > 0); /* of the same search: its generation ends them */
}

static void wide_signatures_hit_nothing_false(void **state) {
    const CollisionResult r = run(&collision_cases[WIDE], 400000);
    (void)state;
    assert_int_equal(all_of(&r).false_hits, 0);
    assert_false(as_the_other(collision_cases[WIDE], &r));
}

static void one_thread_repeats(void **state) {
    CollisionResult one = run(&collision_cases[LOOSE], 100000), two = run(&collision_cases[LOOSE], 100000);
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
    Settings s;
    CollisionResult r;
    Fault fault;
    unsigned times = 0;
    collision_defaults(&s);
    const CollisionJob job = {.settings = &s, .threads = 1, .seconds = 1000, .watch = at_once, .context = &times};
    (void)state;
    assert_true(collisions_run(&collision_cases[LOOSE], &job, &r, &fault));
    assert_int_equal(times, 1);
    assert_int_equal(all_of(&r).games, 1);
    assert_float_equal(r.left, r.slice[0].positions ? 0 : 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_table_stops_the_generator),
        cmocka_unit_test(strict_partition_goes_on),
        cmocka_unit_test(wide_signatures_hit_nothing_false),
        cmocka_unit_test(one_thread_repeats),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
