/* SPDX-License-Identifier: MIT */
/* Records of 1 to 7 words: what goes in comes out whole; mixed ones, however structured, never do. */
#include "table_tools.h"

#include "table/record_inline.h"

static void fill(uint64_t *words, unsigned n, uint64_t *seed) {
    for (unsigned i = 0; i < n; i++) words[i] = random_next(seed);
}

static void comes_back_whole(void **state) {
    (void)state;
    for (unsigned m = 0; m < modes(); m++)
        for (unsigned n = 1; n <= TABIA_RECORD_WORDS_MAX; n++) {
            TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS,
                                                     .record_words = n,
                                                     .bytes = 1 << 18,
                                                     .integrity = mode_at(m),
                                                     .counters = m % 2});
            uint64_t seed = n;
            for (int i = 0; i < 5000; i++) {
                const TabiaKey key = random_key(&seed);
                uint64_t words[8], found[8] = {0};
                fill(words, 8, &seed);
                assert_false(tabia_record_probe(t, key, found));
                assert_int_equal(found[0], 0);
                tabia_record_store(t, key, words);
                assert_true(tabia_record_probe(t, key, found));
                assert_memory_equal(words, found, 8 * n);
                assert_int_equal(found[n], 0);
            }
            tabia_table_destroy(t);
        }
}

static void many_are_as_one_by_one(void **state) {
    (void)state;
    enum { MOST = 200 };
    for (unsigned n = 1; n <= TABIA_RECORD_WORDS_MAX; n++) {
        TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = n, .bytes = 1 << 14});
        uint64_t seed = 41, words[MOST * TABIA_RECORD_WORDS_MAX] = {0}, one[8];
        TabiaKey keys[MOST];
        bool there[MOST];
        for (unsigned i = 0; i < MOST; i++) {
            keys[i] = random_key(&seed);
            fill(one, 8, &seed);
            if (random_below(&seed, 2)) tabia_record_store(t, keys[i], one);
        }
        for (unsigned many = 0; many <= MOST; many += 7) {
            tabia_record_probe_batch(t, keys, words, there, many);
            for (unsigned i = 0; i < many; i++) {
                assert_int_equal(there[i], tabia_record_probe(t, keys[i], one));
                if (there[i]) assert_memory_equal(one, words + i * n, 8 * n);
            }
        }
        tabia_table_destroy(t);
    }
}

/* Differences that small fields make: one low bit, one high bit, the same in every word. */
static uint64_t structured(uint64_t *seed) {
    switch (random_below(seed, 5)) {
    case 0:
        return (uint64_t)1 << random_below(seed, 64);
    case 1:
        return (uint64_t)1 << 63 | (uint64_t)1 << 31;
    case 2:
        return (uint64_t)random_below(seed, 8) << 8 * random_below(seed, 8);
    case 3:
        return random_below(seed, 4);
    default:
        return (uint64_t)random_below(seed, 200) << 32;
    }
}

/* Every word from one of two writers, who wrote small fields: a hit only when all words are the same writer's. */
static void rejects_mixtures(void **state) {
    (void)state;
    uint64_t seed = 17;
    for (unsigned n = 2; n <= TABIA_RECORD_WORDS_MAX; n++) {
        TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = n, .bytes = 64});
        for (int i = 0; i < 100000; i++) {
            const TabiaKey key = random_key(&seed);
            uint64_t a[8], mixed[8], found[8];
            const uint64_t same = structured(&seed);
            bool differs = false;
            for (unsigned w = 0; w < n; w++) {
                a[w] = random_below(&seed, 9);
                mixed[w] = random_below(&seed, 2) ? a[w] : a[w] ^ (i % 2 ? same : structured(&seed));
                differs = differs || mixed[w] != a[w];
            }
            memset(t->base, 0, 64);
            tabia_record_store(t, key, a);
            unsigned slot = 0;
            while (!atomic_load((Word *)t->base + slot)) slot += n + 1;
            for (unsigned w = 0; w < n; w++) atomic_store((Word *)t->base + slot + 1 + w, mixed[w]);
            assert_int_equal(tabia_record_probe(t, key, found), !differs);
        }
        tabia_table_destroy(t);
    }
}

static void a_record_of_zeros_is_a_record(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS, .bytes = 64});
    uint64_t words[3] = {0};
    assert_false(tabia_record_probe(t, (TabiaKey){0, 0}, words));
    tabia_record_store(t, (TabiaKey){0, 0}, words);
    assert_true(tabia_record_probe(t, (TabiaKey){0, 0}, words));
    tabia_table_clear(t);
    assert_false(tabia_record_probe(t, (TabiaKey){0, 0}, words));
    tabia_table_destroy(t);
}

/* A full bucket takes every new record, in all its slots by turns. */
static void the_newest_is_always_there(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = 1, .bytes = 64});
    uint64_t seed = 23, word;
    unsigned left[4] = {0};
    for (int i = 0; i < 4000; i++) {
        const TabiaKey key = random_key(&seed);
        uint64_t before[8], now[8];
        memcpy(before, t->base, 64);
        word = (uint64_t)i;
        tabia_record_store(t, key, &word);
        assert_true(tabia_record_probe(t, key, &word));
        assert_int_equal(word, i);
        memcpy(now, t->base, 64);
        for (unsigned s = 0; s < 4; s++) left[s] += before[2 * s] != now[2 * s];
    }
    for (unsigned s = 0; s < 4; s++) assert_in_range(left[s], 800, 1200);
    tabia_table_destroy(t);
}

/* Those of an earlier strict generation give way before those of this one, wherever they are. */
static void earlier_generations_give_way(void **state) {
    (void)state;
    uint64_t seed = 29, word = 1;
    TabiaTable *t =
        new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = 1, .bytes = 64, .strict_generations = true});
    for (int round = 0; round < 200; round++) {
        TabiaKey key[4];
        for (int i = 0; i < 20; i++) tabia_record_store(t, random_key(&seed), &word);
        tabia_table_new_generation(t);
        for (int i = 0; i < 4; i++) key[i] = random_key(&seed), tabia_record_store(t, key[i], &word);
        for (int i = 0; i < 4; i++) assert_true(tabia_record_probe(t, key[i], &word));
    }
    tabia_table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_whole),           cmocka_unit_test(many_are_as_one_by_one),
        cmocka_unit_test(rejects_mixtures),           cmocka_unit_test(a_record_of_zeros_is_a_record),
        cmocka_unit_test(the_newest_is_always_there), cmocka_unit_test(earlier_generations_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
