/* SPDX-License-Identifier: MIT */
/* The generator as a whole: the same bytes however it is run, what is written is true, what fails says so. */
#include "folder.h"

#include "data/block_checksums.h"
#include "data/recognize.h"
#include "datagen/generate.h"
#include "datagen/sidecar.h"

/* Data, sums and sidecar of "FOLDER/NAME". */
static void file_remove(const char *path) {
    static const char *const endings[] = {"", ".sums", ".json", ".json.part"};
    char name[256];
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* Shallow, with a small table: some hundred positions in some hundredths of a second. */
static DatagenSettings quick_settings(const DataFormat *format) {
    DatagenSettings s;
    datagen_settings_default(&s);
    s.search.depth = 2;
    s.hash_bytes = 1 << 16;
    s.output.block_positions = 60;
    s.adjudication.max_ply = 90;
    s.output.format = format;
    TabiaError error = {0};
    if (!datagen_settings_check(&s, &error)) fail_msg("%s", error.text);
    return s;
}

static DatagenOutcome generate_quickly(const DatagenSettings *s, const char *path, unsigned threads, uint64_t positions,
                                       bool resume, const DatagenCallbacks *callbacks, DatagenProgress *progress,
                                       TabiaError *error) {
    Openings o;
    const DatagenJob job = {.path = path, .positions = positions, .threads = threads, .resume = resume};
    const DatagenCallbacks none = {0};
    if (!openings_open(&o, s->opening.book, s->opening.start, true, NULL, error)) return DATAGEN_FAILED;
    const DatagenOutcome end = datagen_run(s, &o, &job, callbacks ? callbacks : &none, progress, error);
    openings_close(&o);
    return end;
}

static void make_file(const DatagenSettings *s, const char *path, unsigned threads, uint64_t positions, bool resume) {
    DatagenProgress state;
    TabiaError error = {0};
    if (generate_quickly(s, path, threads, positions, resume, NULL, &state, &error) != DATAGEN_DONE)
        fail_msg("%s", error.text);
    assert_true(state.positions >= positions);
}

/* ---- determinism ---- */

/* With any number of threads. (In every format: stopped_runs_resume.) */
static void every_choice_of_moves_repeats(void **state) {
    const char *one = in_folder("one"), *other = in_folder("other");
    for (unsigned way = 0; way < 7; way++) {
        DatagenSettings s = quick_settings(&data_format_viri);
        if (way == 0) s.search.depth = 0, s.search.nodes = 300;
        if (way == 1) s.search.depth = 0, s.search.soft_nodes = 100, s.search.nodes = 800;
        if (way == 2) s.search.depth = 1, s.search.depth2 = 3;
        if (way == 3) s.opening.random_max_ply = 24, s.opening.random_count = 5, s.opening.random_like_apery = 2;
        if (way == 4)
            s.opening.random_multi_pv = 4, s.opening.random_multi_pv_margin = 100, s.opening.random_multi_pv_depth = 2;
        if (way == 5) s.opening.start = START_dfrc, s.opening.score_limit = 30;
        if (way == 6) s.output.filters = FILTER_quiet;
        make_file(&s, one, way % 2 + 1, 250, false);
        make_file(&s, other, 8, 250, false);
        assert_true(same_files(one, other));
        assert_true(same_files(in_folder("one.json"), in_folder("other.json")));
        assert_true(same_files(in_folder("one.sums"), in_folder("other.sums")));
        file_remove(one), file_remove(other);
    }
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
static void check_stopped_runs(const DataFormat *format) {
    const char *whole = in_folder("whole"), *parts = in_folder("parts");
    DatagenSettings s = quick_settings(format);
    make_file(&s, whole, 1, 700, false);
    DatagenOutcome end = DATAGEN_STOPPED;
    StopAfter stop_at = {0, 150};
    unsigned stops = 0;
    for (; end == DATAGEN_STOPPED; stops++) {
        const DatagenCallbacks watch = {.stop = stop_after, .context = &stop_at};
        DatagenProgress now;
        TabiaError error = {0};
        stop_at.polls = 0, stop_at.limit += 37;
        end = generate_quickly(&s, parts, 1 + stops % 3, 700, true, &watch, &now, &error);
        if (end >= DATAGEN_REFUSED) fail_msg("%s", error.text);
    }
    assert_true(stops > 3);
    assert_true(same_files(whole, parts));
    assert_true(same_files(in_folder("whole.json"), in_folder("parts.json")));
    file_remove(whole), file_remove(parts);
}

static void stopped_runs_resume(void **state) {
    for (unsigned format = 0; format < DATA_FORMATS_N; format++)
        if (data_format(format)->write) check_stopped_runs(data_format(format));
}

/* More positions of the same are asked for. */
static void files_grow(void **state) {
    const char *whole = in_folder("whole"), *parts = in_folder("parts");
    const DatagenSettings s = quick_settings(&data_format_viri);
    make_file(&s, whole, 2, 500, false);
    make_file(&s, parts, 2, 100, false);
    make_file(&s, parts, 1, 500, true);
    assert_true(same_files(whole, parts));
    file_remove(whole), file_remove(parts);
}

/* Killed after its last block, whose bytes the sidecar holds without those that end it, and before the last sidecar. */
static void last_sidecar_is_restored(void **state) {
    const char *whole = in_folder("whole"), *parts = in_folder("parts");
    for (unsigned format = 0; format < DATA_FORMATS_N; format++) {
        if (!data_format(format)->write) continue;
        const DatagenSettings s = quick_settings(data_format(format));
        DatagenProgress now;
        TabiaError error = {0};
        SidecarSnapshot predicted;
        make_file(&s, whole, 2, 300, false);
        assert_int_equal(generate_quickly(&s, parts, 2, 300, false, NULL, &now, &error), DATAGEN_DONE);
        assert_true(sidecar_read_snapshot(parts, now.next_game, &predicted));
        predicted.bytes -= 4;
        const SidecarSettings sidecar = {"tabia gensfen", datagen_setting_text, &s};
        assert_true(sidecar_write(parts, &sidecar, &predicted, 1, SIDECAR_RUNNING, &error));
        make_file(&s, parts, 1, 300, true);
        assert_true(same_files(whole, parts));
        assert_true(same_files(in_folder("whole.json"), in_folder("parts.json")));
        file_remove(whole), file_remove(parts);
    }
}

static void ends(DatagenOutcome end, const DatagenSettings *s, const char *path, bool resume, const char *says) {
    DatagenProgress state;
    TabiaError error = {0};
    assert_int_equal(generate_quickly(s, path, 1, 100, resume, NULL, &state, &error), end);
    if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
}

/* The settings, and one more that this version does not have. */
static bool one_more_setting(const void *settings, unsigned index, SettingText *out) {
    if (index) return datagen_setting_text(settings, index - 1, out);
    *out = (SettingText){.name = "exact-endings", .value = "4"};
    return true;
}

static bool first_setting_only(const void *settings, unsigned index, SettingText *out) {
    return !index && datagen_setting_text(settings, index, out);
}

static void other_settings_are_refused(void **state) {
    const char *file = in_folder("file");
    DatagenSettings s = quick_settings(&data_format_viri);
    make_file(&s, file, 1, 100, false);
    ends(DATAGEN_REFUSED, &s, file, false, "--resume");
    s.search.depth = 3;
    ends(DATAGEN_REFUSED, &s, file, true, "depth 2");
    s.search.depth = 2, s.seed = 7;
    ends(DATAGEN_REFUSED, &s, file, true, "seed 1");
    s.seed = 1, s.output.filters = FILTER_mate;
    ends(DATAGEN_REFUSED, &s, file, true, "filter none");
    s.output.filters = 0;
    const SidecarSettings other = {"tabia gensfen", one_more_setting, &s};
    TabiaError error;
    assert_true(sidecar_write(file, &other, NULL, 0, SIDECAR_RUNNING, &error));
    ends(DATAGEN_REFUSED, &s, file, true, "was written with exact-endings 4, which this version does not have");
    const SidecarSettings shorter = {"tabia gensfen", first_setting_only, &s};
    assert_true(sidecar_write(file, &shorter, NULL, 0, SIDECAR_RUNNING, &error));
    ends(DATAGEN_REFUSED, &s, file, true, "is not a complete sidecar of this version");
    size_t bytes;
    uint8_t *text = read_whole("file.json", &bytes);
    for (size_t i = 0; i < bytes; i++) { /* a bit of each byte, but of those that only lay it out */
        if (strchr(" \n", text[i])) continue;
        text[i] ^= 1;
        write_whole("file.json", text, bytes);
        ends(DATAGEN_REFUSED, &s, file, true, "file.json: is damaged; --restart");
        text[i] ^= 1;
    }
    free(text);
    unlink(in_folder("file.json"));
    ends(DATAGEN_REFUSED, &s, file, true, "the settings of the file are unknown");
    file_remove(file);
}

static void nothing_to_write_is_reported(void **state) {
    const char *file = in_folder("file");
    DatagenSettings s = quick_settings(&data_format_viri);
    s.adjudication.eval_limit = 1, s.output.min_ply = 12; /* a dozen scores of 0 to begin with: no game has them */
    s.search.depth = 1, s.opening.score_limit = 0, s.opening.random_count = 1, s.opening.random_max_ply = 1;
    ends(DATAGEN_FAILED, &s, file, false, "1000 games in a row");
    file_remove(file);
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
    const char *file = in_folder("file");
    for (unsigned format = 0; format < DATA_FORMATS_N; format++)
        for (StartPosition start = START_standard; data_format(format)->write && start <= START_dfrc; start++) {
            DatagenSettings s = quick_settings(data_format(format));
            DatagenProgress now;
            TabiaError error = {0};
            s.opening.start = start, s.output.min_ply = 12;
            if (start == START_chess960) s.output.filters = FILTER_check | FILTER_capture;
            assert_int_equal(generate_quickly(&s, file, 2, 200, false, NULL, &now, &error), DATAGEN_DONE);
            read_back(&s, file, now.positions);
            assert_true(now.counts.below_min_ply > 0);
            file_remove(file);
        }
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_generate_list.h"
