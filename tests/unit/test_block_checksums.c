/* SPDX-License-Identifier: MIT */
/*
 * Growing files: truncated anywhere and resumed, they become the same bytes; damage is reported. Atomic files: they
 * appear when they are complete, or not at all.
 */
#include "base/checksum.h"
#include "data/input.h"
#include "data/recognize.h"
#include "data/writer.h"
#include "folder.h"
#include "helpers/random_games.h"

#include <inttypes.h>
#include <sys/stat.h>

enum { GAMES = 40, PLIES = 60 };
static DataRecord game[GAMES][RANDOM_GAME_MAX];
static unsigned plies[GAMES];

static int begin(void **state) {
    uint64_t seed = 11;
    for (int i = 0; i < GAMES; i++) plies[i] = random_game(&seed, i % 2, PLIES, game[i]);
    return make_folder(state);
}

static void remove_file(const char *name) {
    char sums[40];
    snprintf(sums, sizeof sums, "%s.sums", name);
    unlink(in_folder(name));
    unlink(in_folder(sums));
}

static size_t read_file(const char *name, uint8_t *out, size_t capacity) {
    FILE *file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    const size_t n = fread(out, 1, capacity, file);
    fclose(file);
    return n;
}

/* Writes the games from `from` to `to` - 1, a block for each third. */
static void write_games(DataWriter *w, unsigned from, unsigned to) {
    TabiaError error;
    for (unsigned i = from; i < to; i++) {
        for (unsigned k = 0; k < plies[i]; k++)
            if (!data_write(w, &game[i][k], &error)) fail_msg("%s", error.text);
        if (i % 3 == 2 && !data_writer_flush_block(w, i + 1, &error)) fail_msg("%s", error.text);
    }
}

static uint8_t expected[1 << 20], got[1 << 20];

static size_t write_expected(const DataFormat *format) {
    TabiaError error;
    DataWriteStats stats;
    DataWriter *w = data_writer_create_growing(in_folder("a"), format, &error);
    if (!w) fail_msg("%s", error.text);
    write_games(w, 0, GAMES);
    if (!data_writer_close(w, GAMES, &stats, &error)) fail_msg("%s", error.text);
    const size_t n = read_file("a", expected, sizeof expected);
    assert_int_equal(stats.bytes, n);
    assert_int_equal(stats.games, GAMES);
    return n;
}

static void killed_runs_resume(void **state) {
    uint64_t seed = 3;
    TabiaError error;
    for (unsigned f = 0; f < DATA_FORMATS_N; f++) {
        const DataFormat *format = data_format(f);
        if (!format->write || !(format->fields & DATA_GAME_STARTS)) continue;
        if (format == &data_format_bin || format == &data_format_binpack)
            continue; /* they reject some records of Chess960 */
        const size_t n = write_expected(format);
        for (unsigned round = 0; round < 20; round++) {
            remove_file("b");
            DataPrefix prefix = {0};
            DataWriter *w = data_writer_create_growing(in_folder("b"), format, &error);
            write_games(w, 0, random_below(&seed, GAMES));
            data_writer_abort(w);
            /* A kill in the middle of a block leaves some of its bytes, or half a line of its checksum. */
            struct stat status;
            assert_int_equal(stat(in_folder("b"), &status), 0);
            if (round % 3 == 0) {
                FILE *file = fopen(in_folder("b"), "ab");
                fwrite(expected + status.st_size, 1, random_below(&seed, (unsigned)(n - (size_t)status.st_size) + 1),
                       file);
                fclose(file);
            }
            if (round % 3 == 1)
                assert_int_equal(truncate(in_folder("b"), random_below(&seed, (unsigned)status.st_size + 1)), 0);
            if (round % 3 == 2) {
                assert_int_equal(stat(in_folder("b.sums"), &status), 0);
                assert_int_equal(
                    truncate(in_folder("b.sums"), status.st_size - (status.st_size > 30 ? random_below(&seed, 10) : 0)),
                    0);
            }
            w = data_writer_resume(in_folder("b"), format, 0, &prefix, &error);
            if (!w && round % 3 == 1 && prefix.damaged) /* no kill cuts off what the disk had */
                w = data_writer_resume(in_folder("b"), format, prefix.blocks + 1, &prefix, &error);
            if (!w) fail_msg("%s", error.text);
            assert_int_equal(prefix.resume_point % 3, 0);
            assert_int_equal(prefix.games, prefix.resume_point);
            write_games(w, (unsigned)prefix.resume_point, GAMES);
            DataWriteStats stats;
            assert_true(data_writer_close(w, GAMES, &stats, &error));
            assert_int_equal(stats.games, GAMES);
            assert_int_equal(read_file("b", got, sizeof got), n);
            assert_memory_equal(got, expected, n);
            TabiaError cause;
            assert_true(data_checksums_prefix(in_folder("b"), format, UINT64_MAX, &prefix, &cause, &error));
            assert_true(prefix.complete);
            assert_int_equal(prefix.games, GAMES);
        }
        remove_file("a");
        remove_file("b");
    }
}

static void damage_is_reported(void **state) {
    TabiaError error, cause;
    DataPrefix prefix;
    const size_t n = write_expected(&data_format_viri);
    FILE *file = fopen(in_folder("a"), "r+b");
    fseek(file, (long)n / 2, SEEK_SET);
    fputc(expected[n / 2] ^ 4, file);
    fclose(file);
    assert_true(data_checksums_prefix(in_folder("a"), &data_format_viri, UINT64_MAX, &prefix, &cause, &error));
    assert_false(prefix.complete);
    assert_true(prefix.bytes <= n / 2);
    assert_non_null(strstr(cause.text, "do not match their checksum"));
    assert_false(data_checksums_prefix(in_folder("a"), &data_format_bin, UINT64_MAX, &prefix, &cause, &error));
    assert_non_null(strstr(error.text, "tabia-sums 1 bin"));
    assert_null(data_writer_create_growing(in_folder("a"), &data_format_viri, &error));
    assert_non_null(strstr(error.text, "exists already"));
    DataWriter *w = data_writer_create_atomic(in_folder("a"), &data_format_viri, false, &error); /* other data */
    write_games(w, 0, 3);
    assert_true(data_writer_close(w, 0, NULL, &error));
    assert_int_equal(access(in_folder("a.sums"), F_OK), -1);
    assert_null(data_writer_resume(in_folder("a"), &data_format_viri, 0, &prefix, &error));
    assert_non_null(strstr(error.text, "valid prefix is unknown"));
    remove_file("a");
}

/* Writes the file again, but for a change at a place of it or of its checksums. */
static void write_changed(const char *name, const uint8_t *bytes, size_t n, size_t at, uint8_t change) {
    uint8_t *copy = malloc(n);
    memcpy(copy, bytes, n);
    copy[at] ^= change;
    write_whole(name, copy, n);
    free(copy);
}

/* Where a reader and a resume end: before the block that is damaged, which both name, and nothing is changed. */
static void expect_end(uint64_t records, const char *reason, const char *words) {
    TabiaError error;
    DataRecord r;
    DataPrefix prefix;
    size_t before, after;
    uint64_t read = 0;
    DataReadStatus status;
    DataReader *reader = data_reader_open(in_folder("a"), &data_format_viri, &error);
    while ((status = data_read(reader, &r, &error)) == DATA_READ_OK) read++;
    assert_int_equal(status, DATA_READ_ERROR);
    assert_int_equal(read, records);
    assert_true(data_reader_is_damaged(reader));
    assert_non_null(strstr(error.text, reason));
    data_reader_close(reader);
    free(read_whole("a", &before));
    DataWriter *w = data_writer_resume(in_folder("a"), &data_format_viri, 0, &prefix, &error);
    data_writer_abort(w);
    assert_int_equal(!w, words != NULL);
    if (words && (!strstr(error.text, reason) || !strstr(error.text, words))) fail_msg("%s", error.text);
    free(read_whole("a", &after));
    if (words) assert_int_equal(before, after);
}

/* Whatever is damaged, no byte of its block is used, and no block is written over. */
static void damaged_blocks_are_not_read(void **state) {
    TabiaError error;
    DataPrefix all, prefix;
    const size_t n = write_expected(&data_format_viri);
    size_t sums_n;
    uint8_t *sums = read_whole("a.sums", &sums_n);
    assert_true(data_checksums_prefix(in_folder("a"), &data_format_viri, UINT64_MAX, &all, &error, &error));
    assert_true(data_checksums_prefix(in_folder("a"), &data_format_viri, 2, &prefix, &error, &error));
    assert_int_equal(prefix.blocks, 2);
    const char *third = (const char *)sums + prefix.checksum_file_bytes;
    write_changed("a", expected, n, prefix.bytes, 4);
    expect_end(prefix.records, "block 3, byte", "--from-block 3 ");
    write_changed("a", expected, n, 0, 0);
    write_changed("a.sums", sums, sums_n, prefix.checksum_file_bytes, 1); /* a digit */
    expect_end(prefix.records, "block 3, byte", "--from-block 3 ");
    write_changed("a.sums", sums, sums_n, (size_t)(strchr(third, '\n') - (const char *)sums),
                  1); /* the end of a line */
    expect_end(prefix.records, "block 3, byte", "--from-block 3 ");
    write_changed("a.sums", sums, sums_n, sums_n - 3, 1); /* of the last line */
    expect_end(all.records - plies[GAMES - 1], "its line", "--restart");
    assert_null(data_writer_resume(in_folder("a"), &data_format_viri, all.blocks + 1, &all, &error));
    write_changed("a.sums", sums, sums_n, 0, 0);
    write_changed("a", expected, prefix.bytes, 0, 0);
    expect_end(prefix.records, "the file ends within it", "--from-block 3 ");
    write_whole("a.sums", sums, (size_t)(third - (const char *)sums) + 7); /* what a kill leaves */
    expect_end(prefix.records, "incomplete", NULL);
    write_whole("a.sums", sums, (size_t)(third - (const char *)sums));
    write_changed("a", expected, n, 0, 0);
    expect_end(prefix.records, "bytes after its last block", NULL);
    remove_file("a");
    free(sums);
}

/* Behind a jump, the block is verified that the record is in, and none before it. */
static void jumps_are_verified(void **state) {
    TabiaError error;
    DataRecord r;
    size_t n;
    DataWriter *w = data_writer_create_atomic(in_folder("a"), &data_format_marlin, true, &error);
    for (unsigned i = 0; i < 40 * GAMES; i++)
        for (unsigned k = 0; k < plies[i % GAMES]; k++) assert_true(data_write(w, &game[i % GAMES][k], &error));
    assert_true(data_writer_close(w, 0, NULL, &error));
    uint8_t *bytes = read_whole("a", &n);
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        write_changed("a", bytes, n, damaged ? n - 1 : DATA_WINDOW_BYTES / 2 * 3, 1);
        DataReader *reader = data_reader_open(in_folder("a"), &data_format_marlin, &error);
        const uint64_t last = n / data_format_marlin.record_bytes;
        const bool good = data_reader_skip_to(reader, last, &error) == DATA_READ_OK &&
                          data_read(reader, &r, &error) == DATA_READ_OK && data_reader_record_count(reader) == last;
        assert_int_equal(good, !damaged);
        data_reader_close(reader);
    }
    free(bytes);
    remove_file("a");
}

/* Checksums are of the file that is there, or are not there, and parts of writers that are gone go. */
static void what_is_replaced_leaves_nothing(void **state) {
    TabiaError error, cause;
    DataPrefix prefix;
    for (unsigned with_checksums = 0; with_checksums < 2; with_checksums++) {
        write_expected(&data_format_viri);
        write_whole("a.4711.part", "", 0);
        write_whole("a.sums.4711.part", "", 0);
        DataWriter *w = data_writer_create_atomic(in_folder("a"), &data_format_viri, true, &error);
        assert_int_equal(files_in_folder(), 4); /* two files, two parts */
        DataWriter *other = data_writer_create_atomic(in_folder("a"), &data_format_viri, false, &error);
        assert_null(other); /* one writer at a time */
        data_writer_abort(w);
        w = data_writer_create_atomic(in_folder("a"), &data_format_viri, with_checksums, &error);
        assert_true(data_write(w, &game[0][0], &error) && data_writer_close(w, 0, NULL, &error));
        assert_int_equal(files_in_folder(), 1 + with_checksums);
        assert_true(!with_checksums ||
                    (data_checksums_prefix(in_folder("a"), &data_format_viri, UINT64_MAX, &prefix, &cause, &error) &&
                     prefix.complete));
        if (with_checksums) /* of no file that grew */
            assert_null(data_writer_resume(in_folder("a"), &data_format_viri, 0, &prefix, &error));
        remove_file("a");
    }
}

/* Why a file is not valid whose one block is said to have so many bytes. */
static const char *reason_for_block_of(uint64_t bytes) {
    static TabiaError cause;
    TabiaError error;
    DataPrefix prefix;
    char line[100];
    const int n = snprintf(line, sizeof line, "%" PRIu64 " 1 1 1 %016x ", bytes, 0);
    FILE *file = fopen(in_folder("a.sums"), "wb");
    fprintf(file, "tabia-sums 1 bin\n%s%08" PRIx32 "\n", line, (uint32_t)tabia_checksum(line, (size_t)n));
    fclose(file);
    fclose(fopen(in_folder("a"), "wb"));
    assert_true(data_checksums_prefix(in_folder("a"), &data_format_bin, UINT64_MAX, &prefix, &cause, &error));
    remove_file("a");
    return cause.text;
}

/* A line whose checksum is right still says no size that no block has. */
static void blocks_have_from_a_byte_to_4_gib(void **state) {
    const uint64_t max = (uint64_t)1 << 32;
    assert_non_null(strstr(reason_for_block_of(0), "its line in the checksum file is damaged"));
    assert_non_null(strstr(reason_for_block_of(1), "the file ends within it"));
    assert_non_null(strstr(reason_for_block_of(max), "the file ends within it"));
    assert_non_null(strstr(reason_for_block_of(max + 1), "its line in the checksum file is damaged"));
}

static void atomic_files_appear_complete(void **state) {
    TabiaError error, cause;
    DataPrefix prefix;
    DataWriter *w = data_writer_create_atomic(in_folder("d"), &data_format_bin, true, &error);
    for (unsigned k = 0; k < plies[0]; k++) data_write(w, &game[0][k], &error);
    assert_int_equal(access(in_folder("d"), F_OK), -1);
    data_writer_abort(w);
    assert_int_equal(files_in_folder(), 0);
    w = data_writer_create_atomic(in_folder("d"), &data_format_bin, true, &error);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < plies[i]; k++) data_write(w, &game[i][k], &error);
    assert_true(data_writer_close(w, 0, NULL, &error));
    assert_int_equal(read_file("d", got, sizeof got), 40 * (plies[0] + plies[1]));
    assert_true(data_checksums_prefix(in_folder("d"), &data_format_bin, UINT64_MAX, &prefix, &cause, &error));
    assert_true(prefix.complete && prefix.blocks == 1); /* of 64 MiB */
    remove_file("d");
    assert_null(data_writer_create_atomic(folder, &data_format_bin, false,
                                          &error)); /* nothing but a regular file is replaced */
    assert_null(data_writer_create_growing(folder, &data_format_bin, &error));
    assert_non_null(strstr(error.text, "not a regular file"));
    assert_int_equal(files_in_folder(), 0);
}

/* A block of an atomic file ends with a game, and with the first game that reaches the size of a block. */
static void blocks_end_with_games(void **state) {
    TabiaError error, cause;
    DataPrefix prefix;
    DataWriteStats stats;
    uint64_t games = 0, bytes = 0;
    unsigned max = 0;
    for (unsigned i = 0; i < GAMES; i++)
        if (plies[i] > plies[max]) max = i;
    assert_true(plies[max] > 9);
    DataWriter *w = data_writer_create_atomic(in_folder("l"), &data_format_viri, true, &error);
    for (; bytes < 2 * DATA_BLOCK_TARGET_BYTES + 1000; bytes += 36 + 4 * plies[max], games++)
        for (unsigned k = 0; k < plies[max]; k++)
            if (!data_write(w, &game[max][k], &error)) fail_msg("%s", error.text);
    assert_true(data_writer_close(w, 7, &stats, &error));
    assert_int_equal(stats.games, games);
    assert_int_equal(stats.records, games * plies[max]);
    assert_true(data_checksums_prefix(in_folder("l"), &data_format_viri, UINT64_MAX, &prefix, &cause, &error));
    assert_true(prefix.complete && prefix.blocks == 3 && prefix.games == games && prefix.resume_point == 7);
    assert_int_equal(truncate(in_folder("l"), DATA_BLOCK_TARGET_BYTES + 5000), 0);
    assert_true(data_checksums_prefix(in_folder("l"), &data_format_viri, UINT64_MAX, &prefix, &cause, &error));
    assert_true(!prefix.complete && prefix.blocks == 1 && prefix.resume_point == 0);
    assert_in_range(prefix.bytes, DATA_BLOCK_TARGET_BYTES, DATA_BLOCK_TARGET_BYTES + 36 + 4 * plies[max]);
    remove_file("l");
    assert_int_equal(files_in_folder(), 0);
}

#define RUN(tests) cmocka_run_group_tests(tests, begin, remove_folder)
#include "test_block_checksums_list.h"
