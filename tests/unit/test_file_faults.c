/* SPDX-License-Identifier: MIT */
/* Files that cannot be loaded or written: each with its line, and nothing is changed. */
#include "file_tools.h"

#include <sys/stat.h>

#include "base/checksum.h"
#include "table/file_format.h"
#include "table/table_internal.h"

static TabiaTable *with_entries(TabiaOptions o, uint64_t n) {
    TabiaTable *t = new_table(o);
    for (uint64_t i = 0; i < n; i++) store_at(t, TABIA_ENTRIES, 1, i);
    return t;
}

/* Refused with that code and a line that holds these words, the table as it was. */
static void refused(TabiaTable *t, const char *name, int code, const char *words) {
    const size_t bytes = table_bytes(t);
    char *before = malloc(bytes);
    memcpy(before, t->base, bytes);
    const uint64_t generation = generation_now(t);
    TabiaError error = {0};
    const int got = tabia_table_load(t, in_folder(name), NULL, &error);
    if (got != code || !strstr(error.text, words)) fail_msg("%d: %s, not %d: ...%s...", got, error.text, code, words);
    assert_non_null(strstr(error.text, folder));
    assert_null(strchr(error.text, '\n'));
    assert_memory_equal(before, t->base, bytes);
    assert_int_equal(generation_now(t), generation);
    free(before);
}

static void each_kind_of_foreign_file_has_its_line(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 14}, 100);
    const struct {
        TabiaOptions options;
        const char *words;
    } other[] = {
        {{.type = TABIA_COUNTS}, "holds counts, this table entries"},
        {{.type = TABIA_RECORDS, .record_words = 2}, "holds records, this table entries"},
        {{.path_bits = 8}, "saved with 8 path bits, this table has 16"},
        {{.path_bits = TABIA_NO_PATH_BITS}, "saved with 0 path bits, this table has 16"},
        {{.signature_bits = 30}, "saved with 30 signature bits, this table has 48"},
        {{.identity = 0xabcd}, "has the identity 0x000000000000abcd, this table 0x0000000000000000"},
    };
    for (unsigned i = 0; i < sizeof other / sizeof other[0]; i++) {
        TabiaOptions o = other[i].options;
        o.bytes = 1 << 14;
        TabiaTable *u = new_table(o);
        save(u, "a");
        refused(t, "a", TABIA_ERROR_FOREIGN, other[i].words);
        tabia_table_destroy(u);
    }
    TabiaTable *two = new_table((TabiaOptions){.bytes = 1 << 14, .type = TABIA_RECORDS, .record_words = 2});
    TabiaTable *three = new_table((TabiaOptions){.bytes = 1 << 14, .type = TABIA_RECORDS});
    save(two, "a");
    refused(three, "a", TABIA_ERROR_FOREIGN, "saved with 2 words a slot, this table has 3");
    tabia_table_destroy(two);
    tabia_table_destroy(three);
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

static void what_is_no_table_file_is_distinguished(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 14}, 100);
    refused(t, "a", TABIA_ERROR_SYSTEM, "No such file");
    refused(t, "", TABIA_ERROR_SYSTEM, "is a directory, not a saved table");
    assert_int_equal(mkfifo(in_folder("a"), 0600), 0);
    refused(t, "a", TABIA_ERROR_SYSTEM, "a pipe");
    unlink(in_folder("a"));
    write_whole("a", "", 0);
    refused(t, "a", TABIA_ERROR_FOREIGN, "is empty, not a saved table");
    write_whole("a", "Tea", 3);
    refused(t, "a", TABIA_ERROR_FOREIGN, "is not a saved table");
    write_whole("a", "Tab", 3);
    refused(t, "a", TABIA_ERROR_DAMAGED, "ends after 3 bytes");
    save(t, "a");
    size_t bytes;
    uint8_t *data = read_whole("a", &bytes);
    FileHeader *h = (FileHeader *)data;
    h->version = 2;
    write_whole("a", data, bytes);
    refused(t, "a", TABIA_ERROR_FOREIGN, "version 2; this library reads version 1");
    h->order = __builtin_bswap32(h->order);
    write_whole("a", data, bytes);
    refused(t, "a", TABIA_ERROR_FOREIGN, "other byte order");
    memset(data, 'x', bytes);
    write_whole("a", data, bytes);
    refused(t, "a", TABIA_ERROR_FOREIGN, "is not a saved table");
    free(data);
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

/* Every byte that can be wrong, every length that can be too short. */
static void every_damage_is_found(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 11}, 40);
    save(t, "a");
    size_t bytes;
    uint8_t *data = read_whole("a", &bytes);
    for (size_t i = 0; i < bytes; i++) {
        data[i] ^= (uint8_t)(1 << i % 8);
        write_whole("a", data, bytes);
        TabiaError error;
        const int code = tabia_table_load(t, in_folder("a"), NULL, &error);
        assert_true(code == TABIA_ERROR_DAMAGED || (i < 16 && code == TABIA_ERROR_FOREIGN));
        data[i] ^= (uint8_t)(1 << i % 8);
        write_whole("a", data, i);
        assert_int_equal(tabia_table_load(t, in_folder("a"), NULL, NULL),
                         i ? TABIA_ERROR_DAMAGED : TABIA_ERROR_FOREIGN);
    }
    data[bytes] = 0;
    write_whole("a", data, bytes + 1);
    refused(t, "a", TABIA_ERROR_DAMAGED, "bytes, but was saved with");
    data[bytes - 1] ^= 4;
    write_whole("a", data, bytes);
    refused(t, "a", TABIA_ERROR_DAMAGED, "block 0 at byte 120 does not match its checksum");
    write_whole("a", data, bytes - 1);
    refused(t, "a", TABIA_ERROR_DAMAGED, "it is cut off");
    free(data);
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

/* Of a file of one block. */
static void renew_checksums(uint8_t *data, size_t bytes) {
    FileHeader *h = (FileHeader *)data;
    BlockHeader *block = (BlockHeader *)(h + 1);
    block->checksum = tabia_checksum(&block->number, bytes - sizeof *h - sizeof block->checksum);
    h->content = tabia_checksum(&block->checksum, sizeof block->checksum);
    h->checksum = tabia_file_header_checksum(h);
}

/* Wrong numbers whose checksums are right: of slots in the file, in a block, and in its buckets. */
static void numbers_of_slots_must_agree(void **state) {
    static const char *const lines[] = {"were not saved together",
                                        "more slots than its buckets can hold",
                                        "slots do not add up",
                                        "slots do not add up",
                                        "of 0 slots",
                                        "of 5 slots"};
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 11}, 40);
    save(t, "a");
    for (int wrong = 0; wrong < 6; wrong++) {
        size_t bytes;
        uint8_t *data = read_whole("a", &bytes);
        FileHeader *h = (FileHeader *)data;
        BlockHeader *block = (BlockHeader *)(h + 1);
        uint8_t *counts = (uint8_t *)(block + 1);
        if (wrong == 0) h->used++;
        if (wrong == 1) block->used = h->used = h->buckets * h->ways + 1;
        if (wrong == 2) counts[0] ^= 1;
        if (wrong >= 4) h->ways = wrong == 4 ? 0 : 5;
        for (unsigned i = 1; wrong == 3 && counts[0] <= h->ways; i += !counts[i])
            if (counts[i]) counts[i]--, counts[0]++;
        renew_checksums(data, bytes);
        write_whole("b", data, bytes);
        refused(t, "b", TABIA_ERROR_DAMAGED, lines[wrong]);
        free(data);
    }
    unlink(in_folder("a")), unlink(in_folder("b"));
    tabia_table_destroy(t);
}

/* Each block is whole, but not of this file. */
static void blocks_of_two_files_do_not_mix(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 5000 * 64}, 4000);
    save(t, "a");
    size_t bytes;
    uint8_t *one = read_whole("a", &bytes);
    const TabiaHit hit = tabia_entry_probe(t, key_at(9), 9 * 7); /* a deeper one at the same place */
    TabiaEntry deeper = hit.entry;
    deeper.draft++;
    tabia_entry_store(t, key_at(9), 9 * 7, deeper);
    save(t, "a");
    uint8_t *two = read_whole("a", &bytes);
    assert_int_not_equal(memcmp(one + sizeof(FileHeader), two + sizeof(FileHeader), bytes - sizeof(FileHeader)), 0);
    memcpy(one + sizeof(FileHeader), two + sizeof(FileHeader), bytes - sizeof(FileHeader));
    write_whole("a", one, bytes);
    refused(t, "a", TABIA_ERROR_DAMAGED, "were not saved together");
    free(one);
    free(two);
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

/* ---- writing ---- */

static void what_cannot_be_written_is_reported(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 12}, 30);
    TabiaError error = {0};
    assert_int_equal(tabia_table_save(t, in_folder("none/a"), NULL, &error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(tabia_table_save(t, folder, NULL, &error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "is a directory"));
    assert_int_equal(tabia_table_save(t, "/dev/null", NULL, &error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "not a saved table"));
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(symlink("b", in_folder("a")), 0);
    write_whole("b", "TabiaTTx", 8);
    assert_int_equal(tabia_table_save(t, in_folder("a"), NULL, &error), TABIA_ERROR_FOREIGN);
    write_whole("b", "", 0);
    save(t, "a"); /* to where the link leads */
    load(t, "b");
    struct stat about;
    lstat(in_folder("a"), &about);
    assert_true(S_ISLNK(about.st_mode));
    unlink(in_folder("a"));
    unlink(in_folder("b"));
    tabia_table_destroy(t);
}

/* ---- the watch ---- */

typedef struct {
    unsigned asked, stop_at;
    uint64_t done, all;
    void (*then)(void);
} Watching;

static bool watching(void *context, uint64_t done, uint64_t all) {
    Watching *w = context;
    assert_true(done >= w->done && done <= all);
    w->done = done, w->all = all;
    const bool now = ++w->asked == w->stop_at;
    if (now && w->then) w->then();
    return now && !w->then;
}

/* The watch is asked at the beginning of each part; between these only after some time. */
static void whoever_watches_may_stop_it(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 16, .threads = 2}, 1000);
    Watching w = {0};
    const TabiaWatch watch = {watching, &w};
    TabiaError error = {0};
    assert_int_equal(tabia_table_save(t, in_folder("a"), &watch, &error), 0);
    assert_true(w.asked >= 2);
    assert_int_equal(w.done, w.all);
    w = (Watching){0};
    assert_int_equal(tabia_table_load(t, in_folder("a"), &watch, &error), 0);
    assert_true(w.asked >= 2);
    unlink(in_folder("a"));
    for (unsigned at = 1; at <= 2; at++) {
        w = (Watching){.stop_at = at};
        assert_int_equal(tabia_table_save(t, in_folder("a"), &watch, &error), TABIA_ERROR_STOPPED);
        assert_non_null(strstr(error.text, "stopped"));
        assert_int_equal(files_in_folder(), 0);
    }
    save(t, "a");
    for (unsigned at = 1; at <= 2; at++) {
        TabiaTable *u = new_table((TabiaOptions){.bytes = 1 << 16});
        w = (Watching){.stop_at = at};
        assert_int_equal(tabia_table_load(u, in_folder("a"), &watch, &error), TABIA_ERROR_STOPPED);
        for (uint64_t i = 0; i < 1000; i++) assert_false(find_at(u, TABIA_ENTRIES, 1, i));
        tabia_table_destroy(u);
    }
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

/* Before the first page is touched, and when some time has passed. Nothing is left of the table. */
static void whoever_watches_may_stop_a_creation(void **state) {
    for (unsigned partitions = 1; partitions <= 2; partitions++) {
        Watching w = {.stop_at = 1};
        const TabiaWatch watch = {watching, &w};
        TabiaOptions options = {.bytes = 1 << 20, .partitions = partitions, .threads = 2, .watch = &watch};
        TabiaTable *t = (TabiaTable *)state;
        TabiaError error = {0};
        assert_int_equal(tabia_table_create(&t, &options, &error), TABIA_ERROR_STOPPED);
        assert_int_equal(error.code, TABIA_ERROR_STOPPED);
        assert_non_null(strstr(error.text, "stopped"));
        assert_null(t);
        assert_int_equal(w.asked, 1);
        assert_int_equal(w.all, 1 << 20);
        w = (Watching){0};
        assert_int_equal(tabia_table_create(&t, &options, &error), 0);
        assert_true(w.asked >= 1);
        const unsigned asked = w.asked; /* the table does not keep the watch */
        w.stop_at = asked + 1;
        assert_int_equal(tabia_table_resize(t, 1 << 21, NULL, &error), 0);
        assert_int_equal(w.asked, asked);
        tabia_table_destroy(t);
        options.touch = TABIA_TOUCH_LATER;
        assert_int_equal(tabia_table_create(&t, &options, &error), 0);
        assert_int_equal(w.asked, asked);
        tabia_table_destroy(t);
    }
}

static void cut_file(void) {
    assert_int_equal(truncate(in_folder("a"), 2000), 0);
}

static void change_file(void) {
    FILE *file = fopen(in_folder("a"), "r+b");
    fseek(file, 5000, SEEK_SET);
    assert_int_equal(fwrite("12345678", 1, 8, file), 8);
    fclose(file);
}

/* Between the first pass and the second, while the watch is asked: no signal, and nothing damaged gets in. */
static void a_file_may_change_meanwhile(void **state) {
    TabiaTable *t = with_entries((TabiaOptions){.bytes = 1 << 16}, 1000);
    void (*const doing[])(void) = {cut_file, change_file};
    for (unsigned at = 1; at <= 2; at++)
        for (unsigned i = 0; i < 2; i++) {
            save(t, "a");
            Watching w = {.stop_at = at, .then = doing[i]};
            const TabiaWatch watch = {watching, &w};
            TabiaError error = {0};
            TabiaTable *u = new_table((TabiaOptions){.bytes = 1 << 16});
            assert_int_equal(tabia_table_load(u, in_folder("a"), &watch, &error), TABIA_ERROR_DAMAGED);
            assert_non_null(strstr(error.text, i ? "does not match its checksum" : "shorter while it was read"));
            for (uint64_t k = 0; k < 1000; k++) assert_false(find_at(u, TABIA_ENTRIES, 1, k));
            tabia_table_destroy(u);
        }
    unlink(in_folder("a"));
    tabia_table_destroy(t);
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_file_faults_list.h"
