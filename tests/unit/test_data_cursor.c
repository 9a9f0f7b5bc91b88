/* SPDX-License-Identifier: MIT */
/* Records by number, in any order: the same as in order, where the file is entered in its middle too. */
#include "data/cursor.h"
#include "data/writer.h"
#include "folder.h"
#include "helpers/random_games.h"

enum { GAMES = 600, READS = 45 };

static void write_games(const char *path, const DataFormat *format) {
    static DataRecord game[RANDOM_GAME_MAX];
    TabiaError error;
    uint64_t seed = 7;
    DataWriter *w = data_writer_create_atomic(path, format, false, &error);
    if (!w) fail_msg("%s", error.text);
    for (unsigned i = 0; i < GAMES; i++) {
        const unsigned plies = random_game(&seed, false, 100, game);
        for (unsigned k = 0; k < plies; k++) assert_true(data_write(w, &game[k], &error));
    }
    assert_true(data_writer_close(w, 0, NULL, &error));
}

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
    write_games(path, format);
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
    write_games(path, &data_format_bin);
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

#include "test_data_cursor_list.h"

int main(void) {
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
