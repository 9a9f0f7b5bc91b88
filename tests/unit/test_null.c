/* SPDX-License-Identifier: MIT */
/* Every call with NULL for the table: a miss, nothing stored, 0, or one line that says so. */
#include "table_tools.h"

#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"

enum { N = 130 }; /* more than a batch asks for ahead */

static const TabiaKey key = {1, 2};

static void entries_miss(void **state) {
    static const TabiaHit miss;
    TabiaHit hit = tabia_entry_probe(NULL, key, 3), hits[N];
    TabiaKey keys[N] = {{0, 0}};
    assert_memory_equal(&hit, &miss, sizeof miss);
    hit.move_ok = true;
    assert_int_equal(tabia_entry_age(NULL, hit), 0);
    memset(hits, 0xff, sizeof hits);
    tabia_entry_probe_batch(NULL, keys, NULL, hits, N);
    for (unsigned i = 0; i < N; i++) assert_memory_equal(&hits[i], &miss, sizeof miss);
    tabia_entry_store(NULL, key, 3, (TabiaEntry){.move = 1});
    tabia_entry_refresh(NULL, key);
    tabia_entry_penalise(NULL, key, 1);
    tabia_table_prefetch(NULL, key);
}

static void counts_miss(void **state) {
    TabiaKey keys[N] = {{0, 0}};
    uint64_t counts[N];
    assert_int_equal(tabia_counts_probe(NULL, key, 3), 0);
    memset(counts, 0xff, sizeof counts);
    tabia_counts_probe_batch(NULL, keys, 3, counts, N);
    for (unsigned i = 0; i < N; i++) assert_int_equal(counts[i], 0);
    tabia_counts_store(NULL, key, 3, 7);
    tabia_counts_prefetch(NULL, key, 3);
}

static void records_miss(void **state) {
    TabiaKey keys[N] = {{0, 0}};
    uint64_t words[3 * N] = {5};
    bool there[N];
    assert_false(tabia_record_probe(NULL, key, words));
    memset(there, 1, sizeof there);
    tabia_record_probe_batch(NULL, keys, words, there, N);
    for (unsigned i = 0; i < N; i++) assert_false(there[i]);
    assert_int_equal(words[0], 5);
    tabia_record_store(NULL, key, words);
}

static void the_table_itself(void **state) {
    TabiaInfo info;
    TabiaCounters counters;
    static const TabiaCounters no_counters;
    memset(&info, 0xff, sizeof info), memset(&counters, 0xff, sizeof counters);
    tabia_table_info(NULL, &info);
    assert_int_equal(info.bytes, 0);
    assert_int_equal(info.partitions, 0);
    tabia_table_counters(NULL, &counters);
    assert_memory_equal(&counters, &no_counters, sizeof counters);
    assert_int_equal(tabia_table_hashfull(NULL), 0);
    assert_null(tabia_table_partition(NULL, 3));
    tabia_table_new_generation(NULL);
    tabia_table_clear(NULL);
    tabia_table_wipe(NULL);
    tabia_table_destroy(NULL);
}

static void what_can_fail_says_so(void **state) {
    TabiaError error = {0};
    assert_int_equal(tabia_table_save(NULL, "/dev/null", NULL, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "no table to save: NULL was given");
    assert_int_equal(tabia_table_load(NULL, "/dev/null", NULL, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "no table to load into: NULL was given");
    assert_int_equal(tabia_table_resize(NULL, 1 << 20, NULL, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "no table to resize: NULL was given");
    assert_int_equal(tabia_table_resize(NULL, 1 << 20, NULL, NULL), TABIA_ERROR_OPTION);
}

#include "test_null_list.h"
