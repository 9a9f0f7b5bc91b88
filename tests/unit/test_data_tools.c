/* SPDX-License-Identifier: MIT */
/*
 * The tools on whole files: a shuffle keeps all records and does not depend on memory, duplicates are the same ones in
 * one reading and in many, samples have their size, parts are disjoint, and each kind of fault is found where it is.
 */
#include "data/check.h"
#include "data/pack.h"
#include "data/stats.h"
#include "data/transfer.h"
#include "helpers/random_games.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

enum { GAMES = 300, MOST = GAMES * 120 };
static DataRecord sample[MOST];
static unsigned records;
static char folder[64];

static const char *in_folder(const char *name) {
    static char path[4][192];
    static unsigned turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_records(const char *name, const DataRecord *r, unsigned n) {
    TabiaError error;
    DataWriter *w = data_writer_create_atomic(in_folder(name), data_format_by_extension(name), false, &error);
    if (!w) fail_msg("%s", error.text);
    for (unsigned i = 0; i < n; i++) assert_true(data_write(w, &r[i], &error));
    assert_true(data_writer_close(w, 0, NULL, &error));
}

/* Reads a file of at most MOST records; their number. */
static unsigned read_records(const char *name, DataRecord *out) {
    TabiaError error;
    unsigned n = 0;
    DataReader *r = data_reader_open(in_folder(name), NULL, &error);
    if (!r) fail_msg("%s", error.text);
    while (n < MOST && data_read(r, &out[n], &error) == DATA_READ_OK) n++;
    data_reader_close(r);
    return n;
}

static int begin(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < GAMES; i++)
        records += random_game(&seed, false, 1 + random_below(&seed, 119), sample + records);
    strcpy(folder, "/dev/shm/tabia-test-XXXXXX");
    if (!mkdtemp(folder)) {
        strcpy(folder, "/tmp/tabia-test-XXXXXX");
        if (!mkdtemp(folder)) return -1;
    }
    write_records("in.bin", sample, records);
    write_records("in.viri", sample, records);
    return 0;
}

static int finish(void **state) {
    (void)state;
    unlink(in_folder("in.bin"));
    unlink(in_folder("in.viri"));
    return rmdir(folder);
}

static DataSource source_of(const char *const *path) {
    return (DataSource){.paths = path, .path_count = 1};
}

/* What a job does with one file; the records of its result, in out. */
typedef DataOutcome Work(DataSource *s, DataWriter *w, uint64_t number, TabiaError *error);
static unsigned run(const char *in, const char *to, Work *work, uint64_t number, DataRecord *out) {
    TabiaError error = {0};
    const char *path = in_folder(in);
    DataSource s = source_of(&path);
    DataWriter *w = data_writer_create_atomic(in_folder(to), data_format_by_extension(to), false, &error);
    if (work(&s, w, number, &error) != DATA_DONE) fail_msg("%s", error.text);
    data_source_close(&s);
    assert_true(data_writer_close(w, 0, NULL, &error));
    const unsigned n = read_records(to, out);
    unlink(in_folder(to));
    return n;
}

static DataOutcome shuffle(DataSource *s, DataWriter *w, uint64_t memory, TabiaError *error) {
    return data_shuffle(s, w, &(DataShuffleOptions){.seed = 4, .memory = memory, .temp_prefix = in_folder("s")}, error);
}
static DataOutcome shuffle_games(DataSource *s, DataWriter *w, uint64_t memory, TabiaError *error) {
    return data_shuffle(s, w, &(DataShuffleOptions){4, memory, true, in_folder("s")}, error);
}
static DataOutcome dedupe(DataSource *s, DataWriter *w, uint64_t memory, TabiaError *error) {
    uint64_t twice;
    return data_dedupe(s, w, &(DataDedupeOptions){memory}, &twice, error);
}
static DataOutcome take(DataSource *s, DataWriter *w, uint64_t units, TabiaError *error) {
    return data_sample(s, w, &(DataSampleOptions){.seed = 5, .units = units}, error);
}
static DataOutcome take_games(DataSource *s, DataWriter *w, uint64_t units, TabiaError *error) {
    return data_sample(s, w, &(DataSampleOptions){.seed = 5, .units = units, .by_games = true}, error);
}

static int by_content(const void *a, const void *b) {
    return memcmp(a, b, sizeof(DataPackedRecord));
}

/* The same records, in whatever order? The mark of a game's beginning is not compared: the order decides it. */
static bool same_content(const DataRecord *a, const DataRecord *b, unsigned n) {
    DataPackedRecord *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (unsigned i = 0; i < n; i++) {
        data_pack(&x[i], &a[i]), data_pack(&y[i], &b[i]);
        x[i].flags &= 0xfe, y[i].flags &= 0xfe;
    }
    qsort(x, n, sizeof *x, by_content);
    qsort(y, n, sizeof *y, by_content);
    const bool same = !memcmp(x, y, n * sizeof *x);
    free(x), free(y);
    return same;
}

static unsigned at_their_place(const DataRecord *a, const DataRecord *b, unsigned n) {
    unsigned same = 0;
    for (unsigned i = 0; i < n; i++) same += position_same(&a[i].position, &b[i].position) && a[i].ply == b[i].ply;
    return same;
}

static DataRecord one[MOST], other[MOST];

static void packs(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int g = 0; g < 40; g++) {
        const unsigned n = random_game(&seed, g % 2, 60, one);
        for (unsigned i = 0; i < n; i++) {
            DataPackedRecord packed;
            DataRecord back;
            one[i].opening_eval = (int16_t)(7 * i);
            data_pack(&packed, &one[i]);
            data_unpack(&back, &packed);
            assert_true(position_same(&back.position, &one[i].position));
            assert_int_equal(back.position.halfmove, one[i].position.halfmove);
            assert_int_equal(back.position.fullmove, one[i].position.fullmove);
            assert_int_equal(back.score, one[i].score);
            assert_memory_equal(&back.move, &one[i].move,
                                offsetof(DataRecord, starts_game) - offsetof(DataRecord, move));
            assert_int_equal(back.starts_game, one[i].starts_game);
        }
    }
}

static void shuffles(void **state) {
    (void)state;
    assert_int_equal(run("in.bin", "a.bin", shuffle, 1 << 30, one), records);
    assert_true(same_content(sample, one, records));
    assert_true(at_their_place(sample, one, records) < records / 20);
    assert_int_equal(run("in.bin", "a.bin", shuffle, 50000, other), records); /* dozens of buckets */
    assert_int_equal(at_their_place(one, other, records), records);
    assert_int_equal(run("in.viri", "a.viri", shuffle_games, 100000, other), records);
    assert_true(same_content(sample, other, records));
    unsigned games = 0;
    for (unsigned i = 0; i < records; i++) games += other[i].starts_game;
    assert_int_equal(games, GAMES);
}

static void finds_duplicates(void **state) {
    (void)state;
    unsigned expected = 0;
    for (unsigned i = 0; i < records; i++) {
        bool fresh = true;
        for (unsigned k = 0; k < i && fresh; k++) fresh = !position_same(&sample[i].position, &sample[k].position);
        if (fresh) one[expected++] = sample[i];
    }
    assert_true(expected < records && expected > records / 2);
    assert_int_equal(run("in.bin", "a.bin", dedupe, 1 << 30, other), expected);
    assert_int_equal(at_their_place(one, other, expected), expected);
    assert_int_equal(run("in.bin", "a.bin", dedupe, 1 << 17, other), expected); /* several readings */
    assert_int_equal(at_their_place(one, other, expected), expected);
}

static void samples(void **state) {
    (void)state;
    assert_int_equal(run("in.bin", "a.bin", take, 1000, one), 1000);
    unsigned at = 0;
    for (unsigned i = 0; i < 1000; i++, at++) { /* in their order */
        while (at < records && !(position_same(&sample[at].position, &one[i].position) && sample[at].ply == one[i].ply))
            at++;
        assert_true(at < records);
    }
    const unsigned n = run("in.viri", "a.viri", take_games, 50, one);
    unsigned games = 0;
    for (unsigned i = 0; i < n; i++) games += one[i].starts_game;
    assert_int_equal(games, 50);
    TabiaError error;
    const char *path = in_folder("in.bin");
    DataSource s = source_of(&path);
    DataWriter *w = data_writer_create_atomic(in_folder("a.bin"), &data_format_bin, false, &error);
    assert_int_equal(data_sample(&s, w, &(DataSampleOptions){.units = records + 1}, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, " were asked for, and "));
    data_source_close(&s);
    data_writer_abort(w);
}

/* Records that the format to be written cannot hold are not drawn, so that a sample is as large as was asked for. Of
   ten records one has no move; nor has the first one of a game. */
static void samples_what_can_be_written(void **state) {
    (void)state;
    TabiaError error;
    for (unsigned i = 0; i < records; i++) {
        one[i] = sample[i];
        if (i % 10 == 0 || sample[i].starts_game) one[i].move = 0;
    }
    write_records("gaps.bin", one, records);
    assert_int_equal(run("gaps.bin", "a.viri", take, 2000, other), 2000);
    for (unsigned i = 0; i < 2000; i++) assert_true(other[i].move != 0);
    const unsigned n = run("gaps.bin", "a.viri", take_games, 50, other);
    unsigned games = 0;
    for (unsigned i = 0; i < n; i++) games += other[i].starts_game;
    assert_true(games >= 50);
    const char *path = in_folder("gaps.bin");
    DataSource s = source_of(&path);
    DataWriter *w = data_writer_create_atomic(in_folder("a.viri"), &data_format_viri, false, &error);
    assert_int_equal(data_sample(&s, w, &(DataSampleOptions){.units = records}, &error), DATA_BAD_INPUT);
    assert_non_null(strstr(error.text, "can be written as viri"));
    data_source_close(&s);
    data_writer_abort(w);
    unlink(in_folder("gaps.bin"));
}

static void splits(void **state) {
    (void)state;
    TabiaError error;
    const char *path = in_folder("in.bin");
    DataSource s = source_of(&path);
    DataWriter *w[2] = {data_writer_create_atomic(in_folder("a.bin"), &data_format_bin, false, &error),
                        data_writer_create_atomic(in_folder("b.bin"), &data_format_bin, false, &error)};
    const double share[] = {90, 10};
    assert_int_equal(data_split(&s, w, &(DataSplitOptions){2, share, 2, true}, &error), DATA_DONE);
    data_source_close(&s);
    DataWriteStats told[2];
    for (int i = 0; i < 2; i++) assert_true(data_writer_close(w[i], 0, &told[i], &error));
    assert_int_equal(told[0].records + told[1].records, records);
    assert_int_equal(told[0].games + told[1].games, GAMES);
    assert_true(told[1].games > 10 && told[1].games < 60);
    const unsigned n = read_records("a.bin", one);
    read_records("b.bin", one + n);
    assert_true(same_content(sample, one, records));
    unlink(in_folder("a.bin"));
    unlink(in_folder("b.bin"));
}

/* ---- verify ---- */

typedef struct {
    unsigned kind, n;
    char line[400];
} Found;

static void note(void *context, unsigned kind, const char *line) {
    Found *f = context;
    if (!f->n++) snprintf(f->line, sizeof f->line, "%s", line), f->kind = kind;
}

/* The records with one change make one fault of that kind, at that place. */
static void finds(const DataRecord *r, unsigned n, int kind, const char *where) {
    Found found = {.n = 0};
    TabiaError error;
    DataCheckReport v;
    write_records("f.bin", r, n);
    const DataCheckOptions check = {.on_fault = note, .context = &found};
    assert_int_equal(data_check_file(in_folder("f.bin"), NULL, &check, &v, &error), DATA_DONE);
    unlink(in_folder("f.bin"));
    assert_int_equal(v.records, n);
    if (kind < 0 && v.fault_count) fail_msg("found where nothing was: %s", found.line);
    if (kind < 0) return;
    if (found.n != 1 || found.kind != (unsigned)kind || !strstr(found.line, where))
        fail_msg("%u faults, the first: %s; where %s, '%s' was due", found.n, found.line,
                 data_fault_name((unsigned)kind), where);
    assert_int_equal(v.faults[kind], 1);
}

static void finds_faults(void **state) {
    (void)state;
    enum { N = 30 };
    DataRecord r[N + 1];
    uint64_t seed = 2;
    unsigned n = 0;
    while (n < N) n = random_game(&seed, false, N, r);
    DataRecord keep[N];
    memcpy(keep, r, sizeof keep);
    finds(r, N, -1, "");
    r[5].score = 32001;
    finds(r, N, DATA_FAULT_score, "record 6, byte 200:");
    r[5].score = DATA_SKIP_SCORE, r[5].skip = true;
    finds(r, N, -1, "");
    memcpy(r, keep, sizeof keep);
    r[0].position.halfmove = 9, r[0].ply = 3;
    finds(r, 1, DATA_FAULT_clock, "record 1, byte 0:");
    memcpy(r, keep, sizeof keep);
    r[N - 1].result = (int8_t)(r[N - 1].result ? 0 : 1);
    finds(r, N, DATA_FAULT_continuity, "record 30, byte 1160:");
    memcpy(r, keep, sizeof keep);
    r[N - 1].ply++;
    finds(r, N, DATA_FAULT_continuity, "record 30, byte 1160: it continues the game of record 29, but the ply is");
    memcpy(r, keep, sizeof keep);
    r[N - 1].position.fullmove += 7;
    finds(r, N, DATA_FAULT_continuity, "record 30, byte 1160: it continues the game of record 29, but its clocks are");
    memcpy(r, keep, sizeof keep);
    r[N - 1].position.halfmove = (uint16_t)(r[N - 1].position.halfmove ? 0 : 1);
    r[N - 1].position.ep = 0;
    finds(r, N, DATA_FAULT_continuity, "record 30, byte 1160: it continues the game of record 29, but its clocks are");
    DataRecord mate = {.result = 0};
    TabiaError error;
    assert_true(fen_parse(&mate.position, "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", &error));
    mate.move = move_from_squares(&mate.position, 38, 54, PAWN);
    assert_int_not_equal(mate.move, 0);
    finds(&mate, 1, DATA_FAULT_result, "record 1, byte 0: its move gives mate");
    r[0] = mate;
    memcpy(r + 1, keep, (N - 1) * sizeof *r);
    finds(r, N, DATA_FAULT_result, "record 1, byte 0: its move gives mate");
    mate.result = 1;
    finds(&mate, 1, -1, "");
}

static void counts(void **state) {
    (void)state;
    DataStats *s = calloc(1, sizeof *s);
    for (unsigned i = 0; i < records; i++) data_stats_add(s, &sample[i]);
    data_stats_end(s);
    assert_int_equal(s->records, records);
    assert_int_equal(s->games, GAMES);
    for (unsigned h = 0; h < DATA_HISTOGRAMS_N; h++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < DATA_BINS_MAX; i++) sum += s->histogram[h].bin[i];
        assert_int_equal(sum, h == DATA_HISTOGRAM_length ? GAMES : records);
    }
    assert_true(s->histogram[DATA_HISTOGRAM_pieces].max == 32 && s->histogram[DATA_HISTOGRAM_phase].max >= 24);
    assert_true(data_histogram_mean(&s->histogram[DATA_HISTOGRAM_length]) * GAMES - records < 0.5);
    assert_int_equal(s->result[0] + s->result[1] + s->result[2], records);
    assert_int_equal(s->white_result[1], s->result[1]);
    assert_int_equal(s->chess960, 0);
    free(s);
}

/* Records that are marked to be skipped have no score, and are nobody's duplicates. */
static void skips_what_is_marked(void **state) {
    (void)state;
    DataStats *s = calloc(1, sizeof *s);
    unsigned n = 0, marked = 0;
    for (; n < 1000; n++) {
        one[n] = sample[n];
        one[n].skip = n % 7 == 3;
        if (one[n].skip) one[n].score = DATA_SKIP_SCORE, marked++;
        data_stats_add(s, &one[n]);
    }
    data_stats_end(s);
    assert_int_equal(s->records, n);
    assert_int_equal(s->skipped, marked);
    assert_int_equal(s->histogram[DATA_HISTOGRAM_score].count, n - marked);
    assert_true(s->histogram[DATA_HISTOGRAM_score].max < DATA_SKIP_SCORE);
    assert_int_equal(s->result[0] + s->result[1] + s->result[2], n - marked);
    free(s);
    one[n] = sample[3], one[n + 1] = sample[3]; /* the first of them was marked */
    write_records("m.bin", one, n + 2);
    const unsigned in_one = run("m.bin", "a.bin", dedupe, 1 << 30, other);
    unsigned kept = 0;
    for (unsigned i = 0; i < in_one; i++) kept += other[i].skip;
    assert_int_equal(kept, marked);
    assert_true(position_same(&other[in_one - 1].position, &sample[3].position) && !other[in_one - 1].skip);
    assert_false(other[in_one - 2].skip == false && position_same(&other[in_one - 2].position, &sample[3].position));
    assert_int_equal(run("m.bin", "a.bin", shuffle, 1 << 30, one), n + 2);
    kept = 0;
    for (unsigned i = 0; i < n + 2; i++) kept += one[i].skip;
    assert_int_equal(kept, marked);
    unlink(in_folder("m.bin"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(finds_duplicates),
        cmocka_unit_test(samples),
        cmocka_unit_test(samples_what_can_be_written),
        cmocka_unit_test(splits),
        cmocka_unit_test(finds_faults),
        cmocka_unit_test(counts),
        cmocka_unit_test(skips_what_is_marked),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
