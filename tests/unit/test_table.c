/* SPDX-License-Identifier: MIT */
/* Making and giving back tables of every kind; what is refused; partitions. */
#include "table_tools.h"

#include "base/memory_limit.h"
#include "base/threads.h"
#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"
#include "table/resize.h"

static const uint64_t MIB = 1 << 20;

static TabiaInfo info_of(const TabiaTable *t) {
    TabiaInfo info;
    tabia_table_info(t, &info);
    return info;
}

/* ---- what is refused ---- */

static void bad_values_are_named(void **state) {
    static const struct {
        TabiaOptions o;
        int code;
        const char *says;
    } cases[] = {
        {{.bytes = 63}, TABIA_ERROR_OPTION, "at least 64"},
        {{.bytes = 4096, .partitions = 65}, TABIA_ERROR_OPTION, "each of 65 partitions"},
        {{.type = (TabiaRecordType)3}, TABIA_ERROR_OPTION, "type 3"},
        {{.type = TABIA_RECORDS, .record_words = 8}, TABIA_ERROR_OPTION, "record_words 8"},
        {{.path_bits = 33}, TABIA_ERROR_OPTION, "path_bits 33"},
        {{.signature_bits = 7}, TABIA_ERROR_OPTION, "signature_bits 7"},
        {{.path_bits = 32, .user_bits = 9, .move_bits = 32}, TABIA_ERROR_OPTION, "leave 7 bits of 64 to the signature"},
        {{.threads = 4097}, TABIA_ERROR_OPTION, "threads 4097: at most 4096"},
        {{.signature_bits = 49}, TABIA_ERROR_OPTION, "8 to 48"},
        {{.age_weight = 256}, TABIA_ERROR_OPTION, "age_weight 256"},
        {{.exact_bonus = 256}, TABIA_ERROR_OPTION, "exact_bonus 256: 1 to 254, or"},
        {{.keep_margin = 256}, TABIA_ERROR_OPTION, "keep_margin 256: 1 to 254, or"},
        {{.move_bits = 15}, TABIA_ERROR_OPTION, "move_bits 15: 16 to 32"},
        {{.move_bits = 33}, TABIA_ERROR_OPTION, "move_bits 33: 16 to 32"},
        {{.user_bits = 17}, TABIA_ERROR_OPTION, "user_bits 17: at most 16"},
        {{.move_bits = 32, .signature_bits = 33}, TABIA_ERROR_OPTION, "signature_bits 33: 8 to 32 beside"},
        {{.replacement = (TabiaReplacement)2},
         TABIA_ERROR_OPTION,
         "replacement 2 (larger-stays): there are always and"},
        {{.type = TABIA_COUNTS, .replacement = (TabiaReplacement)4}, TABIA_ERROR_OPTION, "replacement 4 (two-tier)"},
        {{.replacement = (TabiaReplacement)5}, TABIA_ERROR_OPTION, "replacement 5 (unknown)"},
        {{.pages = (TabiaPages)2}, TABIA_ERROR_OPTION, "pages 2"},
        {{.touch = (TabiaTouch)2}, TABIA_ERROR_OPTION, "touch 2"},
        {{.name = ""}, TABIA_ERROR_OPTION, "name ''"},
        {{.name = "a/b"}, TABIA_ERROR_OPTION, "name 'a/b'"},
        {{.name = ".a"}, TABIA_ERROR_OPTION, "name '.a'"},
        {{.name = "a", .partitions = 2}, TABIA_ERROR_OPTION, "a table with partitions can have none"},
        {{.bytes = UINT64_MAX}, TABIA_ERROR_MEMORY, "memory"},
        {{.bytes = (uint64_t)1 << 60, .touch = TABIA_TOUCH_LATER}, TABIA_ERROR_MEMORY, "memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TabiaTable *t = (TabiaTable *)&t;
        TabiaError error = {0};
        const int code = tabia_table_create(&t, &cases[i].o, &error);
        if (code != cases[i].code) fail_msg("case %zu (%s): code %d: %s", i, cases[i].says, code, error.text);
        if (!strstr(error.text, cases[i].says)) fail_msg("'%s' says nothing of '%s'", error.text, cases[i].says);
        assert_null(strchr(error.text, '\n'));
        assert_null(t);
        assert_int_equal(tabia_table_create(&t, &cases[i].o, NULL), cases[i].code);
    }
}

/* The new table may be as large as what is free and what the old one gives back. Nothing here is touched. */
static void resizing_counts_what_comes_back(void **state) {
    const MemoryLimit limit = tabia_memory_limit("");
    if (limit.bytes > (uint64_t)1 << 50) skip();
    for (unsigned partitions = 1; partitions <= 4; partitions += 3) {
        TabiaOptions o = {.bytes = limit.bytes / 2, .partitions = partitions, .touch = TABIA_TOUCH_LATER};
        TabiaTable *t = new_table(o);
        bool kept = true;
        TabiaError error = {0};
        const int code = tabia_table_resize_within(t, limit.bytes / 4 * 5, 0, &kept, &error);
        if (code && strstr(error.text, "cannot get")) skip(); /* a system that promises no more than it has */
        if (code) fail_msg("%s", error.text);
        assert_false(kept);
        assert_int_equal(tabia_table_resize_within(t, limit.bytes * 3, 0, &kept, &error), TABIA_ERROR_MEMORY);
        assert_true(info_of(t).bytes <= limit.bytes / 4 * 5);
        tabia_table_destroy(t);
    }
}

/* A table, or a change of size, that is refused: the line names the size that was asked for, not that of a partition, and not
   what it lacks. */
static void a_refusal_names_the_size_asked_for(void **state) {
    const uint64_t asked = (uint64_t)1 << 50;
    if (tabia_memory_limit("").bytes > asked) skip();
    for (unsigned partitions = 1; partitions <= 3; partitions += 2) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 3 * MIB, .partitions = partitions}), *none;
        TabiaError line[3] = {0};
        const TabiaOptions o = {.bytes = asked, .partitions = partitions};
        tabia_table_create(&none, &o, &line[0]);
        tabia_table_resize(t, asked, NULL, &line[1]);
        tabia_table_resize_within(t, asked, UINT64_MAX, NULL, &line[2]);
        for (unsigned i = 0; i < 3; i++)
            if (!strstr(line[i].text, "1073741824.0 MiB"))
                fail_msg("'%s' does not name 1073741824.0 MiB", line[i].text);
        tabia_table_destroy(t);
    }
}

/* ---- what is obtained ---- */

static void zeros_are_a_good_table(void **state) {
    TabiaTable *t;
    assert_int_equal(tabia_table_create(&t, NULL, NULL), 0);
    const TabiaInfo info = info_of(t);
    assert_int_equal(info.type, TABIA_ENTRIES);
    assert_int_equal(info.bytes, 16 * MIB);
    assert_int_equal(info.buckets, MIB / 4);
    assert_int_equal(info.slots, MIB);
    assert_int_equal(info.partitions, 1);
    assert_int_equal(info.path_bits, 16);
    assert_int_equal(info.signature_bits, 48);
    assert_int_equal(info.generation, 0);
    assert_false(info.joined);
    tabia_table_destroy(t);
    tabia_table_destroy(NULL);
}

/* Sizes that are no power of two, no multiple of anything, and less than a page. */
static void any_size_is_used_to_the_last_bucket(void **state) {
    static const uint64_t sizes[] = {64, 100, 4096, 5000, 3000001, (32 << 20) + 63};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = sizes[i]});
        assert_int_equal(info_of(t).bytes, sizes[i] / 64 * 64);
        const TabiaKey last = {UINT64_MAX, 0x123456789abcdef0}, first = {0, 0x123456789abcdef0};
        tabia_entry_store(t, last, 0, (TabiaEntry){.move = 1});
        tabia_entry_store(t, first, 0, (TabiaEntry){.move = 1});
        assert_true(tabia_entry_probe(t, last, 0).move_ok);
        assert_true(tabia_entry_probe(t, first, 0).move_ok);
        tabia_table_destroy(t);
    }
}

static void pages_are_as_wished(void **state) {
    const uint64_t small = (uint64_t)sysconf(_SC_PAGESIZE);
    for (unsigned partitions = 1; partitions <= 3; partitions += 2) {
        TabiaOptions o = {.bytes = 96 * MIB, .pages = TABIA_PAGES_SMALL, .partitions = partitions};
        TabiaTable *t = new_table(o);
        assert_int_equal(info_of(t).page_bytes, small);
        tabia_table_destroy(t);
        o.pages = TABIA_PAGES_LARGEST;
        t = new_table(o);
        const uint64_t page = info_of(t).page_bytes;
        assert_true(page == small || page == 2 * MIB || page == 1024 * MIB);
        assert_int_equal(info_of(tabia_table_partition(t, 1)).page_bytes, page);
        tabia_table_destroy(t);
    }
}

/* Provided at once: nothing is left to be provided; later: nothing is there yet. */
static uint64_t resident(void) {
    unsigned long all = 0, here = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%lu %lu", &all, &here), 2);
    fclose(statm);
    return here * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void memory_is_there_at_once_or_later(void **state) {
    for (unsigned partitions = 1; partitions <= 5; partitions += 4)
        for (unsigned threads = 1; threads <= 9; threads += 4) {
            TabiaOptions o = {.bytes = 200 * MIB,
                              .partitions = partitions,
                              .threads = threads,
                              .pages = TABIA_PAGES_SMALL}; /* reserved ones are counted elsewhere */
            const uint64_t before = resident();
            TabiaTable *t = new_table(o);
            assert_true(resident() >= before + 199 * MIB);
            tabia_table_destroy(t);
            o.touch = TABIA_TOUCH_LATER;
            t = new_table(o);
            assert_true(resident() <= before + 20 * MIB);
            tabia_table_destroy(t);
        }
}

static void many_come_and_go(void **state) {
    for (unsigned i = 0; i < 300; i++) {
        const TabiaOptions o = {
            .bytes = 100000 + i * 4096, .type = (TabiaRecordType)(i % 3), .partitions = 1 + i % 7, .counters = i % 2};
        TabiaTable *t = new_table(o);
        assert_true(info_of(t).bytes <= o.bytes);
        assert_true(info_of(t).bytes + 64 * (o.partitions + 1) > o.bytes);
        tabia_table_destroy(t);
    }
}

/* ---- several, and their partitions ---- */

static void put(TabiaTable *t, unsigned type, TabiaKey key, uint64_t value) {
    const uint64_t words[3] = {value, 1, 2};
    if (type == TABIA_ENTRIES) tabia_entry_store(t, key, 0, (TabiaEntry){.move = (uint16_t)value});
    if (type == TABIA_COUNTS) tabia_counts_store(t, key, 4, value);
    if (type == TABIA_RECORDS) tabia_record_store(t, key, words);
}

/* The value, 0 if there is none. */
static uint64_t get(const TabiaTable *t, unsigned type, TabiaKey key) {
    uint64_t words[3] = {0};
    if (type == TABIA_ENTRIES) return tabia_entry_probe(t, key, 0).entry.move;
    if (type == TABIA_COUNTS) return tabia_counts_probe(t, key, 4);
    return tabia_record_probe(t, key, words) ? words[0] : 0;
}

/* Every key in one partition only; in all of them other values; filled to the brim none writes into its neighbour. */
static void shares_know_nothing_of_each_other(void **state) {
    enum { PARTITIONS = 5, KEYS = 3000 };
    for (unsigned type = 0; type < 3; type++) {
        TabiaTable *t =
            new_table((TabiaOptions){.bytes = 100000, .type = (TabiaRecordType)type, .partitions = PARTITIONS});
        assert_int_equal(info_of(t).partitions, PARTITIONS);
        assert_ptr_equal(tabia_table_partition(t, 1), tabia_table_partition(t, 1 + PARTITIONS));
        for (unsigned s = 0; s < PARTITIONS; s++) {
            uint64_t seed = 77 + s;
            assert_int_equal(tabia_table_hashfull(tabia_table_partition(t, s)), 0);
            for (unsigned n = 0; n < KEYS; n++) put(tabia_table_partition(t, s), type, random_key(&seed), 1 + s);
        }
        for (unsigned s = 0; s < PARTITIONS; s++) {
            uint64_t seed = 77 + s;
            unsigned found = 0;
            for (unsigned n = 0; n < KEYS; n++) {
                const TabiaKey key = random_key(&seed);
                found += get(tabia_table_partition(t, s), type, key) == 1 + s;
                for (unsigned o = 0; o < PARTITIONS; o++)
                    if (o != s) assert_int_equal(get(tabia_table_partition(t, o), type, key), 0);
            }
            assert_true(found > 300);
        }
        tabia_table_destroy(t);
    }
}

enum { GENERATIONS_BEGUN = 2000000 };

static void begin_generations(void *table, unsigned worker) {
    (void)worker;
    for (unsigned i = 0; i < GENERATIONS_BEGUN; i++) tabia_table_new_generation(table);
}

static void generations_that_begin_at_once_all_count(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = MIB});
    assert_true(tabia_threads_run(2, begin_generations, t, NULL));
    assert_int_equal(info_of(t).generation, 2 * GENERATIONS_BEGUN);
    tabia_table_destroy(t);
}

/* What is done to the whole is done to the partitions; what is done to a partition stays there. */
static void time_passes_in_all_shares(void **state) {
    for (int strict = 0; strict < 2; strict++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = MIB, .partitions = 3, .strict_generations = strict});
        TabiaTable *partition[3] = {tabia_table_partition(t, 0), tabia_table_partition(t, 1),
                                    tabia_table_partition(t, 2)};
        const TabiaKey key = {1, 2};
        for (unsigned s = 0; s < 3; s++) put(partition[s], TABIA_ENTRIES, key, 9);
        tabia_table_new_generation(partition[1]);
        assert_int_equal(get(partition[0], TABIA_ENTRIES, key), 9);
        assert_int_equal(get(partition[1], TABIA_ENTRIES, key), strict ? 0 : 9);
        tabia_table_new_generation(t);
        assert_int_equal(get(partition[0], TABIA_ENTRIES, key), strict ? 0 : 9);
        assert_int_equal(info_of(partition[0]).generation, 1);
        assert_int_equal(info_of(partition[1]).generation, 2);
        assert_int_equal(info_of(t).generation, 1);
        for (unsigned s = 0; s < 3; s++) put(partition[s], TABIA_ENTRIES, key, 9);
        tabia_table_clear(partition[2]);
        assert_int_equal(get(partition[2], TABIA_ENTRIES, key), 0);
        assert_int_equal(get(partition[0], TABIA_ENTRIES, key), 9);
        tabia_table_clear(t);
        for (unsigned s = 0; s < 3; s++) assert_int_equal(get(partition[s], TABIA_ENTRIES, key), 0);
        for (unsigned s = 0; s < 3; s++) put(partition[s], TABIA_ENTRIES, key, 9);
        tabia_table_wipe(t);
        for (unsigned s = 0; s < 3; s++) assert_int_equal(get(partition[s], TABIA_ENTRIES, key), 0);
        assert_int_equal(info_of(partition[2]).generation, 0);
        tabia_table_destroy(t);
    }
}

static void counters_and_hashfull_are_of_the_whole(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 3 * 64, .partitions = 3, .counters = true});
    TabiaCounters c;
    uint64_t seed = 1;
    for (unsigned i = 0; i < 4; i++) put(tabia_table_partition(t, 0), TABIA_ENTRIES, random_key(&seed), 1);
    assert_int_equal(tabia_table_hashfull(tabia_table_partition(t, 0)), 1000);
    assert_int_equal(tabia_table_hashfull(tabia_table_partition(t, 1)), 0);
    assert_int_equal(tabia_table_hashfull(t), 333);
    put(tabia_table_partition(t, 2), TABIA_ENTRIES, random_key(&seed), 1);
    get(tabia_table_partition(t, 1), TABIA_ENTRIES, random_key(&seed));
    tabia_table_counters(t, &c);
    assert_int_equal(c.stores, 5);
    assert_int_equal(c.filled, 5);
    assert_int_equal(c.probes, 1);
    assert_int_equal(c.hits, 0);
    tabia_table_destroy(t);
}

static void the_version_is_one(void **state) {
    TabiaError error;
    char numbers[50];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", TABIA_VERSION_MAJOR, TABIA_VERSION_MINOR, TABIA_VERSION_PATCH);
    assert_string_equal(numbers, tabia_version());
    assert_int_equal(tabia_version_check(TABIA_VERSION_NUMBER, NULL), 0);
    const unsigned others[] = {TABIA_VERSION_NUMBER + 1, TABIA_VERSION_NUMBER + 100, TABIA_VERSION_NUMBER + 10000, 0};
    for (unsigned i = 0; i < 4; i++) assert_int_equal(tabia_version_check(others[i], &error), TABIA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "0.0.0"));
    assert_non_null(strstr(error.text, numbers));
    assert_int_equal(tabia_version_check(98 * 10000 + 76 * 100 + 54, &error), TABIA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "compiled for libtabia 98.76.54, "));
}

/* ---- NULL for a table ---- */

/* Every call with NULL for the table: a miss, nothing stored, 0, or one line that says so. */

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
    tabia_entry_probe_batch(NULL, NULL, NULL, NULL, 0);
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
    assert_int_equal(tabia_table_save((TabiaTable *)&error, NULL, NULL, NULL), TABIA_ERROR_OPTION);
    assert_int_equal(tabia_table_load(NULL, "/dev/null", NULL, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "no table to load into: NULL was given");
    assert_int_equal(tabia_table_resize(NULL, 1 << 20, NULL, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "no table to resize: NULL was given");
    assert_int_equal(tabia_table_resize(NULL, 1 << 20, NULL, NULL), TABIA_ERROR_OPTION);
}

#include "test_table_list.h"
