/* SPDX-License-Identifier: MIT */
/* Resizing: what stays, what may go, and what happens when it cannot be done. */
#include "move_tools.h"

#include "table/resize.h"
#include "table/table_internal.h"

enum { GROUPS = 240, KEYS = 6000 };

static const uint64_t PLENTY = UINT64_MAX;

/* From GROUPS buckets to GROUPS * times / by. */
static void change(TabiaTable *t, uint64_t times, uint64_t by) {
    bool kept = false;
    TabiaError error = {0};
    const uint64_t groups = GROUPS * times / by;
    if (tabia_table_resize_within(t, groups * CACHE_LINE_BYTES, PLENTY, &kept, &error)) fail_msg("%s", error.text);
    assert_true(kept);
    assert_int_equal(t->buckets, groups);
}

static TabiaTable *filled(Kind kind) {
    kind.options.bytes = GROUPS * 64;
    kind.options.touch = TABIA_TOUCH_LATER;
    TabiaTable *t = new_table(kind.options);
    for (uint64_t i = 0; i < KEYS / 2; i++) store_at(t, kind.options.type, kind.words, i);
    tabia_table_clear(t);
    for (uint64_t i = KEYS / 2; i < KEYS; i++) store_at(t, kind.options.type, kind.words, i);
    return t;
}

static uint64_t sum(const uint8_t *found, uint64_t n) {
    uint64_t all = 0;
    for (uint64_t i = 0; i < n; i++) all += found[i];
    return all;
}

/* Full tables of every kind. To the same size and to whole multiples all is still there. To half, a third, 3/2, 2/3, ...: what is
   found was there before, and of what was there most is kept as far as there is room. */
static void what_fits_is_kept(void **state) {
    const unsigned sizes[][2] = {{1, 1}, {2, 1}, {4, 1}, {7, 1}, {1, 2}, {1, 3}, {3, 2}, {2, 3}, {5, 4}, {1, 60}};
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const Kind kind = kind_at(k);
            TabiaTable *t = filled(kind);
            uint8_t *before = found_of(t, kind.options.type, kind.words, KEYS);
            change(t, sizes[s][0], sizes[s][1]);
            uint8_t *after = found_of(t, kind.options.type, kind.words, KEYS);
            for (uint64_t i = 0; i < KEYS; i++) assert_true(after[i] <= before[i]);
            uint64_t room = t->buckets * t->slots, had = sum(before, KEYS);
            assert_true(had > KEYS / 50);
            if (room > had) room = had;
            if (sizes[s][1] == 1) assert_memory_equal(before, after, KEYS);
            /* Where two old buckets seek one new one, copies of what belongs elsewhere take up to half of the room. */
            assert_true(sum(after, KEYS) >= (sizes[s][0] == 1 ? room * 99 / 100 : room / 2));
            free(before);
            free(after);
            tabia_table_destroy(t);
        }
}

/* Halved: of each two buckets, the four worthiest of the eight. */
static void halving_keeps_the_worthiest(void **state) {
    for (unsigned type = TABIA_ENTRIES; type <= TABIA_COUNTS; type++) {
        const Kind kind = {{.type = (TabiaRecordType)type, .threads = 2}, 1};
        TabiaTable *t = filled(kind);
        uint8_t *before = found_of(t, kind.options.type, 1, KEYS);
        change(t, 1, 2);
        unsigned min_kept[GROUPS], max_gone[GROUPS], n[GROUPS];
        memset(min_kept, 0xff, sizeof min_kept), memset(max_gone, 0, sizeof max_gone), memset(n, 0, sizeof n);
        for (uint64_t i = 0; i < KEYS; i++) {
            if (!before[i]) continue;
            TabiaKey key = key_at(i);
            if (type == TABIA_COUNTS) key.index += 5 * 0x9e3779b97f4a7c15ull; /* the depth's part, counts_inline.h */
            const TabiaEntry e = entry_within(t, entry_at(i));
            const bool exact = type == TABIA_ENTRIES && e.bound == TABIA_BOUND_EXACT;
            const unsigned priority = e.draft + (exact ? t->exact_bonus : 0);
            const uint64_t group = bucket_number(t, key.index);
            const bool there = find_at(t, kind.options.type, 1, i);
            n[group] += there;
            if (there && priority < min_kept[group]) min_kept[group] = priority;
            if (!there && priority > max_gone[group]) max_gone[group] = priority;
        }
        for (unsigned g = 0; g < GROUPS / 2; g++) {
            assert_int_equal(n[g], 4);
            assert_true(min_kept[g] >= max_gone[g]);
        }
        free(before);
        tabia_table_destroy(t);
    }
}

static void time_goes_on(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 14});
    tabia_entry_store(t, key_at(1), 7, entry_at(1));
    tabia_table_clear(t);
    tabia_entry_store(t, key_at(2), 7, entry_at(2));
    tabia_table_new_generation(t);
    tabia_entry_store(t, key_at(3), 7, entry_at(3));
    bool kept = false;
    assert_int_equal(tabia_table_resize(t, 1 << 15, &kept, NULL), 0);
    assert_true(kept);
    assert_false(tabia_entry_probe(t, key_at(1), 7).move_ok);
    assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key_at(2), 7)), 1);
    assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key_at(3), 7)), 0);
    TabiaInfo info;
    tabia_table_info(t, &info);
    assert_int_equal(info.generation, 2);
    assert_int_equal(info.bytes, 1 << 15);
    tabia_table_clear(t);
    assert_false(tabia_entry_probe(t, key_at(2), 7).move_ok);
    tabia_table_destroy(t);
}

static void options_are_the_same_afterwards(void **state) {
    const TabiaOptions all[] = {
        {.path_bits = TABIA_NO_PATH_BITS, .age_weight = TABIA_AGE_IGNORED},
        {.path_bits = 3,
         .exact_bonus = TABIA_NO_EXACT_BONUS,
         .keep_margin = 7,
         .refresh_on_hit = true,
         .age_weight = 254,
         .counters = true},
        {.type = TABIA_COUNTS, .counters = true, .signature_bits = 20},
        {.type = TABIA_RECORDS, .record_words = 7},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        TabiaOptions o = all[i];
        o.bytes = 1 << 14;
        TabiaTable *t = new_table(o);
        const TabiaTable before = *t;
        assert_int_equal(tabia_table_resize(t, 1 << 16, NULL, NULL), 0);
        o.bytes = 1 << 16;
        assert_int_equal(t->options.bytes, 1 << 16);
        assert_int_equal(t->path_mask, before.path_mask);
        assert_int_equal(t->signature_mask, before.signature_mask);
        assert_int_equal(t->age_weight, before.age_weight);
        assert_int_equal(t->exact_bonus, before.exact_bonus);
        assert_int_equal(t->keep_margin, before.keep_margin);
        assert_int_equal(t->slots, before.slots);
        assert_ptr_equal(t->counters, before.counters);
        tabia_table_destroy(t);
    }
}

/* Four deep old entries and four shallow new ones meet in one bucket. */
static void ages_weigh_as_the_table_was_asked(void **state) {
    for (unsigned ignored = 0; ignored < 2; ignored++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 128, .age_weight = ignored ? TABIA_AGE_IGNORED : 5});
        TabiaEntry e = {.move = 1, .draft = 20, .bound = TABIA_BOUND_UPPER};
        for (uint64_t i = 0; i < 4; i++) tabia_entry_store(t, (TabiaKey){0, (i + 1) << 40}, 0, e);
        for (unsigned i = 0; i < 3; i++) tabia_table_new_generation(t);
        e.draft = 10;
        for (uint64_t i = 4; i < 8; i++) tabia_entry_store(t, (TabiaKey){~(uint64_t)0, (i + 1) << 40}, 0, e);
        assert_int_equal(tabia_table_resize(t, 64, NULL, NULL), 0);
        for (uint64_t i = 0; i < 8; i++)
            assert_int_equal(tabia_entry_probe(t, (TabiaKey){0, (i + 1) << 40}, 0).move_ok, (i < 4) == ignored);
        tabia_table_destroy(t);
    }
}

static void without_memory_for_both_only_the_content_is_lost(void **state) {
    for (unsigned partitions = 1; partitions <= 4; partitions += 3) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 16, .partitions = partitions});
        TabiaTable *partition = tabia_table_partition(t, 2);
        tabia_entry_store(partition, key_at(1), 7, entry_at(1));
        bool kept = true;
        assert_int_equal(tabia_table_resize_within(t, 1 << 17, 1 << 17, &kept, NULL), 0);
        assert_false(kept);
        TabiaInfo info;
        tabia_table_info(t, &info);
        assert_int_equal(info.bytes, 1 << 17);
        assert_ptr_equal(tabia_table_partition(t, 2), partition);
        assert_false(tabia_entry_probe(partition, key_at(1), 7).move_ok);
        for (uint64_t i = 0; i < 100; i++) {
            store_at(partition, TABIA_ENTRIES, 1, i);
            assert_true(find_at(partition, TABIA_ENTRIES, 1, i));
        }
        tabia_table_destroy(t);
    }
}

static void shares_keep_their_own(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 3 << 14, .partitions = 3});
    TabiaTable *partition[3];
    for (unsigned s = 0; s < 3; s++) partition[s] = tabia_table_partition(t, s);
    tabia_table_clear(partition[1]); /* whose clock is then another */
    for (uint64_t i = 0; i < 3000; i++) store_at(partition[i % 3], TABIA_ENTRIES, 1, i);
    uint8_t *before[3];
    for (unsigned s = 0; s < 3; s++) before[s] = found_of(partition[s], TABIA_ENTRIES, 1, 3000);
    bool kept = false;
    assert_int_equal(tabia_table_resize_within(t, 6 << 14, PLENTY, &kept, NULL), 0);
    assert_true(kept);
    for (unsigned s = 0; s < 3; s++) {
        assert_ptr_equal(tabia_table_partition(t, s), partition[s]);
        uint8_t *after = found_of(partition[s], TABIA_ENTRIES, 1, 3000);
        assert_memory_equal(before[s], after, 3000);
        free(before[s]);
        free(after);
    }
    tabia_table_destroy(t);
}

static void what_cannot_be_done_changes_nothing(void **state) {
    TabiaError error = {0};
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 14});
    tabia_entry_store(t, key_at(1), 7, entry_at(1));
    const char *base = t->base;
    assert_int_equal(tabia_table_resize(t, 63, NULL, &error), TABIA_ERROR_OPTION);
    assert_non_null(strstr(error.text, "bytes 63"));
    assert_int_equal(tabia_table_resize(t, (uint64_t)1 << 62, NULL, &error), TABIA_ERROR_MEMORY);
    assert_ptr_equal(t->base, base);
    assert_true(tabia_entry_probe(t, key_at(1), 7).score_ok);
    tabia_table_destroy(t);

    t = new_table((TabiaOptions){.bytes = 1 << 14, .partitions = 2});
    assert_int_equal(tabia_table_resize(tabia_table_partition(t, 1), 1 << 15, NULL, &error), TABIA_ERROR_OPTION);
    assert_non_null(strstr(error.text, "resize the whole"));
    tabia_table_destroy(t);

    t = new_table((TabiaOptions){.bytes = 1 << 14, .name = "tabia-test-resize"});
    assert_int_equal(tabia_table_resize(t, 1 << 15, NULL, &error), TABIA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "tabia-test-resize"));
    tabia_table_destroy(t);
}

#include "test_resize_list.h"
