/* SPDX-License-Identifier: MIT */
/* The generator as a whole: the same bytes however it is run, what is written is true, what fails says so. */
#include "generate_tools.h"

#include <signal.h>
#include <sys/resource.h>

#include "datagen/sidecar.h"

static char folder[64];

typedef struct {
    char text[128];
} Path;

static Path path_to(const char *name) {
    Path p;
    snprintf(p.text, sizeof p.text, "%s/%s", folder, name);
    return p;
}

static void make_file(const DatagenSettings *s, const char *path, unsigned threads, uint64_t positions, bool resume) {
    DatagenProgress state;
    TabiaError error = {0};
    if (generate_quickly(s, path, threads, positions, resume, NULL, &state, &error) != DATAGEN_DONE)
        fail_msg("%s", error.text);
    assert_true(state.positions >= positions);
}

/* ---- determinism ---- */

static void threads_change_no_byte(void **state) {
    const Path one = path_to("one"), other = path_to("other");
    for (unsigned format = 0; format < DATA_FORMATS_N; format++)
        for (unsigned way = 0; way < 2; way++) {
            DatagenSettings s = quick_settings(data_format(format));
            if (way) s.output.filters = FILTER_quiet;
            make_file(&s, one.text, 1, 250, false);
            for (unsigned threads = 2; threads <= 8; threads *= 4) {
                make_file(&s, other.text, threads, 250, false);
                assert_same_file(one.text, other.text);
                assert_same_file(path_to("one.json").text, path_to("other.json").text);
                assert_same_file(path_to("one.sums").text, path_to("other.sums").text);
                file_remove(other.text);
            }
            file_remove(one.text);
        }
}

static void every_choice_of_moves_repeats(void **state) {
    const Path one = path_to("one"), other = path_to("other");
    for (unsigned way = 0; way < 6; way++) {
        DatagenSettings s = quick_settings(&data_format_viri);
        if (way == 0) s.search.depth = 0, s.search.nodes = 300;
        if (way == 1) s.search.depth = 0, s.search.soft_nodes = 100, s.search.nodes = 800;
        if (way == 2) s.search.depth = 1, s.search.depth2 = 3;
        if (way == 3) s.opening.random_max_ply = 24, s.opening.random_count = 5, s.opening.random_like_apery = 2;
        if (way == 4)
            s.opening.random_multi_pv = 4, s.opening.random_multi_pv_margin = 100, s.opening.random_multi_pv_depth = 2;
        if (way == 5) s.opening.start = START_dfrc, s.opening.score_limit = 30;
        make_file(&s, one.text, 2, 200, false);
        make_file(&s, other.text, 3, 200, false);
        assert_same_file(one.text, other.text);
        file_remove(one.text), file_remove(other.text);
    }
}

static void seeds_differ(void **state) {
    const Path one = path_to("one"), other = path_to("other");
    DatagenSettings s = quick_settings(&data_format_bin);
    size_t n, m;
    make_file(&s, one.text, 2, 100, false);
    s.seed = 2;
    make_file(&s, other.text, 2, 100, false);
    char *a = file_read(one.text, &n), *b = file_read(other.text, &m);
    assert_true(n != m || memcmp(a, b, n) != 0);
    free(a), free(b);
    file_remove(one.text), file_remove(other.text);
}

/* ---- resuming ---- */

typedef struct {
    unsigned polls, limit;
} StopAfter;

static bool stop_after(void *context) {
    StopAfter *p = context;
    return __atomic_add_fetch(&p->polls, 1, __ATOMIC_RELAXED) > p->limit;
}

/* Stopped again and again, at other places each time. */
static void check_stopped_runs(const DataFormat *format, const char *end_of_name) {
    char names[2][32];
    snprintf(names[0], sizeof names[0], "whole%s", end_of_name);
    snprintf(names[1], sizeof names[1], "parts%s", end_of_name);
    const Path whole = path_to(names[0]), parts = path_to(names[1]);
    DatagenSettings s = quick_settings(format);
    make_file(&s, whole.text, 1, 700, false);
    DatagenOutcome end = DATAGEN_STOPPED;
    StopAfter stop_at = {0, 150};
    unsigned stops = 0;
    for (; end == DATAGEN_STOPPED; stops++) {
        const DatagenCallbacks watch = {.stop = stop_after, .context = &stop_at};
        DatagenProgress now;
        TabiaError error = {0};
        stop_at.polls = 0, stop_at.limit += 37;
        end = generate_quickly(&s, parts.text, 1 + stops % 3, 700, true, &watch, &now, &error);
        if (end == DATAGEN_FAILED) fail_msg("%s", error.text);
    }
    assert_true(stops > 3);
    assert_same_file(whole.text, parts.text);
    strncat(names[0], ".json", sizeof names[0] - strlen(names[0]) - 1);
    strncat(names[1], ".json", sizeof names[1] - strlen(names[1]) - 1);
    assert_same_file(path_to(names[0]).text, path_to(names[1]).text);
    file_remove(whole.text), file_remove(parts.text);
}

static void stopped_runs_resume(void **state) {
    for (unsigned format = 0; format < DATA_FORMATS_N; format++) check_stopped_runs(data_format(format), "");
    check_stopped_runs(&data_format_viri, ".zst");
}

/* More positions of the same are asked for. */
static void files_grow(void **state) {
    const Path whole = path_to("whole"), parts = path_to("parts");
    const DatagenSettings s = quick_settings(&data_format_viri);
    make_file(&s, whole.text, 2, 500, false);
    make_file(&s, parts.text, 2, 100, false);
    make_file(&s, parts.text, 1, 500, true);
    assert_same_file(whole.text, parts.text);
    file_remove(whole.text), file_remove(parts.text);
}

/* Killed after its last block, whose bytes the sidecar holds without those that end it, and before the last sidecar. */
static void last_sidecar_is_restored(void **state) {
    const Path whole = path_to("whole"), parts = path_to("parts");
    for (unsigned format = 0; format < DATA_FORMATS_N; format++) {
        const DatagenSettings s = quick_settings(data_format(format));
        DatagenProgress now;
        TabiaError error = {0};
        SidecarSnapshot predicted;
        make_file(&s, whole.text, 2, 300, false);
        assert_int_equal(generate_quickly(&s, parts.text, 2, 300, false, NULL, &now, &error), DATAGEN_DONE);
        assert_true(sidecar_read_snapshot(parts.text, now.next_game, &predicted));
        predicted.bytes -= 4;
        const SidecarSettings sidecar = {"tabia gensfen", datagen_setting_text, &s};
        assert_true(sidecar_write(parts.text, &sidecar, &predicted, 1, SIDECAR_RUNNING, &error));
        make_file(&s, parts.text, 1, 300, true);
        assert_same_file(whole.text, parts.text);
        assert_same_file(path_to("whole.json").text, path_to("parts.json").text);
        file_remove(whole.text), file_remove(parts.text);
    }
}

/* A file whose end is damaged is cut to its whole blocks, and comes to be the same. */
static void damaged_end_is_replaced(void **state) {
    const Path whole = path_to("whole"), parts = path_to("parts");
    const DatagenSettings s = quick_settings(&data_format_bin);
    make_file(&s, whole.text, 2, 500, false);
    make_file(&s, parts.text, 2, 400, false);
    struct stat status;
    assert_int_equal(stat(parts.text, &status), 0);
    assert_int_equal(truncate(parts.text, status.st_size - 2000), 0);
    make_file(&s, parts.text, 2, 500, true);
    assert_same_file(whole.text, parts.text);
    file_remove(whole.text), file_remove(parts.text);
}

static void refused(const DatagenSettings *s, const char *path, bool resume, const char *says) {
    DatagenProgress state;
    TabiaError error = {0};
    assert_int_equal(generate_quickly(s, path, 1, 100, resume, NULL, &state, &error), DATAGEN_FAILED);
    if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
}

static void other_settings_are_refused(void **state) {
    const Path file = path_to("file");
    DatagenSettings s = quick_settings(&data_format_viri);
    make_file(&s, file.text, 1, 100, false);
    refused(&s, file.text, false, "--resume");
    s.search.depth = 3;
    refused(&s, file.text, true, "depth 2");
    s.search.depth = 2, s.seed = 7;
    refused(&s, file.text, true, "seed 1");
    s.seed = 1, s.output.filters = FILTER_mate;
    refused(&s, file.text, true, "filter none");
    s.output.filters = 0;
    unlink(path_to("file.json").text);
    refused(&s, file.text, true, "the settings of the file are unknown");
    file_remove(file.text);
}

static void nothing_to_write_is_reported(void **state) {
    const Path file = path_to("file");
    DatagenSettings s = quick_settings(&data_format_viri);
    s.adjudication.eval_limit = 1, s.output.min_ply = 12; /* a dozen scores of 0 to begin with: no game has them */
    s.search.depth = 1, s.opening.score_limit = 0, s.opening.random_count = 1, s.opening.random_max_ply = 1;
    refused(&s, file.text, false, "1000 games in a row");
    file_remove(file.text);
}

/* A file that may not grow any more stands for a full disk: what was written stays, and going on works later. */
static void a_full_disk_harms_nothing(void **state) {
    const Path whole = path_to("whole"), parts = path_to("parts");
    const DatagenSettings s = quick_settings(&data_format_bin);
    struct rlimit before, narrow;
    make_file(&s, whole.text, 2, 500, false);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    narrow = before;
    narrow.rlim_cur = 9000; /* a block is 2,400 bytes and more, the sidecar some 3,000 */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &narrow), 0);
    DatagenProgress now;
    TabiaError error = {0};
    const DatagenOutcome end = generate_quickly(&s, parts.text, 2, 500, false, NULL, &now, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(end, DATAGEN_FAILED);
    assert_non_null(strstr(error.text, "cannot be written"));
    DataPrefix prefix;
    assert_true(data_checksums_prefix(parts.text, s.output.format, &prefix, &error, &error));
    assert_true(prefix.complete && prefix.records > 0);
    make_file(&s, parts.text, 2, 500, true);
    assert_same_file(whole.text, parts.text);
    file_remove(whole.text), file_remove(parts.text);
}

/* ---- what is written ---- */

/* Reads a file, which replays each game; every record passes. */
static void read_back(const DatagenSettings *s, const char *path, uint64_t positions) {
    TabiaError error = {0};
    DataReader *r = data_reader_open(path, s->output.format, &error);
    DataRecord record;
    uint64_t n = 0;
    DataReadStatus how;
    assert_non_null(r);
    while ((how = data_read(r, &record, &error)) == DATA_READ_OK) {
        n++;
        assert_true((uint64_t)abs(record.score) < s->adjudication.eval_limit);
        if (record.move) assert_true(move_is_legal(&record.position, record.move));
        if (s->output.format->fields & DATA_PLY) assert_true(record.ply >= s->output.min_ply);
        if (s->output.filters & FILTER_check) assert_false(in_check(&record.position));
    }
    if (how != DATA_READ_END) fail_msg("%s: %s", s->output.format->name, error.text);
    assert_int_equal(n, positions);
    data_reader_close(r);
}

static void all_formats_are_read_back(void **state) {
    const Path file = path_to("file");
    for (unsigned format = 0; format < DATA_FORMATS_N; format++)
        for (StartPosition start = START_standard; start <= START_dfrc; start++) {
            DatagenSettings s = quick_settings(data_format(format));
            DatagenProgress now;
            TabiaError error = {0};
            s.opening.start = start, s.output.min_ply = 12;
            if (start == START_chess960) s.output.filters = FILTER_check | FILTER_capture;
            assert_int_equal(generate_quickly(&s, file.text, 2, 200, false, NULL, &now, &error), DATAGEN_DONE);
            read_back(&s, file.text, now.positions);
            assert_true(now.counts.below_min_ply > 0);
            file_remove(file.text);
        }
}

static int begin(void **state) {
    folder_make(folder);
    return 0;
}

static int end(void **state) {
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(every_choice_of_moves_repeats),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(stopped_runs_resume),
        cmocka_unit_test(files_grow),
        cmocka_unit_test(last_sidecar_is_restored),
        cmocka_unit_test(damaged_end_is_replaced),
        cmocka_unit_test(other_settings_are_refused),
        cmocka_unit_test(nothing_to_write_is_reported),
        cmocka_unit_test(a_full_disk_harms_nothing),
        cmocka_unit_test(all_formats_are_read_back),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
