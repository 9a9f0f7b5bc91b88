/* SPDX-License-Identifier: MIT */
/* The record type of entries: layouts, path and position apart, strict generations. What replaces what, refreshing and
   penalising are in test_entry_model.c, what all types have in common in test_types.c. */
#include "file_tools.h"

#include "table/entry_inline.h"

static const TabiaKey some_key = {1, (uint64_t)3 << 40};
static const TabiaEntry some = {.move = 77, .score = -5, .evaluation = 12, .draft = 9, .bound = TABIA_BOUND_LOWER};

static void another_path_gives_the_move_only(void **state) {
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

static void strict_generations_forget_for_ever(void **state) {
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

/* ---- layouts: longer moves and user bits, which lie in the check word ---- */

static TabiaEntry random_entry(const TabiaTable *t, uint64_t *seed) {
    TabiaEntry e = entry_unpack(random_next(seed));
    e.user = (uint16_t)random_next(seed), e.move = (uint32_t)random_next(seed);
    return entry_within(t, e);
}

/* Moves of 16 to 32 bits, 0 to 16 user bits, path keys of several widths. */
static TabiaOptions layout_at(unsigned i) {
    static const unsigned path_bits[] = {0, TABIA_NO_PATH_BITS, 7};
    TabiaOptions o = {.bytes = 1 << 16, .move_bits = 16 + i % 17, .user_bits = i * 5 % 17, .threads = 1};
    o.path_bits = path_bits[i % 3];
    o.counters = i % 5 == 4;
    return o;
}
enum { LAYOUTS = 17 * 6 };

static void every_bit_comes_back(void **state) {
    for (unsigned i = 0; i < LAYOUTS; i++) {
        TabiaTable *t = new_table(layout_at(i));
        uint64_t seed = i + 1;
        for (int n = 0; n < 1500; n++) {
            const TabiaKey key = random_key(&seed);
            const uint64_t path = random_next(&seed);
            const TabiaEntry e = random_entry(t, &seed);
            tabia_entry_store(t, key, path, e);
            const TabiaHit hit = tabia_entry_probe(t, key, path), other = tabia_entry_probe(t, key, ~path);
            TabiaHit batch;
            tabia_entry_probe_batch(t, &key, &path, &batch, 1);
            assert_memory_equal(&hit, &batch, sizeof hit);
            assert_true(hit.move_ok && other.move_ok);
            assert_memory_equal(&hit.entry, &e, sizeof e);
            assert_memory_equal(&other.entry, &e, sizeof e);
            assert_int_equal(hit.score_ok, e.bound != TABIA_BOUND_NONE);
            assert_int_equal(other.score_ok, hit.score_ok && t->path_bits == 0);
            assert_int_equal(hit.path, path & t->path_mask);
        }
        tabia_table_destroy(t);
    }
}

/* What the layout has no room for is cut off, and touches nothing else. */
static void more_is_cut_off(void **state) {
    const TabiaEntry all = {.score = -1, .evaluation = -1, .draft = 255, .bound = 3, .user = 0xffff, .move = ~0u};
    for (unsigned i = 0; i < LAYOUTS; i++) {
        TabiaTable *t = new_table(layout_at(i));
        const TabiaEntry e = entry_within(t, all);
        tabia_entry_store(t, some_key, 0, all);
        const TabiaHit hit = tabia_entry_probe(t, some_key, 0);
        assert_true(hit.score_ok && hit.path == 0);
        assert_memory_equal(&hit.entry, &e, sizeof e);
        tabia_table_destroy(t);
    }
}

static void a_layout_is_reported(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .move_bits = 27, .user_bits = 5});
    TabiaInfo info;
    tabia_table_info(t, &info);
    assert_int_equal(info.signature_bits, 32);
    assert_int_equal(info.move_bits, 27);
    assert_int_equal(info.user_bits, 5);
    tabia_table_destroy(t);
}

/* Signatures of 8 bits take one absent key in 256 for each of the four entries beside it. */
static void a_narrow_signature_is_narrow(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .signature_bits = 8});
    uint64_t seed = 5;
    unsigned hits = 0;
    for (int i = 0; i < 4; i++) tabia_entry_store(t, random_key(&seed), 0, (TabiaEntry){.move = 1, .draft = 2});
    for (int i = 0; i < 40000; i++) hits += tabia_entry_probe(t, random_key(&seed), 0).move_ok;
    assert_in_range(hits, 300, 1000);
    tabia_table_destroy(t);
}

/* A file says its layout; another's is refused by name. */
static void files_have_a_layout(void **state) {
    TabiaOptions o = {.bytes = 4096, .move_bits = 32, .user_bits = 1, .signature_bits = 24};
    TabiaTable *t = new_table(o);
    for (uint64_t i = 0; i < 50; i++) store_at(t, TABIA_ENTRIES, 1, i);
    save(t, "a");
    tabia_table_destroy(t);
    TabiaError error;
    const unsigned moves[] = {16, 32, 32}, users[] = {1, 0, 1};
    for (unsigned i = 0; i < 3; i++) {
        o.move_bits = moves[i], o.user_bits = users[i];
        t = new_table(o);
        const int code = tabia_table_load(t, in_folder("a"), NULL, &error);
        assert_int_equal(code, i < 2 ? TABIA_ERROR_FOREIGN : 0);
        if (i < 2) assert_non_null(strstr(error.text, i ? "1 user bits" : "16 bits of a move above 16"));
        unsigned found = 0;
        for (uint64_t n = 0; n < 50; n++) found += find_at(t, TABIA_ENTRIES, 1, n);
        assert_true(i < 2 ? found == 0 : found > 40);
        tabia_table_destroy(t);
    }
    unlink(in_folder("a"));
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_entry_list.h"
