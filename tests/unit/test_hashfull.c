/* SPDX-License-Identifier: MIT */
/* What hashfull says of tables whose fill is known, and how many slots it looks at. */
#include "move_tools.h"

#include "table/table_internal.h"

enum { GROUPS = 5000, SAMPLE = 1000 };

static Kind kind_of(unsigned i) {
    Kind k = kind_at(i);
    k.options.bytes = GROUPS * 64;
    return k;
}

/* Key number i of a bucket. */
static TabiaKey key_in(const TabiaTable *t, uint64_t bucket, uint64_t i) {
    const uint64_t index = (uint64_t)((((unsigned __int128)bucket << 64) + t->buckets - 1) / t->buckets);
    return (TabiaKey){index, (i + 1) * 0x9e3779b97f4a7c15ull};
}

static void store_in(TabiaTable *t, Kind k, uint64_t bucket, uint64_t i) {
    const uint64_t words[TABIA_RECORD_WORDS_MAX] = {1, 2, 3};
    TabiaKey key = key_in(t, bucket, i);
    if (k.options.type == TABIA_ENTRIES) tabia_entry_store(t, key, 0, entry_at(i));
    if (k.options.type == TABIA_COUNTS) key.index -= 5 * 0x9e3779b97f4a7c15ull; /* the depth's part */
    if (k.options.type == TABIA_COUNTS) tabia_counts_store(t, key, 5, 1 + i);
    if (k.options.type == TABIA_RECORDS) tabia_record_store(t, key, words);
}

/* So many slots of every bucket. */
static void fill_buckets(TabiaTable *t, Kind k, unsigned slots) {
    for (uint64_t bucket = 0; bucket < t->buckets; bucket++)
        for (unsigned i = 0; i < slots; i++) store_in(t, k, bucket, i);
}

static void a_known_fill_is_reported(void **state) {
    for (unsigned i = 0; i < KINDS; i++) {
        const Kind k = kind_of(i);
        TabiaTable *t = new_table(k.options);
        for (unsigned slots = 0; slots <= t->slots; slots++) {
            fill_buckets(t, k, slots);
            assert_int_equal(tabia_table_hashfull(t), 1000 * slots / t->slots);
            tabia_table_clear(t);
            assert_int_equal(tabia_table_hashfull(t), 0);
        }
        tabia_table_destroy(t);
    }
}

/* Entries of another generation do not count, counts and records do. */
static void only_entries_grow_old(void **state) {
    for (unsigned i = 0; i < KINDS; i++) {
        const Kind k = kind_of(i);
        TabiaTable *t = new_table(k.options);
        fill_buckets(t, k, t->slots);
        tabia_table_new_generation(t);
        assert_int_equal(tabia_table_hashfull(t), k.options.type == TABIA_ENTRIES ? 0 : 1000);
        tabia_table_destroy(t);
    }
}

/* Random keys: what is reported of the sample is near what is true of the table. */
static void a_random_fill_is_reported(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 20});
    uint64_t seed = 8, used = 0;
    for (unsigned i = 0; i < 40000; i++) tabia_entry_store(t, random_key(&seed), 0, entry_at(1));
    for (uint64_t slot = 0; slot < t->buckets * 4; slot++) used += ((const Word *)t->base)[2 * slot + 1] != 0;
    const int truth = (int)(used * 1000 / (t->buckets * 4)), reported = (int)tabia_table_hashfull(t);
    print_message("%d of 1000 slots are used, hashfull says %d\n", truth, reported);
    assert_in_range(reported, truth - 40, truth + 40);
    tabia_table_destroy(t);
}

/* Where the first 1000 slots are full, and no other, neither more nor less is looked at. */
static void the_first_1000_slots_decide(void **state) {
    for (unsigned i = 0; i < KINDS; i++)
        for (unsigned partitions = 1; partitions <= 4; partitions += 3) {
            Kind k = kind_of(i);
            k.options.bytes *= partitions, k.options.partitions = partitions;
            TabiaTable *t = new_table(k.options);
            for (unsigned n = 0; n < SAMPLE / partitions / t->slots * partitions; n++) {
                assert_in_range(tabia_table_hashfull(t), 0, 999);
                for (unsigned s = 0; s < t->slots; s++)
                    store_in(tabia_table_partition(t, n % partitions), k, n / partitions, s);
            }
            assert_int_equal(tabia_table_hashfull(t), 1000);
            tabia_table_destroy(t);
        }
}

#include "test_hashfull_list.h"
