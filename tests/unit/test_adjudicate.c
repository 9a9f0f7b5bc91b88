/* SPDX-License-Identifier: MIT */
/* Ends of games, filters, openings: on cases made for each. */
#include "unit.h"

#include <stdio.h>

#include "datagen/dedupe.h"
#include "datagen/filter.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/validate.h"

static Settings plain_settings(void) {
    Settings s;
    settings_default(&s);
    return s;
}

static Position position(const char *fen) {
    Position p;
    TabiaError error;
    if (!fen_parse(&p, fen, &error)) fail_msg("%s", error.text);
    return p;
}

/* ---- by the rules ---- */

static void rules_end_games(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        GameEnd end;
        int white;
    } cases[] = {
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", GAME_END_mate, 1},
        {"8/8/8/8/8/6k1/6q1/7K w - - 0 1", GAME_END_mate, -1},
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", GAME_END_mate, 1}, /* mate goes first */
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", GAME_END_stalemate, 0},
        {"7k/8/8/8/8/8/R7/K7 w - - 100 90", GAME_END_fifty, 0},
        {"7k/8/8/8/8/8/R7/K7 w - - 99 90", GAME_GOES_ON, 0},
        {"7k/8/8/8/8/8/N7/K7 w - - 0 1", GAME_END_material, 0},
        {"7k/8/8/8/8/8/P7/K7 w - - 0 1", GAME_GOES_ON, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Settings s = plain_settings();
        Adjudicator a;
        adjudicator_begin(&a, &s);
        const Position p = position(cases[i].fen);
        assert_int_equal(adjudicate_position(&a, &p, 0), cases[i].end);
        assert_int_equal(a.white, cases[i].white);
    }
}

static void material_may_play_on(void **state) {
    (void)state;
    Settings s = plain_settings();
    s.insufficient = 0;
    Adjudicator a;
    adjudicator_begin(&a, &s);
    const Position p = position("7k/8/8/8/8/8/N7/K7 w - - 0 1");
    assert_int_equal(adjudicate_position(&a, &p, 0), GAME_GOES_ON);
}

static void repetition_and_length_end_games(void **state) {
    (void)state;
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Settings s = plain_settings();
    Adjudicator a;
    Position at[12];
    adjudicator_begin(&a, &s);
    at[0] = position(fen_start);
    for (unsigned ply = 0; ply < 9; ply++) {
        assert_int_equal(adjudicate_position(&a, at, ply), ply < 8 ? GAME_GOES_ON : GAME_END_repetition);
        position_make_move(&at[ply + 1], &at[ply], move_from_uci(&at[ply], moves[ply % 4]));
    }
    s.write_max_ply = 5;
    assert_int_equal(adjudicate_position(&a, at, 4), GAME_GOES_ON);
    assert_int_equal(adjudicate_position(&a, at, 5), GAME_END_length);
}

/* ---- by scores: as white sees them, ply after ply, until the game ends ---- */

static GameEnd end_of_scores(const Settings *s, const int *white, unsigned n, unsigned *plies, int *result) {
    Adjudicator a;
    GameEnd end = GAME_GOES_ON;
    Position p = position(fen_start);
    adjudicator_begin(&a, s);
    for (*plies = 0; *plies < n && end == GAME_GOES_ON; ++*plies) {
        p.turn = *plies % 2;
        end = adjudicate_score(&a, &p, *plies, p.turn == WHITE ? white[*plies] : -white[*plies]);
    }
    *result = a.white;
    return end;
}

static void scores_end_games(void **state) {
    (void)state;
    static const struct {
        int white[8];
        GameEnd end;
        unsigned plies;
        int result;
    } cases[] = {
        {{100, 500, 500, 500, 0, 0, 0, 0}, GAME_END_resign, 4, 1},
        {{-500, -500, -600, 0, 0, 0, 0, 0}, GAME_END_resign, 3, -1},
        {{500, 499, 500, 500, 499, 500, 500, 500}, GAME_END_resign, 8, 1},
        {{500, -500, 500, -500, 500, -500, 100, 100}, GAME_GOES_ON, 8, 0}, /* whose is it? */
        {{0, 0, 999, 1000, 0, 0, 0, 0}, GAME_END_eval_limit, 4, 1},
        {{0, 0, -1000, 0, 0, 0, 0, 0}, GAME_END_eval_limit, 3, -1},
        {{0, 0, 0, 3, -3, 0, 0, 0}, GAME_END_draw, 6, 0}, /* from ply 2 on, for 4 */
        {{0, 0, 0, 4, 0, 0, 3, 0}, GAME_END_draw, 8, 0},
    };
    Settings s = plain_settings();
    s.resign_score = 500, s.resign_plies = 3;
    s.draw_score = 3, s.draw_plies = 4, s.draw_from = 2;
    s.eval_limit = 1000;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned plies;
        int result;
        assert_int_equal(end_of_scores(&s, cases[i].white, 8, &plies, &result), cases[i].end);
        assert_int_equal(plies, cases[i].plies);
        assert_int_equal(result, cases[i].result);
    }
}

static void scores_may_be_ignored(void **state) {
    (void)state;
    static const int white[8] = {5000, 5000, 5000, 5000, 0, 0, 0, 0};
    Settings s = plain_settings();
    unsigned plies;
    int result;
    s.eval_limit = s.resign_plies = s.draw_plies = 0;
    assert_int_equal(end_of_scores(&s, white, 8, &plies, &result), GAME_GOES_ON);
}

/* ---- filters ---- */

static DataRecord record(const char *fen, const char *move, int score, int result) {
    const Position p = position(fen);
    const Move m = move_from_uci(&p, move);
    assert_int_not_equal(m, 0);
    return (DataRecord){.position = p, .move = m, .score = (int16_t)score, .result = (int8_t)result};
}

static void filters_meet_what_they_name(void **state) {
    (void)state;
    const DataRecord quiet = record(fen_start, "e2e4", 20, 1);
    const struct {
        const char *filter;
        DataRecord meets;
    } cases[] = {
        {"check", record("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d1", 0, 1)},
        {"capture", record("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", 0, 1)},
        {"capture", record("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0, 1)},
        {"promotion", record("8/P6k/8/8/8/8/8/K7 w - - 0 60", "a7a8n", 0, 1)},
        {"quiet", record("8/P6k/8/8/8/8/8/K7 w - - 0 60", "a7a8q", 0, 1)},
        {"mate", record(fen_start, "e2e4", -31990, -1)},
        {"draw", record(fen_start, "e2e4", 0, 0)},
        {"score=500", record(fen_start, "e2e4", -501, -1)},
        {"mate,score=500", record(fen_start, "e2e4", 501, -1)},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        Settings s = plain_settings();
        TabiaError error;
        assert_int_equal(filter_met(&s, &cases[i].meets), FILTERS_N);
        assert_true(filters_parse(cases[i].filter, &s, &error));
        assert_int_not_equal(filter_met(&s, &cases[i].meets), FILTERS_N);
        assert_int_equal(filter_met(&s, &quiet), FILTERS_N);
    }
}

static void what_is_left_out_is_counted(void **state) {
    (void)state;
    Settings s = plain_settings();
    Counts counts = {0};
    DataRecord list[4];
    for (int i = 0; i < 4; i++) list[i] = record(fen_start, "e2e4", 100 * i, 1);
    s.write_min_ply = 9;
    assert_true(filters_parse("score=250", &s, NULL));
    assert_int_equal(filter_records(&s, list, 4, 8, &counts), 2);
    assert_int_equal(list[0].score, 100);
    assert_int_equal(list[1].score, 200);
    assert_int_equal(counts.early, 1);
    assert_int_equal(counts.filtered[FILTER_NUMBER_score], 1);
}

static void bad_settings_are_named(void **state) {
    (void)state;
    TabiaError error = {0};
    Settings s = plain_settings();
    static const char *const bad[] = {"loud", "", "quiet,", "score=", "score=0", "score=x"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(filters_parse(bad[i], &s, &error));
        assert_non_null(strstr(error.text, "--filter"));
    }
    for (unsigned i = 0; i < 6; i++) {
        static const char *const says[] = {"--depth2",       "--random-move-count", "--random-move-max-ply",
                                           "--table shared", "--signature-bits",    "--write-min-ply"};
        s = plain_settings();
        if (i == 0) s.depth = 4, s.depth2 = 3;
        if (i == 1) s.random_count = 10;
        if (i == 2) s.random_min_ply = 10;
        if (i == 3) s.sharing = TABIA_SHARED;
        if (i == 4) s.signature_bits = 7;
        if (i == 5) s.write_min_ply = 400;
        assert_false(settings_check(&s, &error));
        assert_non_null(strstr(error.text, says[i]));
    }
}

/* ---- openings, duplicates ---- */

static void chess960_is_numbered(void **state) {
    (void)state;
    Position p;
    TabiaError error;
    const Position start = position(fen_start);
    openings_chess960(&p, 518, 518);
    assert_memory_equal(&p, &start, sizeof p);
    openings_chess960(&p, 0, 959);
    const Position ends = position("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    const Position other = position("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1");
    assert_false(position_same(&p, &other));
    if (!position_same(&p, &ends)) {
        char fen[FEN_MAX];
        fen_write(&p, FEN_STANDARD, fen);
        fail_msg("%s", fen);
    }
    PieceType seen[960][8];
    for (unsigned n = 0; n < 960; n++) {
        openings_chess960(&p, n, 959 - n);
        if (!position_validate(&p, &error)) fail_msg("%u: %s", n, error.text);
        assert_int_equal(popcount(p.castle[WHITE]), 2);
        for (int f = 0; f < 8; f++) seen[n][f] = piece_type_at(&p, f);
        for (unsigned m = 0; m < n; m++) assert_memory_not_equal(seen[n], seen[m], sizeof seen[n]);
    }
}

static void duplicates_are_as_the_format_sees_them(void **state) {
    (void)state;
    const Position a = position("r3k3/8/8/8/8/8/8/4K3 w q - 0 1"), b = position("4k3/8/8/8/8/8/8/R3K3 b Q - 9 5");
    const Position c = position("4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
    TabiaError error;
    Dedupe *bin = dedupe_create(1000, &data_format_bin, &error);
    Dedupe *bullet = dedupe_create(1000, &data_format_bullet, &error);
    assert_false(dedupe_known(bin, &a));
    assert_true(dedupe_known(bin, &a));
    assert_false(dedupe_known(bin, &b));
    assert_false(dedupe_known(bin, &c));
    assert_false(dedupe_known(bullet, &a));
    assert_true(dedupe_known(bullet, &b));
    assert_true(dedupe_known(bullet, &c));
    dedupe_destroy(bin), dedupe_destroy(bullet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_end_games),
        cmocka_unit_test(material_may_play_on),
        cmocka_unit_test(repetition_and_length_end_games),
        cmocka_unit_test(scores_end_games),
        cmocka_unit_test(scores_may_be_ignored),
        cmocka_unit_test(filters_meet_what_they_name),
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(chess960_is_numbered),
        cmocka_unit_test(duplicates_are_as_the_format_sees_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
