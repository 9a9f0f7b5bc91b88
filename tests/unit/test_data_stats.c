/* SPDX-License-Identifier: MIT */
/* What statistics of training data count of a position: squares and piece types, as the side to move sees them; and in
   which bins values count. */
#include "data/stats.h"
#include "helpers/random_games.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "unit.h"

static DataRecord record(const char *fen, const char *move) {
    TabiaError error;
    DataRecord r = {.starts_game = true};
    if (!fen_parse(&r.position, fen, &error)) fail_msg("%s", error.text);
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
    uint64_t seed = 5, records = 0, pieces = 0, sum[GAME_TABLES_N] = {0};
    DataStats *s = calloc(1, sizeof *s);
    for (unsigned g = 0; g < 40; g++) {
        const unsigned plies = random_game(&seed, true, 100, game);
        for (unsigned i = 0; i < plies; i++) {
            data_stats_add(s, &game[i]);
            pieces += (unsigned)popcount(occupied(&game[i].position));
        }
        records += plies;
    }
    data_stats_end(s);
    for (unsigned t = 0; t < GAME_TABLES_N; t++)
        for (unsigned i = 0; i < GAME_CELLS_MAX; i++) {
            sum[t] += s->table[t].cell[i];
            assert_true(i < data_table_shape(t)->cells || !s->table[t].cell[i]);
        }
    for (unsigned t = 0; t <= GAME_TABLE_moved_pieces; t++) assert_int_equal(sum[t], records);
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

#include "test_data_stats_list.h"
