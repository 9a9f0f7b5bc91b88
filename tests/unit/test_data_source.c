/* SPDX-License-Identifier: MIT */
/* Several files read as one: what progress is a share of. */
#include "data/source.h"
#include "data/writer.h"
#include "helpers/random_games.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_total(void *context, const DataProgress *progress) {
    *(uint64_t *)context = progress->total;
}

/* Returns the size of the file. */
static uint64_t write_file(const char *name, const DataFormat *format, unsigned games) {
    static DataRecord game[RANDOM_GAME_MOST];
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

/* The bytes of all files; of what is no regular file they are not known. */
static void total_is_of_all_files(void **state) {
    (void)state;
    TabiaError error;
    DataRecord r;
    char folder[] = "/tmp/tabia-test-XXXXXX", a[64], b[64];
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.bin", folder), snprintf(b, sizeof b, "%s/b.viri", folder);
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
    unlink(a), unlink(b), rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(total_is_of_all_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
