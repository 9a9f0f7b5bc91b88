/* SPDX-License-Identifier: MIT */
/* Several files read as one: what progress is a share of, what cannot be read twice, and what tools do with damaged input. */
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

#include "test_data_source_list.h"

int main(void) {
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
