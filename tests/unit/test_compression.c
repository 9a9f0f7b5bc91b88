/* SPDX-License-Identifier: MIT */
/* Data files compressed by zstd: written as frames, read as if they were not compressed, damaged in any way. */
#include "base/random.h"
#include "data/compression.h"
#include "data/source.h"
#include "data/writer.h"
#include "folder.h"
#include "helpers/random_games.h"

#include <sys/stat.h>
#include <zstd.h>

static uint64_t file_size(const char *name) {
    struct stat status;
    assert_int_equal(stat(in_folder(name), &status), 0);
    return (uint64_t)status.st_size;
}

/* Games of that seed; a growing file ends a block after each 50. Returns the records. */
static uint64_t write_games(DataWriter *w, uint64_t seed, unsigned from, unsigned to, bool growing) {
    static DataRecord game[RANDOM_GAME_MAX];
    TabiaError error;
    uint64_t records = 0;
    for (unsigned i = 0; i < to; i++) {
        const unsigned plies = random_game(&seed, false, 100, game);
        for (unsigned k = 0; k < plies && i >= from; k++, records++) assert_true(data_write(w, &game[k], &error));
        if (growing && i >= from && i % 50 == 49) assert_true(data_writer_flush_block(w, i + 1, &error));
    }
    return records;
}

static uint64_t write_file(const char *name, unsigned games) {
    TabiaError error;
    DataWriter *w = data_writer_create_atomic(in_folder(name), data_format_by_extension(name), true, &error);
    if (!w) fail_msg("%s", error.text);
    const uint64_t records = write_games(w, 5, 0, games, false);
    assert_true(data_writer_close(w, 0, NULL, &error));
    return records;
}

/* Reads both files to their ends: the same records. Returns how many. */
static uint64_t compare_records(const char *a, const char *b) {
    TabiaError error;
    DataRecord x, y;
    DataReader *r[2] = {data_reader_open(in_folder(a), NULL, &error), data_reader_open(in_folder(b), NULL, &error)};
    assert_true(r[0] && r[1]);
    for (;;) {
        memset(&x, 0, sizeof x), memset(&y, 0, sizeof y);
        const DataReadStatus status = data_read(r[0], &x, &error);
        assert_int_equal(status, data_read(r[1], &y, &error));
        if (status != DATA_READ_OK) {
            assert_int_equal(status, DATA_READ_END);
            break;
        }
        assert_memory_equal(&x, &y, sizeof x);
        assert_int_equal(data_reader_record_offset(r[0]), data_reader_record_offset(r[1]));
    }
    const uint64_t n = data_reader_record_count(r[0]);
    data_reader_close(r[0]), data_reader_close(r[1]);
    return n;
}

static void same_records_in_fewer_bytes(void **state) {
    static const char *const names[] = {"a.bin", "a.viri", "a.binpack", "a.plain", "a.marlin", "a.bullet"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char compressed[20];
        snprintf(compressed, sizeof compressed, "%s.zst", names[i]);
        const uint64_t records = write_file(names[i], 400);
        assert_int_equal(write_file(compressed, 400), records);
        assert_int_equal(compare_records(names[i], compressed), records);
        assert_true(file_size(compressed) < file_size(names[i]));
        DataPrefix prefix;
        TabiaError reason, error;
        assert_true(data_checksums_prefix(in_folder(compressed), data_format_by_extension(compressed), &prefix, &reason,
                                          &error));
        assert_true(prefix.complete && prefix.records == records);
        const char *path = in_folder(compressed);
        const DataSource s = {.paths = &path, .path_count = 1};
        assert_true(data_source_max_records(&s) >= records);
    }
}

/* One large frame, as the program zstd makes it, with the size of its content or without. */
static void frames_of_others(void **state) {
    const uint64_t records = write_file("b.bin", 700);
    size_t n;
    uint8_t *bytes = read_whole("b.bin", &n);
    const size_t bound = ZSTD_compressBound(n);
    uint8_t *frames = malloc(bound + 100);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_true(frames && context);
    for (int with_size = 0; with_size < 2; with_size++) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, with_size);
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
        /* A skippable frame before it, an empty one behind it. */
        static const uint8_t skippable[] = {0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
        memcpy(frames, skippable, sizeof skippable);
        size_t size = sizeof skippable + ZSTD_compress2(context, frames + sizeof skippable, bound, bytes, n);
        size += ZSTD_compress2(context, frames + size, 50, "", 0);
        write_whole("c.bin", frames, size);
        assert_int_equal(compare_records("b.bin", "c.bin"), records);
    }
    ZSTD_freeCCtx(context);
    free(frames), free(bytes);
}

/* A run that was killed anywhere resumes to the same bytes. */
static void growing_file_resumes(void **state) {
    TabiaError error;
    const DataFormat *format = &data_format_viri;
    DataWriter *w = data_writer_create_growing(in_folder("d.viri.zst"), format, &error);
    assert_non_null(w);
    write_games(w, 9, 0, 300, true);
    assert_true(data_writer_close(w, 300, NULL, &error));
    size_t n;
    uint8_t *bytes = read_whole("d.viri.zst", &n);
    for (size_t cut = 0; cut < 5; cut++) {
        assert_int_equal(truncate(in_folder("d.viri.zst"), (off_t)(n * cut / 5)), 0);
        DataPrefix prefix;
        w = data_writer_resume(in_folder("d.viri.zst"), format, &prefix, &error);
        if (!w) fail_msg("%s", error.text);
        assert_true(prefix.resume_point % 50 == 0 && prefix.resume_point <= 50 * (cut * 6 / 5 + 1));
        write_games(w, 9, (unsigned)prefix.resume_point, 300, true);
        assert_true(data_writer_close(w, 300, NULL, &error));
        size_t m;
        uint8_t *again = read_whole("d.viri.zst", &m);
        assert_int_equal(m, n);
        assert_memory_equal(again, bytes, n);
        free(again);
    }
    free(bytes);
}

/* Reads a file to its end or error; bad records are skipped. */
static DataReadStatus read_all(const char *name, uint64_t *records, TabiaError *error) {
    DataRecord record;
    DataReader *r = data_reader_open(in_folder(name), &data_format_bin, error);
    assert_non_null(r);
    DataReadStatus status;
    while ((status = data_read(r, &record, error)) == DATA_READ_OK || status == DATA_READ_BAD_RECORD) continue;
    *records = data_reader_record_count(r);
    data_reader_close(r);
    return status;
}

static void damage_is_an_error(void **state) {
    const uint64_t whole = write_file("e.bin.zst", 30);
    size_t n;
    uint64_t records, seed = 4;
    TabiaError error;
    uint8_t *bytes = read_whole("e.bin.zst", &n);
    for (size_t length = DATA_COMPRESSION_MAGIC_BYTES; length < n; length += n / 40 + 1) {
        write_whole("f.bin", bytes, length);
        assert_int_equal(read_all("f.bin", &records, &error), DATA_READ_ERROR);
        assert_non_null(strstr(error.text, "cannot be decompressed: it ends within a compressed frame"));
    }
    /* The frame's checksum finds every other byte, but for an unused bit of its header. */
    for (unsigned i = 0; i < 300; i++) {
        const size_t at = DATA_COMPRESSION_MAGIC_BYTES + random_below(&seed, n - DATA_COMPRESSION_MAGIC_BYTES);
        const uint8_t flip = (uint8_t)(1 + random_below(&seed, 255));
        bytes[at] ^= flip;
        write_whole("f.bin", bytes, n);
        const DataReadStatus status = read_all("f.bin", &records, &error);
        if (status == DATA_READ_END && records != whole) fail_msg("byte %zu of %zu, xor %u: no error", at, n, flip);
        bytes[at] ^= flip;
    }
    bytes[n] = 'x';
    write_whole("f.bin", bytes, n + 1);
    assert_int_equal(read_all("f.bin", &records, &error), DATA_READ_ERROR);
    assert_int_equal(records, whole + 1);
    free(bytes);
}

static void empty_files(void **state) {
    uint64_t records;
    TabiaError error;
    write_file("g.bin.zst", 0);
    assert_true(file_size("g.bin.zst") > 0);
    assert_int_equal(read_all("g.bin.zst", &records, &error), DATA_READ_END);
    write_whole("h.bin.zst", "", 0);
    assert_int_equal(read_all("h.bin.zst", &records, &error), DATA_READ_END);
    write_whole("h.bin.zst", "\x28\xb5\x2f", 3);
    assert_int_equal(read_all("h.bin.zst", &records, &error), DATA_READ_ERROR);
}

static void names(void **state) {
    assert_true(data_is_compressed_name("a.bin.zst") && data_is_compressed_name("b/a.ZST"));
    assert_false(data_is_compressed_name("zst") || data_is_compressed_name(".zst") ||
                 data_is_compressed_name("a.zst.bin"));
    assert_ptr_equal(data_format_by_extension("a.viri.zst"), &data_format_viri);
    assert_ptr_equal(data_format_by_extension("d.bin/a.viri"), &data_format_viri);
    assert_null(data_format_by_extension("a.zst"));
    assert_null(data_format_by_extension("d.bin/a"));
    assert_null(data_format_by_extension("d.bin/zst"));
    assert_null(data_format_by_extension("bin"));
    assert_null(data_format_by_extension(""));
}

#include "test_compression_list.h"

int main(void) {
    return cmocka_run_group_tests(tests, make_folder, remove_folder_with_files);
}
