/* SPDX-License-Identifier: MIT */
/* The record type of entries: fields, path and position apart, replacement, generations, strict and cleared tables. */
#include "table_tools.h"

#include "table/entry_inline.h"

static const TabiaEntry some = {.move = 77, .score = -5, .evaluation = 12, .draft = 9, .bound = TABIA_BOUND_LOWER};

static TabiaEntry random_entry(uint64_t *seed) {
    return entry_unpack(random_next(seed));
}

static void every_field_comes_back(void **state) {
    (void)state;
    for (unsigned m = 0; m < modes(); m++)
        for (unsigned ways = 1; ways <= 4; ways *= 2)
            for (int counting = 0; counting < 2; counting++) {
                TabiaTable *t = new_table(
                    (TabiaOptions){.bytes = 1 << 20, .integrity = mode_at(m), .ways = ways, .counters = counting != 0});
                uint64_t seed = 3;
                for (int i = 0; i < 20000; i++) {
                    const TabiaKey key = random_key(&seed);
                    const uint64_t path = random_next(&seed);
                    TabiaEntry e = random_entry(&seed);
                    assert_false(tabia_entry_probe(t, key, path).move_ok);
                    tabia_entry_store(t, key, path, e);
                    const TabiaHit hit = tabia_entry_probe(t, key, path);
                    assert_true(hit.move_ok);
                    assert_int_equal(hit.score_ok, e.bound != TABIA_BOUND_NONE);
                    assert_memory_equal(&hit.entry, &e, sizeof e);
                    assert_int_equal(tabia_entry_age(t, hit), 0);
                }
                tabia_table_destroy(t);
            }
}

static void another_path_gives_the_move_only(void **state) {
    (void)state;
    const unsigned widths[] = {1, 7, 16, 32, TABIA_NO_PATH_BITS};
    for (unsigned w = 0; w < 5; w++) {
        TabiaTable *t = new_table((TabiaOptions){.path_bits = widths[w], .bytes = 4096});
        const unsigned bits = widths[w] == TABIA_NO_PATH_BITS ? 0 : widths[w];
        for (unsigned b = 0; b < 64; b++) {
            const TabiaKey key = {b, ~(uint64_t)b << 32};
            tabia_entry_store(t, key, 0x123456789abcdef0u, some);
            const TabiaHit hit = tabia_entry_probe(t, key, 0x123456789abcdef0u ^ (uint64_t)1 << b);
            assert_true(hit.move_ok);
            assert_int_equal(hit.score_ok, b >= bits);
            assert_int_equal(hit.entry.move, some.move);
        }
        tabia_table_destroy(t);
    }
}

/* Every pair of data words that differ, even in the bits that lie under the path's: never a hit for anybody. */
static void rejects_mixed_entries(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    Word *slot = (Word *)t->base;
    uint64_t seed = 11;
    for (int i = 0; i < 300000; i++) {
        const TabiaKey a = random_key(&seed), b = random_key(&seed);
        const TabiaEntry e = random_entry(&seed);
        memset(t->base, 0, 64);
        tabia_entry_store(t, a, i, e);
        const uint64_t data = atomic_load(slot + 1);
        const uint64_t mixed =
            i % 2 ? data ^ (uint64_t)1 << random_below(&seed, 64) : data ^ (1 + random_below(&seed, 65535));
        atomic_store(slot + 1, mixed);
        assert_false(tabia_entry_probe(t, a, i).move_ok);
        assert_false(tabia_entry_probe(t, b, i).move_ok);
        atomic_store(slot + 1, data);
        assert_true(tabia_entry_probe(t, a, i).move_ok);
    }
    tabia_table_destroy(t);
}

static void an_empty_table_knows_nothing(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.path_bits = TABIA_NO_PATH_BITS, .bytes = 64});
    assert_false(tabia_entry_probe(t, (TabiaKey){0, 0}, 0).move_ok);
    tabia_entry_store(t, (TabiaKey){0, 0}, 0, (TabiaEntry){0}); /* no bound, no move: still an entry */
    assert_true(tabia_entry_probe(t, (TabiaKey){0, 0}, 0).move_ok);
    assert_false(tabia_entry_probe(t, (TabiaKey){0, 0}, 0).score_ok);
    tabia_table_destroy(t);
}

/* ---- replacement ---- */

static void keeps_the_move(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    const TabiaKey key = {1, 2};
    tabia_entry_store(t, key, 0, some);
    TabiaEntry next = some;
    next.move = 0, next.draft = 20, next.score = 100;
    tabia_entry_store(t, key, 0, next);
    assert_int_equal(tabia_entry_probe(t, key, 0).entry.move, some.move);
    assert_int_equal(tabia_entry_probe(t, key, 0).entry.score, 100);
    next = (TabiaEntry){.move = 5, .score = 7, .draft = 16, .bound = TABIA_BOUND_UPPER}; /* four plies shallower */
    tabia_entry_store(t, key, 0, next);
    assert_int_equal(tabia_entry_probe(t, key, 0).entry.move, 5);
    assert_int_equal(tabia_entry_probe(t, key, 0).entry.draft, 20);
    next.draft = 17;
    tabia_entry_store(t, key, 0, next);
    assert_int_equal(tabia_entry_probe(t, key, 0).entry.draft, 17);
    next.draft = 1;
    tabia_entry_store(t, key, 1, next); /* another path's score is of no use to this one */
    assert_int_equal(tabia_entry_probe(t, key, 1).entry.draft, 1);
    tabia_table_destroy(t);
}

static void fill_bucket(TabiaTable *t, unsigned draft) {
    for (unsigned i = 0; i < 4; i++) {
        TabiaEntry e = some;
        e.draft = (uint8_t)(draft + i);
        tabia_entry_store(t, (TabiaKey){0, (uint64_t)(i + 1) << 40}, 0, e);
    }
}

static bool known(const TabiaTable *t, unsigned i) {
    return tabia_entry_probe(t, (TabiaKey){0, (uint64_t)(i + 1) << 40}, 0).move_ok;
}

static void the_least_worth_leaves(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    fill_bucket(t, 10);
    tabia_entry_store(t, (TabiaKey){0, 99ull << 40}, 0, some);
    assert_false(known(t, 0));
    assert_true(known(t, 1) && known(t, 2) && known(t, 3));
    tabia_table_destroy(t);
}

/* However deep, an entry leaves when its generations have passed; with ages ignored it stays. */
static void deep_old_entries_leave(void **state) {
    (void)state;
    for (int ignored = 0; ignored < 2; ignored++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .age_weight = ignored ? TABIA_AGE_IGNORED : 0});
        fill_bucket(t, 100);
        for (unsigned g = 0; g < 20; g++) {
            tabia_table_new_generation(t);
            for (unsigned i = 0; i < 8; i++) tabia_entry_store(t, (TabiaKey){0, (uint64_t)(50 + i) << 40}, 0, some);
        }
        assert_int_equal(known(t, 1) + known(t, 2) + known(t, 3), ignored ? 3 : 0);
        tabia_table_destroy(t);
    }
}

static int priority_by_score(void *context, const TabiaEntry *e, unsigned age) {
    ++*(unsigned *)context;
    return e->score - (int)age;
}

static void the_callers_worth_decides(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .counters = true});
    unsigned calls = 0;
    for (int i = 0; i < 6; i++) {
        const TabiaEntry e = {.move = 1, .score = (int16_t)(10 * i), .bound = TABIA_BOUND_EXACT};
        tabia_entry_store_by(t, (TabiaKey){0, (uint64_t)(i + 1) << 40}, 0, e, priority_by_score, &calls);
    }
    assert_false(known(t, 0) || known(t, 1));
    const TabiaEntry poor = {.score = -1, .bound = TABIA_BOUND_EXACT};
    tabia_entry_store_by(t, (TabiaKey){0, 77ull << 40}, 0, poor, priority_by_score, &calls);
    assert_false(tabia_entry_probe(t, (TabiaKey){0, 77ull << 40}, 0).move_ok);
    tabia_entry_store_by(t, (TabiaKey){0, 6ull << 40}, 0, poor, priority_by_score,
                         &calls); /* its own slot, its move kept */
    assert_int_equal(tabia_entry_probe(t, (TabiaKey){0, 6ull << 40}, 0).entry.score, -1);
    assert_int_equal(tabia_entry_probe(t, (TabiaKey){0, 6ull << 40}, 0).entry.move, 1);
    assert_true(calls > 8);
    TabiaCounters c;
    tabia_table_counters(t, &c);
    assert_int_equal(c.refused, 1);
    assert_int_equal(c.filled, 4);
    assert_int_equal(c.replaced_less, 2);
    assert_int_equal(c.updated, 1);
    assert_int_equal(c.stores, 8);
    tabia_table_destroy(t);
}

/* ---- time ---- */

static void ages_are_told(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    tabia_entry_store(t, (TabiaKey){1, 1ull << 40}, 0, some);
    for (unsigned age = 0; age < GENERATIONS; age++, tabia_table_new_generation(t))
        assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, (TabiaKey){1, 1ull << 40}, 0)), age);
    tabia_table_destroy(t);
}

static void strict_generations_forget_for_ever(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .strict_generations = true});
    const TabiaKey key = {1, 1ull << 40};
    tabia_entry_store(t, key, 0, some);
    assert_true(tabia_entry_probe(t, key, 0).move_ok);
    for (unsigned g = 0; g < 1000; g++) {
        tabia_table_new_generation(t);
        assert_false(tabia_entry_probe(t, key, 0).move_ok);
    }
    tabia_table_destroy(t);
}

static void a_cleared_table_is_empty(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 16});
    uint64_t seed = 5;
    for (unsigned round = 0; round < 200; round++) {
        const uint64_t from = seed;
        for (unsigned i = 0; i < 3000; i++) tabia_entry_store(t, random_key(&seed), 0, some);
        assert_true(tabia_table_hashfull(t) > 400);
        tabia_table_clear(t);
        assert_int_equal(tabia_table_hashfull(t), 0);
        uint64_t again = from;
        for (unsigned i = 0; i < 3000; i++) assert_false(tabia_entry_probe(t, random_key(&again), 0).move_ok);
    }
    tabia_table_destroy(t);
}

/* Slots of before a clear are empty slots to a store, however deep their entries were. */
static void cleared_entries_give_way(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .counters = true});
    fill_bucket(t, 200);
    tabia_table_clear(t);
    fill_bucket(t, 1);
    assert_true(known(t, 0) && known(t, 1) && known(t, 2) && known(t, 3));
    TabiaCounters c;
    tabia_table_counters(t, &c);
    assert_int_equal(c.filled, 8);
    assert_int_equal(c.replaced_old, 0);
    tabia_table_destroy(t);
}

static void refresh_and_penalise(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    const TabiaKey key = {1, 1ull << 40};
    tabia_entry_store(t, key, 9, some);
    tabia_table_new_generation(t);
    assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key, 9)), 1);
    tabia_entry_penalise(t, key, 4);
    assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key, 9)), 1);
    assert_int_equal(tabia_entry_probe(t, key, 9).entry.draft, some.draft - 4);
    tabia_entry_refresh(t, key);
    const TabiaHit hit = tabia_entry_probe(t, key, 9);
    assert_int_equal(tabia_entry_age(t, hit), 0);
    assert_true(hit.score_ok);
    assert_int_equal(hit.entry.move, some.move);
    tabia_entry_penalise(t, key, 100);
    assert_int_equal(tabia_entry_probe(t, key, 9).entry.draft, 0);
    tabia_entry_refresh(t, (TabiaKey){2, 1ull << 50}); /* not there: nothing */
    assert_false(tabia_entry_probe(t, (TabiaKey){2, 1ull << 50}, 0).move_ok);
    tabia_table_destroy(t);
}

static void probing_off_knows_nothing(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .probing_off = true});
    tabia_entry_store(t, (TabiaKey){1, 2}, 0, some);
    assert_false(tabia_entry_probe(t, (TabiaKey){1, 2}, 0).move_ok);
    assert_int_equal(tabia_table_hashfull(t), 0);
    tabia_table_destroy(t);
}

/* Torn slots are seen by their broken bucket tags: about 255 of 256. */
static void torn_entries_are_counted(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .counters = true});
    uint64_t seed = 13;
    enum { ROUNDS = 10000 };
    for (int i = 0; i < ROUNDS; i++) {
        const TabiaKey key = random_key(&seed);
        memset(t->base, 0, 64);
        tabia_entry_store(t, key, 0, random_entry(&seed));
        atomic_store((Word *)t->base + 1, random_next(&seed));
        tabia_entry_probe(t, key, 0);
    }
    TabiaCounters c;
    tabia_table_counters(t, &c);
    assert_int_equal(c.hits, 0);
    assert_in_range(c.torn, ROUNDS * 99 / 100, ROUNDS);
    tabia_table_destroy(t);
}

/* Many at once are as one by one, whatever the mode, the number and the paths. */
static void many_are_as_one_by_one(void **state) {
    (void)state;
    enum { MOST = 250 }; /* beyond what is asked for ahead, and some blocks */
    for (unsigned m = 0; m < 2 * modes(); m++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 14, .integrity = mode_at(m / 2), .counters = m % 2});
        uint64_t seed = 31;
        for (unsigned n = 0; n <= MOST; n++) {
            TabiaKey keys[MOST];
            uint64_t paths[MOST];
            TabiaHit hits[MOST];
            for (unsigned i = 0; i < n; i++) {
                keys[i] = random_key(&seed), paths[i] = random_below(&seed, 2);
                if (random_below(&seed, 2)) tabia_entry_store(t, keys[i], 1, random_entry(&seed));
            }
            tabia_entry_probe_batch(t, keys, n % 3 ? paths : NULL, hits, n);
            for (unsigned i = 0; i < n; i++) {
                const TabiaHit one = tabia_entry_probe(t, keys[i], n % 3 ? paths[i] : 0);
                assert_memory_equal(&hits[i].entry, &one.entry, sizeof one.entry);
                assert_int_equal(hits[i].move_ok, one.move_ok);
                assert_int_equal(hits[i].score_ok, one.score_ok);
                assert_int_equal(tabia_entry_age(t, hits[i]), tabia_entry_age(t, one));
            }
        }
        tabia_table_destroy(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(another_path_gives_the_move_only),
        cmocka_unit_test(rejects_mixed_entries),
        cmocka_unit_test(an_empty_table_knows_nothing),
        cmocka_unit_test(many_are_as_one_by_one),
        cmocka_unit_test(keeps_the_move),
        cmocka_unit_test(the_least_worth_leaves),
        cmocka_unit_test(deep_old_entries_leave),
        cmocka_unit_test(the_callers_worth_decides),
        cmocka_unit_test(ages_are_told),
        cmocka_unit_test(strict_generations_forget_for_ever),
        cmocka_unit_test(a_cleared_table_is_empty),
        cmocka_unit_test(cleared_entries_give_way),
        cmocka_unit_test(refresh_and_penalise),
        cmocka_unit_test(probing_off_knows_nothing),
        cmocka_unit_test(torn_entries_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
