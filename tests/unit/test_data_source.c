/* SPDX-License-Identifier: MIT */
/* Several files read as one: what progress is a share of, what cannot be read twice, and what tools do with damaged input; and
   records by their numbers. */
#include "data/cursor.h"
#include "data/source.h"
#include "data/transfer.h"
#include "data/writer.h"
#include "folder.h"
#include "helpers/random_games.h"

#include <sys/stat.h>

static void note_total(void *context, const DataProgress *progress) {
    *(uint64_t *)context = progress->total;
}

/* Returns the size of the file. */
static uint64_t write_file(const char *name, const DataFormat *format, unsigned games) {
    static DataRecord game[RANDOM_GAME_MAX];
    TabiaError error;
    uint64_t seed = 3;
    struct stat status;
    DataWriter *w = data_writer_create_atomic(name, format, false, &error);
    if (!w) fail_msg("%s", error.text);
    for (unsigned i = 0; i < games; i++) {
        const unsigned plies = random_game(&seed, false, 100, game);
        for (unsigned k = 0; k < plies; k++) assert_true(data_write(w, &game[k], &error));
    }
    assert_true(data_writer_close(w, 0, NULL, &error));
    assert_int_equal(stat(name, &status), 0);
    return (uint64_t)status.st_size;
}

/* The bytes of all files; of what is no regular file they are not known, and a missing one has none. */
static void total_is_of_all_files(void **state) {
    TabiaError error;
    DataRecord r;
    const char *a = in_folder("a.bin"), *b = in_folder("b.viri");
    const uint64_t expected = write_file(a, &data_format_bin, 80) + write_file(b, &data_format_viri, 80);
    uint64_t total = 0;
    const char *const paths[] = {a, b};
    DataSource s = {.paths = paths, .path_count = 2, .on_progress = note_total, .context = &total};
    while (data_source_next(&s, &r, &error)) assert_int_equal(s.position.total, expected);
    data_source_close(&s);
    assert_int_equal(total, expected);
    const char *device = "/dev/null";
    s = (DataSource){.paths = &device, .path_count = 1};
    assert_false(data_source_next(&s, &r, &error));
    assert_int_equal(s.position.total, 0);
    data_source_close(&s);
    const char *const missing = "/dev/null/none";
    s = (DataSource){.paths = &missing, .path_count = 1};
    assert_false(data_source_next(&s, &r, &error));
    assert_true(s.outcome == DATA_BAD_INPUT && s.position.total == 0);
    data_source_close(&s);
    unlink(a), unlink(b);
}

static void what_is_no_file_is_read_once(void **state) {
    TabiaError error;
    static const struct {
        const char *path, *name;
    } cases[] = {{"/dev/null", "/dev/null cannot be read a second time"}, {"-", "standard input cannot be read"}};
    for (unsigned i = 0; i < 2; i++) {
        DataSource s = {.paths = &cases[i].path, .path_count = 1};
        assert_false(data_source_rewind(&s, &error));
        assert_memory_equal(error.text, cases[i].name, strlen(cases[i].name));
    }
}

static void note_bytes(void *context, const DataProgress *progress) {
    *(uint64_t *)context = progress->bytes;
}

/* Transfers in.bin to out.bin. */
static uint64_t last_bytes; /* of its progress */
typedef DataOutcome Transfer(DataSource *s, DataWriter *w, TabiaError *error);
static DataOutcome transfer(Transfer *run, DataWriteStats *stats) {
    TabiaError error;
    const char *path = in_folder("in.bin"), *to = in_folder("out.bin");
    DataSource s = {.paths = &path, .path_count = 1, .on_progress = note_bytes, .context = &last_bytes};
    DataWriter *w = data_writer_create_atomic(to, &data_format_bin, false, &error);
    assert_non_null(w);
    const DataOutcome outcome = run(&s, w, &error);
    data_source_close(&s);
    assert_true(data_writer_close(w, 0, stats, &error));
    unlink(to);
    return outcome;
}

static DataOutcome shuffle(DataSource *s, DataWriter *w, TabiaError *error) {
    return data_shuffle(s, w, &(DataShuffleOptions){.seed = 1, .memory = 1 << 20, .temp_prefix = "/tmp/tabia-test-"},
                        error);
}

/* Its end is missing: what comes before is no result, and is not begun to be written. */
static void half_a_file_is_not_shuffled(void **state) {
    DataWriteStats stats;
    const char *path = in_folder("in.bin");
    const uint64_t bytes = write_file(path, &data_format_bin, 20);
    assert_int_equal(transfer(shuffle, &stats), DATA_DONE);
    assert_int_equal(stats.bytes, bytes);
    assert_int_equal(truncate(path, (off_t)bytes - 1), 0);
    assert_int_equal(transfer(shuffle, &stats), DATA_BAD_INPUT);
    assert_int_equal(stats.records, 0);
    assert_in_range(last_bytes, 1, bytes);
    unlink(path);
}

static DataOutcome dedupe(DataSource *s, DataWriter *w, TabiaError *error) {
    uint64_t duplicates;
    return data_dedupe(s, w, &(DataDedupeOptions){1 << 14}, &duplicates, error);
}

/* In several passes, which note the duplicates in a bit for each record: in the last ones of bytes of their own too. */
static void the_last_record_may_be_a_duplicate(void **state) {
    static DataRecord game[RANDOM_GAME_MAX];
    TabiaError error;
    DataWriteStats stats;
    uint64_t seed = 3;
    const char *path = in_folder("in.bin");
    const unsigned plies = random_game(&seed, false, 100, game);
    assert_true(plies > 50);
    for (unsigned bytes = 128; bytes <= 136; bytes++) { /* some of these fill what the system gives */
        DataWriter *w = data_writer_create_atomic(path, &data_format_bin, false, &error);
        for (unsigned n = 0; n < 8 * bytes + 7; n++) assert_true(data_write(w, &game[n % 50], &error));
        assert_true(data_writer_close(w, 0, NULL, &error));
        assert_int_equal(transfer(dedupe, &stats), DATA_DONE);
        assert_in_range(stats.records, 40, 50); /* a random game may repeat positions */
    }
    unlink(path);
}

/* ---- records by number ---- */

/* In any order they are the same as in order, where the file is entered in its middle too. */
enum { GAMES = 600, READS = 45 };

/* All records of the file, in order; the caller's. */
static DataRecord *read_all(const char *path, unsigned *count) {
    TabiaError error;
    DataRecord *all = NULL;
    DataReader *reader = data_reader_open(path, NULL, &error);
    assert_non_null(reader);
    for (unsigned room = 0;; ++*count) {
        if (*count == room) {
            room = room ? 2 * room : 4096;
            DataRecord *more = aligned_alloc(_Alignof(DataRecord), room * sizeof *more);
            assert_non_null(more);
            if (all) memcpy(more, all, *count * sizeof *all), free(all);
            all = more;
        }
        const DataReadStatus status = data_read(reader, &all[*count], &error);
        if (status == DATA_READ_END) break;
        assert_int_equal(status, DATA_READ_OK);
    }
    data_reader_close(reader);
    return all;
}

static void assert_same(const DataRecord *a, const DataRecord *b, uint64_t number) {
    if (!position_same(&a->position, &b->position) || !move_counters_same(&a->position, &b->position) ||
        a->move != b->move || a->score != b->score || a->result != b->result || a->ply != b->ply ||
        a->starts_game != b->starts_game)
        fail_msg("record %ju is another one out of order", (uintmax_t)number);
}

static void check(const char *path, const DataFormat *format) {
    unsigned count = 0;
    TabiaError error;
    DataRecord r;
    uint64_t seed = 11;
    write_file(path, format, GAMES);
    DataRecord *all = read_all(path, &count);
    DataCursor c = {.path = path};
    uint64_t n = 1;
    for (unsigned i = 0; i < READS; i++) {
        assert_int_equal(data_cursor_read(&c, n, &r, &error), DATA_READ_OK);
        assert_same(&r, &all[n - 1], n);
        /* The next one, one near it, or any. */
        n = i % 3 == 0 && n < count ? n + 1 : i % 3 == 1 && n > 9 ? n - 9 : 1 + random_below(&seed, count);
    }
    for (uint64_t beyond = count + 1ULL; beyond < INT64_MAX / 64; beyond *= 64) {
        assert_int_equal(data_cursor_read(&c, beyond, &r, &error), DATA_READ_END);
        assert_int_equal(data_reader_record_count(c.reader), count);
    }
    data_cursor_close(&c);
    free(all);
    unlink(path);
}

static void records_are_the_same_in_any_order(void **state) {
    char name[20];
    const DataFormat *const formats[] = {&data_format_bin, &data_format_marlin, &data_format_viri,
                                         &data_format_binpack};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        snprintf(name, sizeof name, "a.%s", formats[i]->name);
        check(in_folder(name), formats[i]);
    }
}

/* A bad record has a number too; what is truncated is an error under its own number. */
static void bad_records_are_reported(void **state) {
    const char *path = in_folder("bad");
    TabiaError error;
    DataRecord r;
    unsigned count = 0;
    write_file(path, &data_format_bin, GAMES);
    free(read_all(path, &count));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 40 * (30000 - 1), SEEK_SET), 0);
    for (unsigned i = 0; i < 40; i++) fputc(0xff, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, 40 * (off_t)count - 1), 0);
    DataCursor c = {.path = path, .format = &data_format_bin};
    assert_int_equal(data_cursor_read(&c, 30000, &r, &error), DATA_READ_BAD_RECORD);
    assert_non_null(strstr(error.text, "record 30000, byte 1199960: "));
    assert_int_equal(data_cursor_read(&c, 30001, &r, &error), DATA_READ_OK);
    assert_true(r.starts_game);
    assert_int_equal(data_cursor_read(&c, count, &r, &error), DATA_READ_ERROR);
    assert_non_null(strstr(error.text, "truncated: 39 of the 40 bytes"));
    assert_int_equal(data_cursor_read(&c, 29999, &r, &error), DATA_READ_OK);
    data_cursor_close(&c);
    unlink(path);
    c = (DataCursor){.path = "/nowhere/a.bin"};
    assert_int_equal(data_cursor_read(&c, 1, &r, &error), DATA_READ_ERROR);
    assert_non_null(strstr(error.text, "cannot be read"));
    data_cursor_close(&c);
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_data_source_list.h"
