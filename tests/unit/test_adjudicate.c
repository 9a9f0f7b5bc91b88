/* SPDX-License-Identifier: MIT */
/* Ends of games, filters, openings: on cases made for each. */
#include "fen_tools.h"

#include "datagen/filter.h"
#include "datagen/openings.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/validate.h"
#include "selfplay/chess960.h"

static DatagenSettings default_settings(void) {
    DatagenSettings s;
    datagen_settings_default(&s);
    return s;
}

static const Move no_moves[1]; /* the rules of chess ask for positions only */

/* ---- by the rules ---- */

/* A last position, how the game ends there, and its result for white. */
typedef struct {
    const char *fen;
    GameTermination end;
    int white;
} EndedGame;

static void assert_ends(const DatagenSettings *s, const EndedGame *game) {
    Adjudicator a;
    adjudicator_init(&a, &s->rules, &s->adjudication);
    const Position p = parsed(game->fen);
    assert_int_equal(adjudicate_position(&a, &p, no_moves, 0), game->end);
    assert_int_equal(a.white_result, game->white);
}

static void rules_end_games(void **state) {
    static const EndedGame cases[] = {
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", TERMINATION_mate, 1},
        {"8/8/8/8/8/6k1/6q1/7K w - - 0 1", TERMINATION_mate, -1},
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", TERMINATION_mate, 1}, /* mate has precedence */
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", TERMINATION_stalemate, 0},
        {"7k/8/8/8/8/8/R7/K7 w - - 100 90", TERMINATION_fifty_moves, 0},
        {"7k/8/8/8/8/8/R7/K7 w - - 99 90", TERMINATION_NONE, 0},
        {"7k/8/8/8/8/8/N7/K7 w - - 0 1", TERMINATION_insufficient_material, 0},
        {"7k/8/8/8/8/8/P7/K7 w - - 0 1", TERMINATION_NONE, 0},
    };
    const DatagenSettings s = default_settings();
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) assert_ends(&s, &cases[i]);
}

static void insufficient_material_may_continue(void **state) {
    DatagenSettings s = default_settings();
    s.rules.insufficient_material = 0;
    Adjudicator a;
    adjudicator_init(&a, &s.rules, &s.adjudication);
    const Position p = parsed("7k/8/8/8/8/8/N7/K7 w - - 0 1");
    assert_int_equal(adjudicate_position(&a, &p, no_moves, 0), TERMINATION_NONE);
}

static void repetition_and_length_end_games(void **state) {
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    DatagenSettings s = default_settings();
    Adjudicator a;
    Position at[12];
    adjudicator_init(&a, &s.rules, &s.adjudication);
    at[0] = parsed(fen_start);
    for (unsigned ply = 0; ply < 9; ply++) {
        assert_int_equal(adjudicate_position(&a, at, no_moves, ply),
                         ply < 8 ? TERMINATION_NONE : TERMINATION_repetition);
        position_make_move(&at[ply + 1], &at[ply], move_from_uci(&at[ply], moves[ply % 4]));
    }
    s.adjudication.max_ply = 5;
    assert_int_equal(adjudicate_position(&a, at, no_moves, 4), TERMINATION_NONE);
    assert_int_equal(adjudicate_position(&a, at, no_moves, 5), TERMINATION_max_ply);
}

/* ---- by scores: as white sees them, ply after ply, until the game ends ---- */

static GameTermination end_of_scores(const DatagenSettings *s, const int *white, unsigned n, unsigned *plies,
                                     int *result) {
    Adjudicator a;
    GameTermination end = TERMINATION_NONE;
    Position p = parsed(fen_start);
    adjudicator_init(&a, &s->rules, &s->adjudication);
    for (*plies = 0; *plies < n && end == TERMINATION_NONE; ++*plies) {
        p.turn = *plies % 2;
        end = adjudicate_score(&a, &p, *plies, p.turn == WHITE ? white[*plies] : -white[*plies]);
    }
    *result = a.white_result;
    return end;
}

static void scores_end_games(void **state) {
    static const struct {
        int white[8];
        GameTermination end;
        unsigned plies;
        int result;
    } cases[] = {
        {{100, 500, 500, 500, 0, 0, 0, 0}, TERMINATION_resign, 4, 1},
        {{-500, -500, -600, 0, 0, 0, 0, 0}, TERMINATION_resign, 3, -1},
        {{500, 499, 500, 500, 499, 500, 500, 500}, TERMINATION_resign, 8, 1},
        {{500, -500, 500, -500, 500, -500, 100, 100}, TERMINATION_NONE, 8, 0}, /* whose is it? */
        {{0, 0, 999, 1000, 0, 0, 0, 0}, TERMINATION_eval_limit, 4, 1},
        {{0, 0, -1000, 0, 0, 0, 0, 0}, TERMINATION_eval_limit, 3, -1},
        {{0, 0, 0, 3, -3, 0, 0, 0}, TERMINATION_draw, 6, 0}, /* from ply 2 on, for 4 */
        {{0, 0, 0, 4, 0, 0, 3, 0}, TERMINATION_draw, 8, 0},
    };
    DatagenSettings s = default_settings();
    s.adjudication.resign_score = 500, s.adjudication.resign_plies = 3;
    s.adjudication.draw_score = 3, s.adjudication.draw_plies = 4, s.adjudication.draw_min_ply = 2;
    s.adjudication.eval_limit = 1000;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned plies;
        int result;
        assert_int_equal(end_of_scores(&s, cases[i].white, 8, &plies, &result), cases[i].end);
        assert_int_equal(plies, cases[i].plies);
        assert_int_equal(result, cases[i].result);
    }
}

static void scores_may_be_ignored(void **state) {
    static const int white[8] = {5000, 5000, 5000, 5000, 0, 0, 0, 0};
    DatagenSettings s = default_settings();
    unsigned plies;
    int result;
    s.adjudication.eval_limit = s.adjudication.resign_plies = s.adjudication.draw_plies = 0;
    assert_int_equal(end_of_scores(&s, white, 8, &plies, &result), TERMINATION_NONE);
}

/* ---- filters ---- */

static DataRecord record(const char *fen, const char *move, int score, int result) {
    const Position p = parsed(fen);
    const Move m = move_from_uci(&p, move);
    assert_int_not_equal(m, 0);
    return (DataRecord){.position = p, .move = m, .score = (int16_t)score, .result = (int8_t)result};
}

static void filters_match_what_they_name(void **state) {
    const DataRecord quiet = record(fen_start, "e2e4", 20, 1);
    const struct {
        const char *filter;
        DataRecord match;
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
        DatagenSettings s = default_settings();
        TabiaError error;
        assert_int_equal(filter_match(&s.output, &cases[i].match), FILTERS_N);
        assert_true(filters_parse(cases[i].filter, &s.output, &error));
        assert_int_not_equal(filter_match(&s.output, &cases[i].match), FILTERS_N);
        assert_int_equal(filter_match(&s.output, &quiet), FILTERS_N);
    }
}

static void filtered_records_are_counted(void **state) {
    DatagenSettings s = default_settings();
    DatagenCounts counts = {0};
    DataRecord list[4];
    for (int i = 0; i < 4; i++) list[i] = record(fen_start, "e2e4", 100 * i, 1);
    s.output.min_ply = 9;
    assert_true(filters_parse("score=250", &s.output, NULL));
    assert_int_equal(filter_records(&s.output, list, 4, 8, &counts), 2);
    assert_int_equal(list[0].score, 100);
    assert_int_equal(list[1].score, 200);
    assert_int_equal(counts.below_min_ply, 1);
    assert_int_equal(counts.filtered[FILTER_INDEX_score], 1);
}

static void bad_settings_are_named(void **state) {
    TabiaError error = {0};
    DatagenSettings s = default_settings();
    static const char *const bad[] = {"loud", "", "quiet,", "score=", "score=0", "score=x"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(filters_parse(bad[i], &s.output, &error));
        assert_non_null(strstr(error.text, "--filter"));
    }
    for (unsigned i = 0; i < 4; i++) {
        static const char *const says[] = {"--depth2", "--random-move-count", "--random-move-max-ply",
                                           "--write-min-ply"};
        s = default_settings();
        if (i == 0) s.search.depth = 4, s.search.depth2 = 3;
        if (i == 1) s.opening.random_count = 10;
        if (i == 2) s.opening.random_min_ply = 10;
        if (i == 3) s.output.min_ply = 400;
        assert_false(datagen_settings_check(&s, &error));
        assert_non_null(strstr(error.text, says[i]));
    }
}

/* ---- openings ---- */

static void chess960_is_numbered(void **state) {
    Position p;
    TabiaError error;
    const Position start = parsed(fen_start);
    start_chess960(&p, 518, 518);
    assert_memory_equal(&p, &start, sizeof p);
    start_chess960(&p, 0, 959);
    const Position ends = parsed("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    const Position other = parsed("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1");
    assert_false(position_same(&p, &other));
    if (!position_same(&p, &ends)) {
        char fen[FEN_MAX];
        fen_write(&p, FEN_STANDARD, fen);
        fail_msg("%s", fen);
    }
    PieceType seen[960][8];
    for (unsigned n = 0; n < 960; n++) {
        start_chess960(&p, n, 959 - n);
        if (!position_validate(&p, &error)) fail_msg("%u: %s", n, error.text);
        assert_int_equal(popcount(p.castle[WHITE]), 2);
        for (int f = 0; f < 8; f++) seen[n][f] = piece_type_at(&p, f);
        for (unsigned m = 0; m < n; m++) assert_memory_not_equal(seen[n], seen[m], sizeof seen[n]);
    }
}

/* A book with the line; NULL: it is refused with these words. */
static void expect_book(const char *line, const char *fen, const char *words) {
    char name[] = "/tmp/tabia-test-XXXXXX", got[FEN_MAX];
    Openings o;
    TabiaError error;
    Position p;
    uint64_t random = 1;
    FILE *file = fdopen(mkstemp(name), "w");
    assert_true(file && fputs(line, file) >= 0 && !fclose(file));
    const bool good = openings_open(&o, name, START_standard, true, NULL, &error);
    remove(name);
    if (good != (fen != NULL)) fail_msg("%.40s: %s", line, good ? "is read" : error.text);
    if (!good) {
        if (!strstr(error.text, words)) fail_msg("'%s' instead of '%s'", error.text, words);
        return;
    }
    assert_true(openings_draw(&o, &random, &p));
    fen_write(&p, FEN_STANDARD, got);
    assert_string_equal(got, fen);
    openings_close(&o);
}

static void books_have_moves(void **state) {
    static const char after[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    expect_book("startpos\r\n", fen_start, NULL);
    expect_book("startpos moves e2e4 e7e5", after, NULL);
    expect_book("\xef\xbb\xbf position startpos  moves  e2e4\te7e5 \r\n", after, NULL);
    expect_book("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e7e5\n", after, NULL);
    expect_book("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - moves e7e5\n", after, NULL);
    expect_book("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3;\n", after, NULL);
    expect_book("startpos moves e2e4 e2e4\n", NULL, "line 1: move 2, 'e2e4', is not legal");
    expect_book("startpos e2e4\n", NULL, "'e2e4' behind startpos");
    expect_book("startposition\n", NULL, "line 1");
    char line[4096] = "startpos moves"; /* longer than any FEN */
    for (unsigned i = 0; i < 100; i++) strcat(line, " g1f3 g8f6 f3g1 f6g8");
    expect_book(strcat(line, " e2e4 e7e5\n"), after, NULL);
}

#include "test_adjudicate_list.h"
