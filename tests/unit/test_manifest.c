/* SPDX-License-Identifier: MIT */
/* Manifests of data sets: what is written is read, what is no manifest is refused, and a part that differs is found. */
#include "base/checksum.h"
#include "data/check.h"
#include "data/writer.h"
#include "helpers/random_games.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tabia-test-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[4][128];
    static unsigned n;
    n = (n + 1) % 4;
    snprintf(path[n], sizeof path[n], "%s/%s", folder, name);
    return path[n];
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void checksum_of_parts_is_that_of_the_whole(void **state) {
    (void)state;
    enum { BYTES = 100000 };
    uint8_t *data = malloc(BYTES);
    uint64_t seed = 1, bytes, sum;
    TabiaError error;
    for (unsigned i = 0; i < BYTES; i++) data[i] = (uint8_t)random_next(&seed);
    for (unsigned n = 0; n < BYTES; n += 1 + n * 2) {
        TabiaChecksum *stream = tabia_checksum_begin();
        for (unsigned at = 0; at < n;) {
            const unsigned most = n - at, step = 1 + random_below(&seed, 700), part = step < most ? step : most;
            tabia_checksum_add(stream, data + at, part);
            at += part;
        }
        assert_true(tabia_checksum_end(stream) == tabia_checksum(data, n));
    }
    FILE *file = fopen(in_folder("bytes"), "wb");
    assert_int_equal(fwrite(data, 1, BYTES, file), BYTES);
    fclose(file);
    assert_true(data_file_checksum(in_folder("bytes"), &bytes, &sum, &error));
    assert_true(bytes == BYTES && sum == tabia_checksum(data, BYTES));
    unlink(in_folder("bytes"));
    assert_false(data_file_checksum(in_folder("bytes"), &bytes, &sum, &error));
    assert_non_null(strstr(error.text, "cannot be read"));
    free(data);
}

/* Writes games of that seed and describes the file. */
static DataPart make_part(const char *name, uint64_t seed, unsigned games) {
    static DataRecord game[RANDOM_GAME_MOST];
    TabiaError error;
    DataWriteStats stats;
    DataWriter *w = data_writer_create_atomic(in_folder(name), &data_format_viri, false, &error);
    assert_non_null(w);
    for (unsigned i = 0; i < games; i++) {
        const unsigned plies = random_game(&seed, false, 60, game);
        for (unsigned k = 0; k < plies; k++) assert_true(data_write(w, &game[k], &error));
    }
    assert_true(data_writer_close(w, 0, &stats, &error));
    DataPart part = {
        .path = strdup(in_folder(name)), .format = strdup("viri"), .records = stats.records, .games = games};
    assert_true(data_file_checksum(part.path, &part.bytes, &part.checksum, &error));
    return part;
}

static void expect_faults(const DataPart *part, uint64_t expected) {
    TabiaError error;
    DataCheckReport report;
    const DataCheckOptions options = {.expected = part};
    assert_int_equal(data_check_file(part->path, NULL, &options, &report, &error), DATA_DONE);
    assert_int_equal(report.faults[DATA_FAULT_manifest], expected);
    assert_int_equal(report.fault_count, expected);
}

static void parts_are_what_was_written(void **state) {
    (void)state;
    TabiaError error;
    DataPart parts[] = {make_part("a.viri", 1, 3), make_part("b.viri", 2, 5)};
    const DataManifest set = {parts, 2};
    const JsonOrigin origin = {.command = "data manifest"};
    DataManifest got;
    write_text("a.viri.json", "{\"generator\": \"g\", \"options\": {\"seed\": \"7\"}}");
    write_text("b.viri.json", "no JSON");
    assert_true(data_manifest_write(in_folder("set.json"), &origin, &set, &error));
    assert_true(data_manifest_read(in_folder("set.json"), &got, &error));
    assert_int_equal(got.count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const DataPart *p = &got.parts[i];
        assert_string_equal(p->path, parts[i].path);
        assert_string_equal(p->format, "viri");
        assert_true(p->bytes == parts[i].bytes && p->records == parts[i].records && p->games == parts[i].games &&
                    p->checksum == parts[i].checksum);
        expect_faults(p, 0);
    }
    free(got.parts[0].path);
    got.parts[0].path = strdup(parts[1].path);
    expect_faults(&got.parts[0], 4); /* bytes, records, games, checksum */
    data_manifest_free(&got);
    char text[4096] = "";
    FILE *file = fopen(in_folder("set.json"), "rb");
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "\"file\": \"a.viri\""));
    assert_non_null(strstr(text, "\"seed\": \"7\""));
    for (unsigned i = 0; i < 2; i++) unlink(parts[i].path), free(parts[i].path), free(parts[i].format);
    unlink(in_folder("a.viri.json")), unlink(in_folder("b.viri.json")), unlink(in_folder("set.json"));
}

static void others_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "line 1"},
        {"{\"parts\": [", "line 1"},
        {"[]", "it has no parts"},
        {"{\"generator\": \"tabia gensfen\"}", "it has no parts"},
        {"{\"parts\": []}", "it has no parts"},
        {"{\"parts\": [7]}", "part 1 has not all"},
        {"{\"parts\": [{\"file\": \"a\", \"format\": \"viri\", \"bytes\": 1, \"records\": 1, \"games\": 1, "
         "\"checksum\": \"12\"}]}",
         "part 1 has not all"},
        {"{\"parts\": [{\"file\": \"a\", \"format\": \"viri\", \"bytes\": -1, \"records\": 1, \"games\": 1, "
         "\"checksum\": "
         "\"0123456789abcdef\"}]}",
         "part 1 has not all"},
        {"{\"parts\": [{\"format\": \"viri\", \"bytes\": 1, \"records\": 1, \"games\": 1, "
         "\"checksum\": \"0123456789abcdef\"}]}",
         "part 1 has not all"},
        {"{\"parts\": [{\"file\": \"\", \"format\": \"viri\", \"bytes\": 1, \"records\": 1, \"games\": 1, "
         "\"checksum\": \"0123456789abcdef\"}]}",
         "part 1 has not all"},
        {"{\"parts\": [{\"file\": \"a\", \"bytes\": 1, \"records\": 1, \"games\": 1, "
         "\"checksum\": \"0123456789abcdef\"}]}",
         "part 1 has not all"},
    };
    TabiaError error;
    DataManifest m;
    assert_true(data_is_manifest("a/set.json") && !data_is_manifest("a.viri") && !data_is_manifest(".json"));
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text("bad.json", bad[i].text);
        assert_false(data_manifest_read(in_folder("bad.json"), &m, &error));
        if (!strstr(error.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, error.text);
        assert_null(m.parts);
    }
    unlink(in_folder("bad.json"));
    assert_false(data_manifest_read(in_folder("bad.json"), &m, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(checksum_of_parts_is_that_of_the_whole),
                                       cmocka_unit_test(parts_are_what_was_written),
                                       cmocka_unit_test(others_are_refused)};
    if (!mkdtemp(folder)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
