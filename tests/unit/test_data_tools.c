/* SPDX-License-Identifier: MIT */
/*
 * The tools on whole files: a shuffle keeps all records and does not depend on memory, one pass and several find the same
 * duplicates, samples have their size, parts are disjoint, and each fault is reported at its record.
 */
#include "data/check.h"
#include "data/pack.h"
#include "data/stats.h"
#include "data/transfer.h"
#include "fen_tools.h"
#include "folder.h"
#include "helpers/random_games.h"
#include "notation/move_text.h"

enum { GAMES = 300, RECORDS_MAX = GAMES * 120 };
static DataRecord sample[RECORDS_MAX];
static unsigned records;

static void write_records(const char *name, const DataRecord *r, unsigned n) {
    TabiaError error;
    DataWriter *w = data_writer_create_atomic(in_folder(name), data_format_by_extension(name), false, &error);
    if (!w) fail_msg("%s", error.text);
    for (unsigned i = 0; i < n; i++) assert_true(data_write(w, &r[i], &error));
    assert_true(data_writer_close(w, 0, NULL, &error));
}

/* Reads a file of at most RECORDS_MAX records; returns their number. */
static unsigned read_records(const char *name, DataRecord *out) {
    TabiaError error;
    unsigned n = 0;
    DataReader *r = data_reader_open(in_folder(name), NULL, &error);
    if (!r) fail_msg("%s", error.text);
    while (n < RECORDS_MAX && data_read(r, &out[n], &error) == DATA_READ_OK) n++;
    data_reader_close(r);
    return n;
}

static int begin(void **state) {
    uint64_t seed = 21;
    for (int i = 0; i < GAMES; i++)
        records += random_game(&seed, false, 1 + random_below(&seed, 119), sample + records);
    if (make_folder(state)) return -1;
    write_records("in.bin", sample, records);
    write_records("in.viri", sample, records);
    return 0;
}

static int finish(void **state) {
    unlink(in_folder("in.bin"));
    unlink(in_folder("in.viri"));
    return remove_folder(state);
}

static DataSource source_of(const char *const *path) {
    return (DataSource){.paths = path, .path_count = 1};
}

/* Transfers a file and reads the result into `out`; returns the number of records. The argument is memory or units. */
typedef DataOutcome Transfer(DataSource *s, DataWriter *w, uint64_t argument, TabiaError *error);
static unsigned run(const char *in, const char *to, Transfer *transfer, uint64_t argument, DataRecord *out) {
    TabiaError error = {0};
    const char *path = in_folder(in);
    DataSource s = source_of(&path);
    DataWriter *w = data_writer_create_atomic(in_folder(to), data_format_by_extension(to), false, &error);
    if (transfer(&s, w, argument, &error) != DATA_DONE) fail_msg("%s", error.text);
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
    uint64_t duplicates;
    return data_dedupe(s, w, &(DataDedupeOptions){memory}, &duplicates, error);
}
static DataOutcome sample_records(DataSource *s, DataWriter *w, uint64_t units, TabiaError *error) {
    return data_sample(s, w, &(DataSampleOptions){.seed = 5, .units = units}, error);
}
static DataOutcome sample_games(DataSource *s, DataWriter *w, uint64_t units, TabiaError *error) {
    return data_sample(s, w, &(DataSampleOptions){.seed = 5, .units = units, .by_games = true}, error);
}
static DataOutcome sample_half(DataSource *s, DataWriter *w, uint64_t unused, TabiaError *error) {
    (void)unused;
    return data_sample(s, w, &(DataSampleOptions){.seed = 5, .fraction = 0.5}, error);
}

static int compare_packed(const void *a, const void *b) {
    return memcmp(a, b, sizeof(DataPackedRecord));
}

/* The same records in any order. starts_game is not compared: it depends on the order. */
static bool same_records(const DataRecord *a, const DataRecord *b, unsigned n) {
    DataPackedRecord *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (unsigned i = 0; i < n; i++) {
        data_pack(&x[i], &a[i]), data_pack(&y[i], &b[i]);
        x[i].flags &= 0xfe, y[i].flags &= 0xfe;
    }
    qsort(x, n, sizeof *x, compare_packed);
    qsort(y, n, sizeof *y, compare_packed);
    const bool same = !memcmp(x, y, n * sizeof *x);
    free(x), free(y);
    return same;
}

/* The number of records at the same index. */
static unsigned count_unmoved(const DataRecord *a, const DataRecord *b, unsigned n) {
    unsigned same = 0;
    for (unsigned i = 0; i < n; i++) same += position_same(&a[i].position, &b[i].position) && a[i].ply == b[i].ply;
    return same;
}

static DataRecord one[RECORDS_MAX], other[RECORDS_MAX];

static void packing_loses_nothing(void **state) {
    uint64_t seed = 9;
    for (int g = 0; g < 40; g++) {
        const unsigned n = random_game(&seed, g % 2, 60, one);
        for (unsigned i = 0; i < n; i++) {
            DataPackedRecord packed;
            DataRecord back;
            one[i].extra.opening_eval = (int16_t)(7 * i);
            if (i == 3) one[i].score = 32768; /* -32768 of the other side */
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

static void shuffle_does_not_depend_on_memory(void **state) {
    assert_int_equal(run("in.bin", "a.bin", shuffle, 1 << 30, one), records);
    assert_true(same_records(sample, one, records));
    assert_true(count_unmoved(sample, one, records) < records / 20);
    assert_int_equal(run("in.bin", "a.bin", shuffle, 50000, other), records); /* dozens of buckets */
    assert_int_equal(count_unmoved(one, other, records), records);
    assert_int_equal(run("in.viri", "a.viri", shuffle_games, 100000, other), records);
    assert_true(same_records(sample, other, records));
    unsigned games = 0;
    for (unsigned i = 0; i < records; i++) games += other[i].starts_game;
    assert_int_equal(games, GAMES);
}

static void duplicates_do_not_depend_on_memory(void **state) {
    unsigned expected = 0;
    for (unsigned i = 0; i < records; i++) {
        bool is_new = true;
        for (unsigned k = 0; k < i && is_new; k++) is_new = !position_same(&sample[i].position, &sample[k].position);
        if (is_new) one[expected++] = sample[i];
    }
    assert_true(expected < records && expected > records / 2);
    assert_int_equal(run("in.bin", "a.bin", dedupe, 1 << 30, other), expected);
    assert_int_equal(count_unmoved(one, other, expected), expected);
    assert_int_equal(run("in.bin", "a.bin", dedupe, 1 << 17, other), expected); /* several passes */
    assert_int_equal(count_unmoved(one, other, expected), expected);
}

static void samples_have_their_size(void **state) {
    assert_int_equal(run("in.bin", "a.bin", sample_records, 1000, one), 1000);
    unsigned at = 0;
    for (unsigned i = 0; i < 1000; i++, at++) { /* in their order */
        while (at < records && !(position_same(&sample[at].position, &one[i].position) && sample[at].ply == one[i].ply))
            at++;
        assert_true(at < records);
    }
    const unsigned half = run("in.bin", "a.bin", sample_half, 0, one);
    assert_in_range(half, records * 45 / 100, records * 55 / 100);
    const unsigned n = run("in.viri", "a.viri", sample_games, 50, one);
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

/* Records that the output format rejects are not drawn, so a sample has the requested size. One record in ten has no
   move, nor has the first of each game. */
static void samples_are_of_writable_units(void **state) {
    TabiaError error;
    for (unsigned i = 0; i < records; i++) {
        one[i] = sample[i];
        if (i % 10 == 0 || sample[i].starts_game) one[i].move = 0;
    }
    write_records("gaps.bin", one, records);
    assert_int_equal(run("gaps.bin", "a.viri", sample_records, 2000, other), 2000);
    for (unsigned i = 0; i < 2000; i++) assert_true(other[i].move != 0);
    const unsigned n = run("gaps.bin", "a.viri", sample_games, 50, other);
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

static void parts_are_disjoint(void **state) {
    TabiaError error;
    const char *path = in_folder("in.bin");
    DataSource s = source_of(&path);
    DataWriter *w[2] = {data_writer_create_atomic(in_folder("a.bin"), &data_format_bin, false, &error),
                        data_writer_create_atomic(in_folder("b.bin"), &data_format_bin, false, &error)};
    const double weights[] = {90, 10};
    assert_int_equal(data_split(&s, w, &(DataSplitOptions){2, weights, 2, true}, &error), DATA_DONE);
    data_source_close(&s);
    DataWriteStats stats[2];
    for (int i = 0; i < 2; i++) assert_true(data_writer_close(w[i], 0, &stats[i], &error));
    assert_int_equal(stats[0].records + stats[1].records, records);
    assert_int_equal(stats[0].games + stats[1].games, GAMES);
    assert_true(stats[1].games > 10 && stats[1].games < 60);
    const unsigned n = read_records("a.bin", one);
    read_records("b.bin", one + n);
    assert_true(same_records(sample, one, records));
    unlink(in_folder("a.bin"));
    unlink(in_folder("b.bin"));
}

/* ---- verify ---- */

typedef struct {
    unsigned first, n;
    char line[400];
} ReportedFaults;

static void count_fault(void *context, unsigned fault, const char *line) {
    ReportedFaults *f = context;
    if (!f->n++) snprintf(f->line, sizeof f->line, "%s", line), f->first = fault;
}

/* The records have one fault, at that place; fault -1: none. */
static void verify_reports(const DataRecord *r, unsigned n, int fault, const char *where) {
    ReportedFaults reported = {.n = 0};
    TabiaError error;
    DataCheckReport report;
    write_records("f.bin", r, n);
    DataCheckOptions check = {.on_fault = count_fault, .context = &reported};
    assert_int_equal(data_check_file(in_folder("f.bin"), NULL, &check, &report, &error), DATA_DONE);
    assert_int_equal(report.records, n);
    if (fault < 0 && report.fault_count) fail_msg("an unexpected fault: %s", reported.line);
    if (fault < 0) {
        unlink(in_folder("f.bin"));
        return;
    }
    if (reported.n != 1 || reported.first != (unsigned)fault || !strstr(reported.line, where))
        fail_msg("%u faults, the first: %s; %s, '%s' was expected", reported.n, reported.line,
                 data_fault_name((unsigned)fault), where);
    assert_int_equal(report.faults[fault], 1);
    check.ignored = 1u << fault; /* forgiven, but counted */
    assert_int_equal(data_check_file(in_folder("f.bin"), NULL, &check, &report, &error), DATA_DONE);
    unlink(in_folder("f.bin"));
    assert_true(reported.n == 1 && !report.fault_count && report.ignored_count == 1 && report.faults[fault] == 1);
}

static void verify_finds_faults(void **state) {
    enum { N = 30 };
    DataRecord r[N + 1];
    uint64_t seed = 2;
    unsigned n = 0;
    while (n < N) n = random_game(&seed, false, N, r);
    DataRecord original[N];
    memcpy(original, r, sizeof original);
    verify_reports(r, N, -1, "");
    r[5].score = 32001;
    verify_reports(r, N, DATA_FAULT_score, "record 6, byte 200:");
    r[5].score = DATA_SKIP_SCORE, r[5].skip = true;
    verify_reports(r, N, -1, "");
    memcpy(r, original, sizeof original);
    r[0].position.halfmove = 9, r[0].ply = 3;
    verify_reports(r, 1, DATA_FAULT_clock, "record 1, byte 0: the halfmove clock is 9 in move ");
    memcpy(r, original, sizeof original);
    r[N - 1].result = (int8_t)(r[N - 1].result ? 0 : 1);
    verify_reports(r, N, DATA_FAULT_continuity, "record 30, byte 1160:");
    memcpy(r, original, sizeof original);
    r[N - 1].ply++;
    verify_reports(r, N, DATA_FAULT_continuity,
                   "record 30, byte 1160: it continues the game of record 29, but the ply is");
    memcpy(r, original, sizeof original);
    r[N - 1].position.fullmove += 7;
    verify_reports(r, N, DATA_FAULT_continuity,
                   "record 30, byte 1160: it continues the game of record 29, but its move counters are");
    memcpy(r, original, sizeof original);
    r[N - 1].position.halfmove = (uint16_t)(r[N - 1].position.halfmove ? 0 : 1);
    r[N - 1].position.ep = 0;
    verify_reports(r, N, DATA_FAULT_continuity,
                   "record 30, byte 1160: it continues the game of record 29, but its move counters are");
    DataRecord mate = {.result = 0};
    TabiaError error;
    assert_true(fen_parse(&mate.position, "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", &error));
    mate.move = move_from_squares(&mate.position, 38, 54, PAWN);
    assert_int_not_equal(mate.move, 0);
    verify_reports(&mate, 1, DATA_FAULT_result, "record 1, byte 0: its move gives mate");
    r[0] = mate;
    memcpy(r + 1, original, (N - 1) * sizeof *r);
    verify_reports(r, N, DATA_FAULT_result, "record 1, byte 0: its move gives mate");
    mate.result = 1;
    verify_reports(&mate, 1, -1, "");
}

/* A game of two records: the first move is the double step e2e4. */
static void make_double_step(DataRecord r[2], const char *fen, int reply_from, int reply_to) {
    r[0] = (DataRecord){.ply = 20, .starts_game = true}, r[1] = (DataRecord){.ply = 21};
    assert_true(fen_parse(&r[0].position, fen, NULL));
    r[0].move = move_from_squares(&r[0].position, 12, 28, PAWN);
    assert_int_not_equal(r[0].move, 0);
    position_make_move(&r[1].position, &r[0].position, r[0].move);
    assert_int_equal(r[1].position.halfmove, 0);
    r[1].move = move_from_squares(&r[1].position, reply_from, reply_to, PAWN);
    assert_int_not_equal(r[1].move, 0);
}

/* A double step that did not reset the halfmove clock: alone, where the en passant square tells, and within a game. */
static void verify_finds_the_clock_of_a_double_step(void **state) {
    DataRecord r[2];
    make_double_step(r, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 7 11", 27, 20); /* answered en passant */
    assert_int_equal(r[1].position.ep, 20);
    verify_reports(r, 2, -1, "");
    verify_reports(r + 1, 1, -1, "");
    r[1].position.halfmove = 8;
    verify_reports(r + 1, 1, DATA_FAULT_clock,
                   "record 1, byte 0: the halfmove clock is 8 after a pawn's double step over e3; it must be 0");
    make_double_step(r, "4k3/8/8/8/8/8/4P3/4K3 w - - 7 11", 60, 59);
    verify_reports(r, 2, -1, "");
    r[1].position.halfmove = 8;
    verify_reports(r, 2, DATA_FAULT_continuity, "but its move counters are 8 and 11; 0 and 11 are expected");
}

static void histograms_count_all_records(void **state) {
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
    unsigned longest = 0;
    for (unsigned i = 0, begin = 0; i < records; i++) {
        if (sample[i].starts_game) begin = i;
        if (i + 1 - begin > longest) longest = i + 1 - begin;
    }
    assert_int_equal(s->histogram[DATA_HISTOGRAM_length].max, longest);
    assert_true(data_histogram_mean(&s->histogram[DATA_HISTOGRAM_length]) * GAMES - records < 0.5);
    assert_int_equal(s->result[0] + s->result[1] + s->result[2], records);
    assert_int_equal(s->white_result[1], s->result[1]);
    assert_int_equal(s->property[GAME_PROPERTY_with_chess960_rights], 0);
    uint64_t castling = 0;
    for (unsigned i = 0; i < records; i++)
        castling += sample[i].position.castle[WHITE] || sample[i].position.castle[BLACK];
    assert_true(castling > GAMES && s->property[GAME_PROPERTY_with_castling_rights] == castling);
    free(s);
}

/* Records that are marked to be skipped have no score, and are no duplicates. */
static void records_marked_to_be_skipped_are_excluded(void **state) {
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
    unsigned skipped = 0;
    for (unsigned i = 0; i < in_one; i++) skipped += other[i].skip;
    assert_int_equal(skipped, marked);
    assert_true(position_same(&other[in_one - 1].position, &sample[3].position) && !other[in_one - 1].skip);
    assert_false(other[in_one - 2].skip == false && position_same(&other[in_one - 2].position, &sample[3].position));
    assert_int_equal(run("m.bin", "a.bin", dedupe, 1 << 14, one), in_one); /* several passes */
    assert_int_equal(count_unmoved(one, other, in_one), in_one);
    assert_int_equal(run("m.bin", "a.bin", shuffle, 1 << 30, one), n + 2);
    skipped = 0;
    for (unsigned i = 0; i < n + 2; i++) skipped += one[i].skip;
    assert_int_equal(skipped, marked);
    unlink(in_folder("m.bin"));
}

/* ---- statistics ---- */

/* What statistics of training data count of a position: squares and piece types, as the side to move sees them; and in
   which bins values count. */

static DataRecord record(const char *fen, const char *move) {
    DataRecord r = {.position = parsed(fen), .starts_game = true};
    r.move = move_from_uci(&r.position, move);
    assert_true(r.move);
    return r;
}

static void expect(const DataStats *s, unsigned table, const char *name, uint64_t expected) {
    char cell[GAME_CELL_NAME_MAX];
    for (unsigned i = 0; i < data_table_shape(table)->cells; i++) {
        game_cell_name(table, i, cell);
        if (!strcmp(cell, name)) {
            assert_int_equal(s->table[table].cell[i], expected);
            return;
        }
    }
    fail_msg("table %s has no cell %s", data_table_shape(table)->name, name);
}

/* The same position and move for white and for black. */
static void cells_are_those_of_the_side_to_move(void **state) {
    DataStats *s = calloc(1, sizeof *s);
    const DataRecord r[] = {record("3qk3/pp6/8/8/8/8/PPP5/R3K2R w KQ - 0 1", "e1g1"),
                            record("r3k2r/ppp5/8/8/8/8/PP6/3QK3 b kq - 0 1", "e8g8"),
                            record("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7")};
    for (unsigned i = 0; i < 3; i++) data_stats_add(s, &r[i]);
    data_stats_end(s);
    expect(s, GAME_TABLE_own_king, "e1", 3), expect(s, GAME_TABLE_other_king, "e8", 3);
    expect(s, GAME_TABLE_move_from, "e1", 2), expect(s, GAME_TABLE_move_to, "h1", 2);
    expect(s, GAME_TABLE_move_from, "a1", 1), expect(s, GAME_TABLE_move_to, "a7", 1);
    expect(s, GAME_TABLE_moved_pieces, "king", 2), expect(s, GAME_TABLE_moved_pieces, "rook", 1);
    expect(s, GAME_TABLE_own_pieces, "pawn", 6), expect(s, GAME_TABLE_other_pieces, "pawn", 4);
    expect(s, GAME_TABLE_own_pieces, "rook", 5), expect(s, GAME_TABLE_other_pieces, "queen", 2);
    expect(s, GAME_TABLE_own_pieces, "queen", 0), expect(s, GAME_TABLE_other_pieces, "king", 3);
    assert_int_equal(s->histogram[GAME_HISTOGRAM_legal_moves].max, moves_count(&r[0].position));
    assert_int_equal(s->histogram[GAME_HISTOGRAM_legal_moves].min, moves_count(&r[2].position));
    free(s);
}

static void tables_count_all_records(void **state) {
    static DataRecord game[RANDOM_GAME_MAX];
    uint64_t seed = 5, counted = 0, pieces = 0, sum[GAME_TABLES_N] = {0};
    DataStats *s = calloc(1, sizeof *s);
    for (unsigned g = 0; g < 40; g++) {
        const unsigned plies = random_game(&seed, true, 100, game);
        for (unsigned i = 0; i < plies; i++) {
            data_stats_add(s, &game[i]);
            pieces += (unsigned)popcount(occupied(&game[i].position));
        }
        counted += plies;
    }
    data_stats_end(s);
    for (unsigned t = 0; t < GAME_TABLES_N; t++)
        for (unsigned i = 0; i < GAME_CELLS_MAX; i++) {
            sum[t] += s->table[t].cell[i];
            assert_true(i < data_table_shape(t)->cells || !s->table[t].cell[i]);
        }
    for (unsigned t = 0; t <= GAME_TABLE_moved_pieces; t++) assert_int_equal(sum[t], counted);
    assert_int_equal(sum[GAME_TABLE_own_pieces] + sum[GAME_TABLE_other_pieces], pieces);
    free(s);
}

/* Each end of a bin, and values beyond the outermost. */
static void values_count_in_their_bins(void **state) {
    static const struct {
        int score, ply;
        unsigned score_bin, ply_bin;
    } rows[] = {{-31000, 0, 0, 0}, {-3000, 9, 0, 0},  {-2901, 10, 0, 1},  {-2900, 19, 1, 1},   {-1, 20, 29, 2},
                {0, 399, 30, 39},  {99, 400, 30, 40}, {100, 409, 31, 40}, {31000, 410, 60, 40}};
    DataRecord r = record("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DataStats *s = calloc(1, sizeof *s);
        r.score = (int16_t)rows[i].score, r.ply = (uint16_t)rows[i].ply, r.result = 1;
        data_stats_add(s, &r);
        data_stats_end(s);
        assert_int_equal(s->histogram[DATA_HISTOGRAM_score].bin[rows[i].score_bin], 1);
        assert_int_equal(s->half_points[rows[i].score_bin], 2);
        assert_int_equal(s->histogram[DATA_HISTOGRAM_ply].bin[rows[i].ply_bin], 1);
        assert_int_equal(s->histogram[DATA_HISTOGRAM_score].min, rows[i].score);
        free(s);
    }
}

#define RUN(tests) cmocka_run_group_tests(tests, begin, finish)
#include "test_data_tools_list.h"
