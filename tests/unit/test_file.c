/* SPDX-License-Identifier: MIT */
/* Saving and loading: what comes back, of which age, into what. */
#include "file_tools.h"

#include <pthread.h>

#include "table/file_format.h"
#include "table/table_internal.h"

enum { GROUPS = 9000, KEYS = 60000 }; /* three blocks, the last a short one */

static TabiaTable *filled(Kind kind) {
    kind.options.bytes = GROUPS * 64;
    TabiaTable *t = new_table(kind.options);
    for (uint64_t i = 0; i < KEYS / 2; i++) store_at(t, kind.options.type, kind.words, i);
    tabia_table_clear(t);
    for (uint64_t i = KEYS / 2; i < KEYS; i++) store_at(t, kind.options.type, kind.words, i);
    return t;
}

static uint64_t sum(const uint8_t *found) {
    uint64_t all = 0;
    for (uint64_t i = 0; i < KEYS; i++) all += found[i];
    return all;
}

/* Of every kind, into every size: what grew by a whole factor has all, all others have nothing that was not there. */
static void what_is_saved_is_loaded(void **state) {
    const unsigned sizes[][2] = {{1, 1}, {2, 1}, {7, 1}, {3, 2}, {1, 2}, {1, 3}};
    for (unsigned k = 0; k < KINDS; k++) {
        Kind kind = kind_at(k);
        TabiaTable *t = filled(kind);
        uint8_t *before = found_of(t, kind.options.type, kind.words, KEYS);
        save(t, "a");
        for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const uint64_t groups = GROUPS * sizes[s][0] / sizes[s][1];
            kind.options.bytes = groups * 64;
            TabiaTable *u = new_table(kind.options);
            for (unsigned c = 0; c < s; c++) tabia_table_clear(u);
            load(u, "a");
            uint8_t *after = found_of(u, kind.options.type, kind.words, KEYS);
            for (uint64_t i = 0; i < KEYS; i++) assert_true(after[i] <= before[i]);
            uint64_t room = u->buckets * u->slots;
            if (room > sum(before)) room = sum(before);
            if (sizes[s][1] == 1) assert_memory_equal(before, after, KEYS);
            assert_true(sum(after) >= (s == 3 ? room / 2 : room * 9 / 10));
            free(after);
            tabia_table_destroy(u);
        }
        free(before);
        tabia_table_destroy(t);
    }
    unlink(in_folder("a"));
}

static void the_file_is_the_same_for_all_numbers_of_threads(void **state) {
    size_t bytes[2];
    uint8_t *data[2];
    for (unsigned i = 0; i < 2; i++) {
        TabiaTable *t = filled((Kind){{.threads = 1 + 4 * i}, 1});
        save(t, "a");
        data[i] = read_whole("a", &bytes[i]);
        tabia_table_destroy(t);
    }
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data[0], data[1], bytes[0]);
    free(data[0]);
    free(data[1]);
    unlink(in_folder("a"));
}

/* Of more blocks than one part of the work has: at the border of two parts too. */
static void parts_meet(void **state) {
    enum { MANY = 70100, ENTRIES = 4 * MANY };
    TabiaTable *t = new_table((TabiaOptions){.bytes = MANY * 64}),
               *u = new_table((TabiaOptions){.bytes = 3 * MANY * 64});
    for (uint64_t i = 0; i < ENTRIES; i++) store_at(t, TABIA_ENTRIES, 1, i);
    save(t, "a");
    load(u, "a");
    uint8_t *before = found_of(t, TABIA_ENTRIES, 1, ENTRIES), *after = found_of(u, TABIA_ENTRIES, 1, ENTRIES);
    assert_memory_equal(before, after, ENTRIES);
    free(before), free(after);
    tabia_table_destroy(t), tabia_table_destroy(u);
    unlink(in_folder("a"));
}

/* ---- time ---- */

/* Key i is stored in generation i; then five more pass. */
static void save_ages(TabiaOptions o, unsigned n) {
    TabiaTable *t = new_table(o);
    for (unsigned i = 0; i < n; i++) {
        if (i) tabia_table_new_generation(t);
        store_at(t, TABIA_ENTRIES, 1, i);
    }
    save(t, "a");
    tabia_table_destroy(t);
}

static void ages_come_back(void **state) {
    enum { N = 40 };
    save_ages((TabiaOptions){.bytes = 1 << 16}, N);
    for (unsigned way = 0; way < 3; way++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 16});
        for (uint64_t i = 0; way == 1 && i < 200; i++) tabia_table_new_generation(t);
        for (uint64_t i = 1000; way == 2 && i < 20000; i++) store_at(t, TABIA_ENTRIES, 1, i);
        if (way == 2) tabia_table_clear(t); /* full of what is worth nothing now */
        load(t, "a");
        for (unsigned i = 0; i < N; i++) {
            assert_true(find_at(t, TABIA_ENTRIES, 1, i));
            assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key_at(i), i * 7)), N - 1 - i);
        }
        tabia_table_destroy(t);
    }
    unlink(in_folder("a"));
}

static void strict_tables_hold_the_present_only(void **state) {
    for (unsigned strict_file = 0; strict_file < 2; strict_file++) {
        save_ages((TabiaOptions){.bytes = 1 << 16, .strict_generations = strict_file != 0}, 5);
        TabiaTable *strict = new_table((TabiaOptions){.bytes = 1 << 16, .strict_generations = true});
        tabia_table_new_generation(strict);
        load(strict, "a");
        for (unsigned i = 0; i < 5; i++) assert_int_equal(find_at(strict, TABIA_ENTRIES, 1, i), i == 4);
        tabia_table_new_generation(strict);
        assert_false(find_at(strict, TABIA_ENTRIES, 1, 4));
        tabia_table_destroy(strict);
    }
    unlink(in_folder("a"));
}

/* The file is added: what the table knew stays, where there is room or it is worth more. */
static void what_was_there_stays(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 20}), *u = new_table((TabiaOptions){.bytes = 1 << 20});
    for (uint64_t i = 0; i < 3000; i++) store_at(t, TABIA_ENTRIES, 1, i);
    for (uint64_t i = 3000; i < 6000; i++) store_at(u, TABIA_ENTRIES, 1, i);
    save(t, "a");
    load(u, "a");
    load(u, "a"); /* once more changes nothing */
    for (uint64_t i = 0; i < 6000; i++) assert_true(find_at(u, TABIA_ENTRIES, 1, i));
    tabia_table_destroy(t);
    tabia_table_destroy(u);
    unlink(in_folder("a"));
}

static void an_empty_table_is_a_small_file(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64 << 20});
    save(t, "a");
    size_t bytes;
    free(read_whole("a", &bytes));
    assert_int_equal(bytes, sizeof(FileHeader) + 256 * sizeof(BlockHeader));
    load(t, "a");
    assert_int_equal(tabia_table_hashfull(t), 0);
    tabia_table_destroy(t);
    unlink(in_folder("a"));
}

static void shares_are_saved_one_by_one(void **state) {
    TabiaTable *whole = new_table((TabiaOptions){.bytes = 1 << 20, .partitions = 2});
    TabiaError error;
    assert_int_equal(tabia_table_save(whole, in_folder("a"), NULL, &error), TABIA_ERROR_OPTION);
    assert_int_equal(tabia_table_load(whole, in_folder("a"), NULL, &error), TABIA_ERROR_OPTION);
    assert_int_equal(files_in_folder(), 0);
    store_at(tabia_table_partition(whole, 0), TABIA_ENTRIES, 1, 5);
    save(tabia_table_partition(whole, 0), "a");
    load(tabia_table_partition(whole, 1), "a");
    assert_true(find_at(tabia_table_partition(whole, 1), TABIA_ENTRIES, 1, 5));
    tabia_table_destroy(whole);
    unlink(in_folder("a"));
}

/* ---- others store meanwhile ---- */

typedef struct {
    TabiaTable *table;
    const Kind *kind;
    _Atomic bool enough;
} Storing;

static void *store_and_store(void *argument) {
    Storing *s = argument;
    for (uint64_t i = 0; !atomic_load(&s->enough); i++) {
        store_at(s->table, s->kind->options.type, s->kind->words, i % KEYS);
        if (i % 5000 == 0) tabia_table_new_generation(s->table);
    }
    return NULL;
}

static void others_may_store_meanwhile(void **state) {
    for (unsigned k = 0; k < 12; k++) {
        Kind kind = kind_at(k);
        TabiaTable *t = filled(kind);
        Storing storing = {.table = t, .kind = &kind};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, store_and_store, &storing), 0);
        for (unsigned i = 0; i < 3; i++) {
            save(t, "a");
            load(t, "a");
        }
        atomic_store(&storing.enough, true);
        pthread_join(thread, NULL);
        kind.options.bytes = GROUPS * 64;
        TabiaTable *u = new_table(kind.options);
        load(u, "a");
        uint8_t *found = found_of(u, kind.options.type, kind.words, KEYS); /* which judges what it finds */
        assert_true(sum(found) > KEYS / 20);
        free(found);
        tabia_table_destroy(t);
        tabia_table_destroy(u);
    }
    unlink(in_folder("a"));
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_file_list.h"
