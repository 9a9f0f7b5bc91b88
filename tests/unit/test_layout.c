/* SPDX-License-Identifier: MIT */
/* Layouts of entries: longer moves and user bits, which lie in the check word. */
#include "file_tools.h"

#include "table/entry_inline.h"

static const TabiaKey some_key = {1, (uint64_t)3 << 40};

static TabiaEntry random_entry(const TabiaTable *t, uint64_t *seed) {
    TabiaEntry e = entry_unpack(random_next(seed));
    e.user = (uint16_t)random_next(seed), e.move = (uint32_t)random_next(seed);
    return entry_within(t, e);
}

/* Moves of 16 to 32 bits, 0 to 16 user bits, path keys of several widths, each mode and number of ways. */
static TabiaOptions layout_at(unsigned i) {
    static const unsigned path_bits[] = {0, TABIA_NO_PATH_BITS, 7};
    TabiaOptions o = {.bytes = 1 << 16, .move_bits = 16 + i % 17, .user_bits = i * 5 % 17, .threads = 1};
    o.path_bits = path_bits[i % 3];
    o.integrity = mode_at(i / 3 % modes());
    o.ways = i % 4 == 3 ? 2 : 4;
    o.counters = i % 5 == 4;
    return o;
}
enum { LAYOUTS = 17 * 6 };

static void every_bit_comes_back(void **state) {
    (void)state;
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
    (void)state;
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

/* A move that is longer than 16 bits is kept whole; user bits are those of the store that decides. */
static void keeps_the_whole_move(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .move_bits = 32, .user_bits = 2});
    const TabiaEntry first = {.move = 0x70000, .draft = 9, .bound = TABIA_BOUND_LOWER, .user = 3};
    tabia_entry_store(t, some_key, 0, first);
    TabiaEntry next = {.draft = 12, .bound = TABIA_BOUND_LOWER, .user = 1};
    tabia_entry_store(t, some_key, 0, next);
    TabiaHit hit = tabia_entry_probe(t, some_key, 0);
    assert_int_equal(hit.entry.move, 0x70000);
    assert_int_equal(hit.entry.user, 1);
    next = (TabiaEntry){
        .draft = 2, .bound = TABIA_BOUND_UPPER, .user = 2, .move = 0x123456}; /* shallower: the move only */
    tabia_entry_store(t, some_key, 0, next);
    hit = tabia_entry_probe(t, some_key, 0);
    assert_int_equal(hit.entry.move, 0x123456);
    assert_int_equal(hit.entry.user, 1);
    assert_int_equal(hit.entry.draft, 12);
    tabia_entry_refresh(t, some_key);
    tabia_entry_penalise(t, some_key, 3);
    hit = tabia_entry_probe(t, some_key, 0);
    assert_int_equal(hit.entry.move, 0x123456);
    assert_int_equal(hit.entry.user, 1);
    assert_int_equal(hit.entry.draft, 9);
    tabia_table_destroy(t);
}

static int by_user(void *context, const TabiaEntry *e, unsigned age) {
    (void)context, (void)age;
    return (int)(e->user + (e->move >> 16));
}

static void the_callers_priority_sees_all(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .move_bits = 32, .user_bits = 4});
    for (unsigned i = 0; i < 8; i++) {
        const TabiaEntry e = {.move = (i ^ 5) << 16, .user = (uint16_t)(i ^ 5)};
        tabia_entry_store_by(t, (TabiaKey){0, (uint64_t)(i + 1) << 50}, 0, e, by_user, NULL);
    }
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(tabia_entry_probe(t, (TabiaKey){0, (uint64_t)(i + 1) << 50}, 0).move_ok, (i ^ 5) >= 4);
    tabia_table_destroy(t);
}

/* Two stores' words met: never a hit, whatever bits of the data differ. */
static void rejects_mixed_entries(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .move_bits = 32, .user_bits = 2});
    Word *slot = (Word *)t->base;
    uint64_t seed = 11;
    for (int i = 0; i < 100000; i++) {
        const TabiaKey key = random_key(&seed);
        memset(t->base, 0, 64);
        tabia_entry_store(t, key, i, random_entry(t, &seed));
        const uint64_t data = atomic_load(slot + 1);
        atomic_store(slot + 1,
                     data ^ (i % 2 ? (uint64_t)1 << random_below(&seed, 64) : 1 + random_below(&seed, 65535)));
        assert_false(tabia_entry_probe(t, key, i).move_ok);
        atomic_store(slot + 1, data);
        assert_true(tabia_entry_probe(t, key, i).move_ok);
    }
    tabia_table_destroy(t);
}

static void options_are_verified(void **state) {
    (void)state;
    const TabiaOptions bad[] = {
        {.move_bits = 15}, {.move_bits = 33}, {.user_bits = 17}, {.move_bits = 32, .signature_bits = 33}};
    const char *const says[] = {"move_bits 15: 16 to 32", "move_bits 33: 16 to 32", "user_bits 17: at most 16",
                                "signature_bits 33: 8 to 32 beside"};
    TabiaTable *t;
    TabiaError error;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tabia_table_create(&t, &bad[i], &error), TABIA_ERROR_OPTION);
        assert_ptr_equal(strstr(error.text, says[i]), error.text);
    }
    t = new_table((TabiaOptions){.bytes = 64, .move_bits = 27, .user_bits = 5});
    TabiaInfo info;
    tabia_table_info(t, &info);
    assert_int_equal(info.signature_bits, 32);
    assert_int_equal(info.move_bits, 27);
    assert_int_equal(info.user_bits, 5);
    tabia_table_destroy(t);
}

/* Signatures of 8 bits take one absent key in 256 for each of the four entries beside it. */
static void a_narrow_signature_is_narrow(void **state) {
    (void)state;
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
    (void)state;
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
        const int code = tabia_table_load(t, name_of("a"), NULL, &error);
        assert_int_equal(code, i < 2 ? TABIA_ERROR_FOREIGN : 0);
        if (i < 2) assert_non_null(strstr(error.text, i ? "1 user bits" : "16 bits of a move above 16"));
        unsigned found = 0;
        for (uint64_t n = 0; n < 50; n++) found += find_at(t, TABIA_ENTRIES, 1, n);
        assert_true(i < 2 ? found == 0 : found > 40);
        tabia_table_destroy(t);
    }
    unlink(name_of("a"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),  cmocka_unit_test(more_is_cut_off),
        cmocka_unit_test(keeps_the_whole_move),  cmocka_unit_test(the_callers_priority_sees_all),
        cmocka_unit_test(rejects_mixed_entries), cmocka_unit_test(options_are_verified),
        cmocka_unit_test(files_have_a_layout),   cmocka_unit_test(a_narrow_signature_is_narrow),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
