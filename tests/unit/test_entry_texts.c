/* SPDX-License-Identifier: MIT */
/* The text that standard entries have on this processor against the one for any: two tables in the same options, of which the
   second is on the route xor, are called alike and stay alike. In a portable build that is entry_avx2.c against entry.c. */
#include "table_tools.h"

#include <string.h>

#include "table/entry_avx2.h"
#include "table/entry_inline.h"

enum { OPERATIONS = 40000, KEYS = 2000, BATCH = 150 };

static bool processor_runs_it(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* The route with the text for any processor. */
static Route plain_route(Route route) {
    switch (route) {
    case ROUTE_STANDARD:
        return ROUTE_XOR;
    default:
        return route;
    }
}

/* Where the build has no such text, no table is on the route; where it chooses, the processor decides. */
static void the_text_is_chosen(void **state) {
    (void)state;
    const bool runs = tabia_standard_runs();
#ifdef STANDARD_AVX2
    assert_int_equal(runs, processor_runs_it());
#else
    if (runs) assert_true(processor_runs_it());
#endif
    assert_string_equal(tabia_entry_text(), runs ? "avx2" : "plain");
    static const struct {
        unsigned path_bits, user_bits, move_bits;
        bool refresh;
        Route route, store_route;
    } cases[] = {
        {0, 0, 0, false, ROUTE_STANDARD, ROUTE_STANDARD},
        {0, 0, 0, true, ROUTE_CUSTOM_REFRESH, ROUTE_STANDARD},
        {20, 0, 0, false, ROUTE_XOR, ROUTE_XOR},
        {20, 0, 0, true, ROUTE_CUSTOM_REFRESH, ROUTE_XOR},
        {16, 1, 0, false, ROUTE_CUSTOM, ROUTE_CUSTOM},
        {16, 1, 23, true, ROUTE_CUSTOM_REFRESH, ROUTE_CUSTOM},
        {TABIA_NO_PATH_BITS, 0, 32, false, ROUTE_CUSTOM, ROUTE_CUSTOM},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 4096,
                                                 .path_bits = cases[i].path_bits,
                                                 .user_bits = cases[i].user_bits,
                                                 .move_bits = cases[i].move_bits,
                                                 .refresh_on_hit = cases[i].refresh});
        assert_int_equal(t->route, runs ? cases[i].route : plain_route(cases[i].route));
        assert_int_equal(t->store_route, runs ? cases[i].store_route : plain_route(cases[i].store_route));
        tabia_table_destroy(t);
    }
}

static void take_plain_text(TabiaTable *t) {
    t->route = plain_route(t->route);
    t->store_route = plain_route(t->store_route);
}

/* Few positions with several paths, some of which differ in a signature bit or in what is compared first. */
static TabiaKey some_key(uint64_t *seed) {
    uint64_t number = random_below(seed, KEYS);
    const TabiaKey key = {random_next(&number), random_next(&number)};
    return (TabiaKey){key.index, key.check ^ (random_below(seed, 4) ? 0 : (uint64_t)1 << random_below(seed, 64))};
}

static TabiaEntry some_entry(uint64_t *seed) {
    TabiaEntry e = entry_unpack(random_next(seed));
    if (random_below(seed, 4)) e.draft %= 8;
    if (!random_below(seed, 4)) e.move = 0;
    e.user = (uint16_t)random_next(seed);
    if (random_below(seed, 2)) e.move |= (uint32_t)random_next(seed) << MOVE_BITS;
    return e;
}

static unsigned probe_many(TabiaTable *const t[2], uint64_t *seed, bool with_paths) {
    TabiaKey keys[BATCH];
    uint64_t paths[BATCH];
    TabiaHit hits[2][BATCH];
    const size_t n = random_below(seed, BATCH + 1);
    unsigned found = 0;
    for (size_t i = 0; i < n; i++) keys[i] = some_key(seed), paths[i] = random_below(seed, 3);
    for (unsigned k = 0; k < 2; k++) tabia_entry_probe_batch(t[k], keys, with_paths ? paths : NULL, hits[k], n);
    assert_memory_equal(hits[0], hits[1], n * sizeof **hits);
    for (size_t i = 0; i < n; i++) found += hits[0][i].move_ok;
    return found;
}

/* One operation on both; how many probes found something. */
static unsigned operate(TabiaTable *const t[2], uint64_t *seed) {
    const uint64_t what = random_below(seed, 1000), path = random_below(seed, 3);
    const TabiaKey key = some_key(seed);
    const TabiaEntry e = some_entry(seed);
    if (what < 450) {
        const TabiaHit hits[2] = {tabia_entry_probe(t[0], key, path), tabia_entry_probe(t[1], key, path)};
        assert_memory_equal(&hits[0], &hits[1], sizeof *hits);
        return hits[0].move_ok;
    }
    if (what >= 998) return probe_many(t, seed, what == 999);
    for (unsigned k = 0; k < 2; k++)
        if (what < 994)
            tabia_entry_store(t[k], key, path, e);
        else if (what < 997)
            tabia_table_new_generation(t[k]);
        else if (path == 0 && e.draft == 0)
            tabia_table_clear(t[k]);
    return 0;
}

static TabiaOptions options_at(unsigned i) {
    static const unsigned path_bits[] = {0, TABIA_NO_PATH_BITS, 1}, user_bits[] = {0, 2, 0, 5},
                          move_bits[] = {0, 0, 20, 19}, weights[] = {0, 1, 12},
                          bonuses[] = {0, TABIA_NO_EXACT_BONUS, 11}, margins[] = {0, 1, TABIA_KEEP_NEVER};
    return (TabiaOptions){.bytes = 8192,
                          .path_bits = path_bits[i % 3],
                          .user_bits = user_bits[i % 4],
                          .move_bits = move_bits[i % 4],
                          .age_weight = weights[i / 3 % 3],
                          .exact_bonus = bonuses[(i + i / 3) % 3],
                          .keep_margin = margins[(i + i / 9) % 3],
                          .refresh_on_hit = i % 5 == 4};
}

/* Over a million operations in all. */
static void both_texts_are_alike(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (unsigned i = 0; i < 27; i++) {
        const TabiaOptions o = options_at(i);
        TabiaTable *const t[2] = {new_table(o), new_table(o)};
        unsigned found = 0;
        take_plain_text(t[1]);
        for (unsigned c = 0; c < OPERATIONS; c++) found += operate(t, &seed);
        assert_true(found > OPERATIONS / 20);
        assert_memory_equal(t[0]->base, t[1]->base, o.bytes);
        tabia_table_destroy(t[0]);
        tabia_table_destroy(t[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_text_is_chosen), cmocka_unit_test(both_texts_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
