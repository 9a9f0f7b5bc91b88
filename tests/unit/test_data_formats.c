/* SPDX-License-Identifier: MIT */
/*
 * Random games, standard and double Chess960, through every format: what is read back differs in the fields that
 * the format reports as lost and in no other; a chain of formats that store the same fields changes nothing.
 */
#include "format_tools.h"

#include "helpers/random_games.h"
#include "notation/move_text.h"

enum { GAMES = 60, RECORDS_MAX = GAMES * RANDOM_GAME_MAX };
static DataRecord sample[RECORDS_MAX], result[RECORDS_MAX];

static unsigned make_sample(uint64_t seed, bool chess960) {
    unsigned n = 0;
    for (int i = 0; i < GAMES; i++) n += random_game(&seed, chess960, 1 + random_below(&seed, 300), sample + n);
    return n;
}

/* The fields in which two records differ, besides the board. */
static DataFields difference(const DataRecord *a, const DataRecord *b) {
    const Position *p = &a->position, *q = &b->position;
    DataFields f = 0;
    if (a->move != b->move) f |= DATA_MOVE;
    if (a->score != b->score) f |= DATA_SCORE;
    if (a->result != b->result) f |= DATA_RESULT;
    if (a->ply != b->ply) f |= DATA_PLY;
    if (a->extra.opening_eval != b->extra.opening_eval) f |= DATA_OPENING_EVAL;
    if (p->turn != q->turn) f |= DATA_TURN;
    if (memcmp(p->castle, q->castle, 2)) f |= DATA_CASTLING;
    if (p->ep != q->ep) f |= DATA_EP;
    if (p->halfmove != q->halfmove) f |= DATA_HALFMOVE_CLOCK;
    if (p->fullmove != q->fullmove) f |= DATA_FULLMOVE_NUMBER;
    return f;
}

/* flipped: the format stores boards relative to the side to move. */
static bool same_pieces(const DataRecord *a, const DataRecord *b, bool flipped) {
    const bool swap = flipped && a->position.turn == BLACK;
    for (int s = 0; s < 64; s++) {
        const int t = swap ? s ^ 56 : s;
        if (piece_type_at(&a->position, s) != piece_type_at(&b->position, t)) return false;
        if ((a->position.side[WHITE] >> s & 1) != (b->position.side[swap ? BLACK : WHITE] >> t & 1)) return false;
    }
    return true;
}

/* Writes n records and reads them into `out`; returns their number. */
static unsigned round_trip(const DataFormat *format, const DataRecord *in, unsigned n, DataRecord *out,
                           uint64_t *rejected) {
    DataEncoder e = encoded(format, in, n);
    const unsigned got = decoded(format, e.bytes.data, e.bytes.size, out);
    *rejected = 0;
    for (unsigned reason = 0; reason < DATA_REJECTIONS_N; reason++) *rejected += e.rejected[reason];
    data_encoder_free(&e);
    return got;
}

static void lost_fields_are_reported(void **state) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const unsigned n = make_sample(seed, seed % 2 == 0);
        for (unsigned f = 0; f < DATA_FORMATS_N; f++) {
            const DataFormat *format = data_format(f);
            if (!format->write) continue;
            uint64_t rejected = 0, expected_rejected = 0;
            const unsigned got = round_trip(format, sample, n, result, &rejected);
            for (unsigned i = 0, k = 0; i < n; i++) {
                if (data_rejection(format, &sample[i]) != DATA_ACCEPT) {
                    expected_rejected++;
                    continue;
                }
                const DataRecord *back = &result[k++];
                const DataFields lost = data_lost_fields(format, &sample[i]), differs = difference(&sample[i], back);
                if (differs & ~lost || !same_pieces(&sample[i], back, !(format->fields & DATA_TURN)))
                    fail_msg("%s, seed %ju, record %u: lost %x, differs %x", format->name, (uintmax_t)seed, i, lost,
                             differs);
                /* Formats without a ply derive it from the fullmove number: it is lost only where it differs. */
                if (lost & ~differs & ~(DataFields)(DATA_SCORE | DATA_RESULT | DATA_PLY))
                    fail_msg("%s, seed %ju, record %u: reports %x as lost, differs %x", format->name, (uintmax_t)seed,
                             i, lost, differs);
                if (format->fields & DATA_GAME_STARTS && !expected_rejected)
                    assert_int_equal(back->starts_game, sample[i].starts_game);
            }
            assert_int_equal(got + expected_rejected, n);
            assert_int_equal(rejected, expected_rejected);
            if (seed % 2) assert_int_equal(rejected, 0);
        }
    }
}

/* Every record has a score and a result, also where both are 0. */
static void without_fields_score_and_result_are_lost(void **state) {
    DataFormat format = data_format_bin;
    format.fields = DATA_NO_FIELDS;
    (void)make_sample(1, false);
    sample[0].score = sample[0].result = 0;
    const DataFields both = DATA_SCORE | DATA_RESULT;
    for (unsigned i = 0; i < 10; i++) assert_int_equal(data_lost_fields(&format, &sample[i]) & both, both);
    assert_int_equal(data_lost_fields(&data_format_bin, &sample[0]) & both, 0);
}

/* bin -> viri -> binpack -> plain -> bin: the same records. */
static void chain_of_formats_changes_nothing(void **state) {
    uint64_t rejected;
    const unsigned n = make_sample(5, false);
    const DataFormat *const chain[] = {&data_format_bin, &data_format_viri, &data_format_binpack, &data_format_plain,
                                       &data_format_bin};
    memcpy(result, sample, n * sizeof *result);
    static DataRecord next[RECORDS_MAX];
    for (unsigned i = 0; i < sizeof chain / sizeof *chain; i++) {
        assert_int_equal(round_trip(chain[i], result, n, next, &rejected), n);
        memcpy(result, next, n * sizeof *result);
    }
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(difference(&sample[i], &result[i]), 0);
        assert_true(position_same(&sample[i].position, &result[i].position));
        assert_int_equal(sample[i].starts_game, result[i].starts_game);
    }
}

/* A record that would be read back as another one is not written. */
static void ambiguous_records_are_rejected(void **state) {
    DataRecord r = {.result = 0};
    TabiaError error;
    assert_true(fen_parse(&r.position, "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", &error));
    assert_int_equal(data_rejection(&data_format_bin, &r), DATA_REJECT_rook);
    assert_int_equal(data_rejection(&data_format_marlin, &r), DATA_ACCEPT);
    assert_int_equal(data_rejection(&data_format_viri, &r), DATA_REJECT_move);
    assert_int_equal(data_rejection(&data_format_binpack, &r), DATA_REJECT_move);
    assert_int_equal(data_rejection(&data_format_plain, &r), DATA_ACCEPT);
    assert_int_equal(round_trip(&data_format_marlin, &r, 1, result, &(uint64_t){0}), 1);
    assert_int_equal(result[0].position.castle[WHITE], 2);
    uint64_t rejected;
    assert_int_equal(round_trip(&data_format_bin, &r, 1, result, &rejected), 0);
    assert_int_equal(rejected, 1);
}

/* The skip mark is kept where a format has it; elsewhere its records are rejected and counted so.
   There a real score of that number is rejected. */
static void skipped_records_are_kept_or_rejected(void **state) {
    uint64_t seed = 4, rejected;
    const unsigned n = random_game(&seed, false, 40, sample);
    sample[7].skip = sample[8].skip = true;
    sample[7].score = sample[8].score = DATA_SKIP_SCORE;
    for (unsigned f = 0; f < DATA_FORMATS_N; f++) {
        const DataFormat *format = data_format(f);
        if (!format->write) continue;
        const bool has_mark = format->fields & DATA_SKIP;
        assert_int_equal(round_trip(format, sample, n, result, &rejected), has_mark ? n : n - 2);
        assert_int_equal(rejected, has_mark ? 0 : 2);
        for (unsigned i = 0, k = 0; i < n; i++) {
            assert_int_equal(data_rejection(format, &sample[i]),
                             sample[i].skip && !has_mark ? DATA_REJECT_skip : DATA_ACCEPT);
            if (sample[i].skip && !has_mark) continue;
            assert_int_equal(result[k].skip, sample[i].skip);
            assert_int_equal(result[k++].score, sample[i].score);
        }
        sample[9].score = DATA_SKIP_SCORE;
        assert_int_equal(data_rejection(format, &sample[9]), has_mark ? DATA_REJECT_score : DATA_ACCEPT);
        if (!has_mark) { /* there the score is one like others */
            assert_int_equal(round_trip(format, sample + 9, 1, result, &rejected), 1);
            assert_false(result[0].skip);
        }
        sample[9].score = 5;
    }
}

/* The limits of 16 bits, for each side to move: viri and marlin store 16 bits relative to white, the others relative to
   the side to move. A score that is read back as another number is reported as lost. */
static void extreme_scores_are_kept_or_lost(void **state) {
    static const int32_t scores[] = {-32768, -32767, 32767, 32768};
    uint64_t seed = 3, rejected;
    random_game(&seed, false, 4, sample);
    for (unsigned f = 0; f < DATA_FORMATS_N; f++)
        for (unsigned i = 0; data_format(f)->write && i < 8; i++) {
            const DataFormat *format = data_format(f);
            DataRecord r = sample[i % 2];
            r.score = scores[i / 2];
            const int32_t stored = format->white_relative ? data_white_score(&r) : r.score;
            const bool fits = stored >= -32768 && stored <= 32767;
            assert_int_equal(round_trip(format, &r, 1, result, &rejected), 1);
            assert_int_equal(result[0].score == r.score, fits);
            assert_int_equal((data_lost_fields(format, &r) & DATA_SCORE) == 0, fits);
            if (!fits) assert_true(abs(result[0].score - r.score) == 1);
        }
}

/* What the bits do not hold is the most that they do. */
static void late_clocks_are_kept_or_lost(void **state) {
    static const struct {
        const DataFormat *format;
        unsigned max;
    } cases[] = {{&data_format_viri, 255}, {&data_format_marlin, 255}, {&data_format_bin, 127}};
    uint64_t rejected;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned more = 0; more < 2; more++) {
            DataRecord r = {.starts_game = true, .ply = 998};
            assert_true(fen_parse(&r.position, "4k3/8/8/8/8/8/8/R3K3 w - - 0 500", NULL));
            r.position.halfmove = (uint16_t)(cases[i].max + more);
            r.move = move_from_uci(&r.position, "e1d1");
            assert_int_equal(data_lost_fields(cases[i].format, &r) & DATA_HALFMOVE_CLOCK,
                             more ? DATA_HALFMOVE_CLOCK : 0);
            assert_int_equal(round_trip(cases[i].format, &r, 1, result, &rejected), 1);
            assert_int_equal(result[0].position.halfmove, cases[i].max);
        }
}

static void binpack_loses_chess960_castling(void **state) {
    uint64_t rejected, castling_moves = 0, castling_lost = 0;
    unsigned n = 0, last = 0;
    for (uint64_t seed = 6; n < RECORDS_MAX - RANDOM_GAME_MAX;) {
        last = n, n += random_game(&seed, true, 200, sample + n);
        for (unsigned i = last; i < n; i++) {
            const Position *p = &sample[i].position;
            if (castles_as_standard(p, WHITE) && castles_as_standard(p, BLACK)) continue;
            castling_moves += move_flag(sample[i].move) == CASTLING;
            castling_lost += move_flag(sample[i].move) != CASTLING;
        }
    }
    assert_true(castling_moves > 3 && castling_lost > 100);
    assert_int_equal(round_trip(&data_format_binpack, sample, n, result, &rejected), n - castling_moves);
    assert_int_equal(rejected, castling_moves);
    for (unsigned i = 0; i < n - castling_moves; i++) {
        const Position *p = &result[i].position;
        assert_true(castles_as_standard(p, WHITE) && castles_as_standard(p, BLACK));
    }
    for (unsigned i = 0; i < n; i++)
        if (data_rejection(&data_format_binpack, &sample[i]) == DATA_ACCEPT)
            castling_lost -= (data_lost_fields(&data_format_binpack, &sample[i]) & DATA_CASTLING) != 0;
    assert_int_equal(castling_lost, 0);
}

/* Records that do not follow each other, as after a filter, and games that are split. */
static void gaps_and_split_games_are_kept(void **state) {
    uint64_t seed = 8, rejected;
    const DataFormat *const game_formats[] = {&data_format_viri, &data_format_binpack};
    const unsigned all = random_game(&seed, false, 200, sample);
    unsigned n = 0;
    for (unsigned i = 0; i < all; i++)
        if (i % 3 != 1) sample[n++] = sample[i];
    for (int f = 0; f < 2; f++) {
        assert_int_equal(round_trip(game_formats[f], sample, n, result, &rejected), n);
        for (unsigned i = 0; i < n; i++) assert_int_equal(difference(&sample[i], &result[i]), 0);
    }
    const unsigned whole = random_game(&seed, false, 200, sample);
    sample[10].starts_game = sample[11].starts_game = true;
    assert_int_equal(round_trip(&data_format_viri, sample, whole, result, &rejected), whole);
    for (unsigned i = 0; i < whole; i++) assert_int_equal(result[i].starts_game, sample[i].starts_game);
}

/* An en passant square without a legal capture is none. */
static void ep_without_capture_is_dropped(void **state) {
    DataRecord r = {.result = 0};
    uint64_t rejected;
    assert_true(fen_parse(&r.position, "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2", NULL));
    r.position.ep = 43;
    const DataFormat *const any[] = {&data_format_bin, &data_format_marlin};
    for (int f = 0; f < 2; f++) {
        assert_int_equal(round_trip(any[f], &r, 1, result, &rejected), 1);
        assert_int_equal(result[0].position.ep, 0);
    }
}

/* ---- errors ---- */

static void read_fails(const DataFormat *format, const void *bytes, size_t n, DataReadStatus status, const char *where,
                       const char *fault) {
    DataRecord r;
    TabiaError error = {0};
    DataReader *reader = data_reader_memory(bytes, n, format, &error);
    DataReadStatus got;
    while ((got = data_read(reader, &r, &error)) == DATA_READ_OK) continue;
    if (got != status || !strstr(error.text, where) || !strstr(error.text, fault))
        fail_msg("%s: %d, '%s' where %d, '%s', '%s' was expected", format->name, got, error.text, status, where, fault);
    data_reader_close(reader);
}

static void errors_name_the_fault(void **state) {
    const unsigned n = make_sample(7, false);
    assert_true(n > 3);
    DataEncoder e = encoded(&data_format_bin, sample, 3);
    uint8_t *at = e.bytes.data, original[120];
    memcpy(original, at, sizeof original);
    read_fails(&data_format_bin, at, 119, DATA_READ_ERROR, "record 3, byte 80:", "truncated: 39 of the 40 bytes");
    at[40] = 0, at[41] = 0; /* both kings on a1, as some converters leave them */
    read_fails(&data_format_bin, at, 120, DATA_READ_BAD_RECORD, "record 2, byte 40:", "both kings are on a1");
    memcpy(at, original, sizeof original);
    at[80 + 38] = 2;
    read_fails(&data_format_bin, at, 120, DATA_READ_BAD_RECORD, "record 3, byte 80:", "the result is 2");
    memcpy(at, original, sizeof original);
    at[1] |= 0xc0, at[2] |= 1; /* the type of the first piece */
    read_fails(&data_format_bin, at, 120, DATA_READ_BAD_RECORD, "record 1, byte 0:", "the piece on a8 has type 7");
    memcpy(at, original, sizeof original);
    at[34] = 63, at[35] = 0;
    read_fails(&data_format_bin, at, 120, DATA_READ_BAD_RECORD, "record 1, byte 0:", "illegal move: a1h8");
    data_encoder_free(&e);
    e = encoded(&data_format_viri, sample, 3);
    read_fails(&data_format_viri, e.bytes.data, e.bytes.size - 4, DATA_READ_ERROR,
               "record 4, byte 44:", "the zeros that end a game");
    e.bytes.data[36] = 0xff;
    read_fails(&data_format_viri, e.bytes.data, e.bytes.size, DATA_READ_BAD_RECORD,
               "record 2, byte 36:", "illegal move");
    data_encoder_free(&e);
    static const char text[] = "fen 8/8/8/8/8/8/8/8 w - - 0 1\nscore 1\nresult 0\ne\n";
    read_fails(&data_format_plain, text, sizeof text - 1, DATA_READ_BAD_RECORD,
               "record 1, byte 0:", "white has no king");
    static const struct {
        const char *line, *fault;
    } lines[] = {
        {"8/8/8/8/8/8/8/8 w - - 0 1 | 1 | 0.5", "line 1: FEN field 1"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | 1", "this has one '|'"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1", "this has no '|'"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | 1.5 | 0.5", "the score '1.5'"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | 32768 | 0.5", "the score '32768'"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | | 0.5", "the score ''"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | 1 | 0.7", "the result '0.7'"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 1 | 1 | 0.5 | 1", "the score '0.5'"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        read_fails(&data_format_text, lines[i].line, strlen(lines[i].line), DATA_READ_BAD_RECORD,
                   "record 1, byte 0:", lines[i].fault);
    read_fails(&data_format_binpack, "PUNK\0\0\0\0", 8, DATA_READ_ERROR, "record 1, byte 0:", "BINP");
}

/* Writes one record, which may be faulty, changes a byte (at >= 0), and reads it. */
static void read_changed_record_fails(const DataFormat *format, const DataRecord *r, int offset, uint8_t flip,
                                      const char *fault) {
    DataEncoder e = encoded(format, r, 1);
    if (offset >= 0) e.bytes.data[offset] ^= flip;
    read_fails(format, e.bytes.data, e.bytes.size, DATA_READ_BAD_RECORD, "record 1, byte 0:", fault);
    data_encoder_free(&e);
}

/* Bits that a format leaves unused make no record bad: other readers do not look at them. But they are reported. */
static void unused_bits_are_reported(void **state) {
    static const struct {
        const DataFormat *format;
        unsigned byte;
        uint8_t bit;
    } unused[] = {{&data_format_bin, 31, 0x80},   {&data_format_bin, 29, 1},    {&data_format_bullet, 29, 1},
                  {&data_format_bullet, 31, 128}, {&data_format_marlin, 31, 4}, {&data_format_viri, 31, 1}};
    for (unsigned i = 0; i < sizeof unused / sizeof *unused; i++) {
        DataEncoder e = encoded(unused[i].format, sample, 2);
        DataRecord r[2][2]; /* of a good file, and of one with the bit */
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(decoded(unused[i].format, e.bytes.data, e.bytes.size, r[k]), 2);
            assert_true(r[k][0].unused == k);
            e.bytes.data[unused[i].byte] |= unused[i].bit;
        }
        assert_true(position_same(&r[0][0].position, &r[1][0].position) && r[0][0].score == r[1][0].score);
        data_encoder_free(&e);
    }
}

static void moves_and_kings_fit_the_position(void **state) {
    static const char plain[] = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                                "move e2e5\nscore 1\nply 0\nresult 0\ne\n";
    uint64_t seed = 7;
    assert_true(random_game(&seed, false, 4, sample) == 4 && sample[0].position.fullmove == 1);
    read_fails(&data_format_plain, plain, sizeof plain - 1, DATA_READ_BAD_RECORD,
               "record 1, byte 0:", "illegal move: 'e2e5'");
    read_changed_record_fails(&data_format_bin, &sample[0], 35, 1 << 4, "with flag 0 and promotion 1");
    read_changed_record_fails(&data_format_bullet, &sample[0], 28, 1,
                              "the king squares are 4 and 61, but the kings are on e1 and e8");
}

static void faulty_records_are_errors(void **state) {
    DataRecord r = {.result = 0}, check = r;
    assert_true(fen_parse(&r.position, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", NULL));
    r.move = move_from_squares(&r.position, 4, 7, PAWN);
    assert_int_not_equal(r.move, 0);
    read_changed_record_fails(&data_format_bin, &r, 35, 0xc0, "illegal move: e1h1 with flag 0");
    read_changed_record_fails(&data_format_bullet, &r, 26, 3 ^ 1, "the result is 3");
    read_changed_record_fails(&data_format_bullet, &r, 27, 1, "the king squares are");
    read_changed_record_fails(&data_format_marlin, &r, 30, 3 ^ 1, "the result is 3");
    read_changed_record_fails(&data_format_marlin, &r, 24, 64 ^ 43, "no black pawn on d5");
    read_changed_record_fails(&data_format_marlin, &r, 12, 5, "there are more pieces");
    assert_true(fen_parse(&check.position, "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", NULL));
    check.position.turn = WHITE;
    for (unsigned f = 0; f < DATA_FORMATS_N; f++)
        if (data_format(f)->write && !data_format(f)->requires)
            read_changed_record_fails(data_format(f), &check, -1, 0, "only the side to move may be in check");
}

static void formats_by_name(void **state) {
    TabiaError error;
    assert_ptr_equal(data_format_by_name("bin", &error), &data_format_bin);
    assert_ptr_equal(data_format_by_extension("a/b.c/games.VIRI"), &data_format_viri);
    assert_ptr_equal(data_format_by_extension("x.binpack"), &data_format_binpack);
    assert_null(data_format_by_extension("a.bin/games"));
    assert_null(data_format_by_extension("bin"));
    assert_null(data_format_by_extension(""));
    assert_ptr_equal(data_format_by_extension("x.txt"), &data_format_plain);
    assert_true(data_format_has_name(&data_format_text, "x.txt") && data_format_has_name(&data_format_plain, "x.txt"));
    assert_false(data_format_has_name(&data_format_bin, "x.txt") || data_format_has_name(&data_format_bin, "x"));
    assert_null(data_format_by_name("pack", &error));
    assert_non_null(strstr(error.text, "viri, marlin, bin, bullet, binpack, plain, text, monty, pgn"));
}

#include "test_data_formats_list.h"
