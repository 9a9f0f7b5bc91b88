/* SPDX-License-Identifier: MIT */
/* How the rules of shogi end games: repetition over the whole game, perpetual check, no move, declaration. */
#include "base/random.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/declaration.h"
#include "rules/mate_in_one.h"
#include "selfplay/rules.h"
#include "unit.h"

enum { PLIES_MAX = 600 };

typedef struct {
    Position position[PLIES_MAX + 1];
    Move move[PLIES_MAX];
    unsigned ply;
} Game;

static void begin(Game *g, const char *fen) {
    TabiaError error;
    g->ply = 0;
    if (!fen_parse(&g->position[0], fen, &error)) fail_msg("%s", error.text);
}

static void play(Game *g, const char *moves) {
    char text[400], *rest = text;
    snprintf(text, sizeof text, "%s", moves);
    for (const char *word; (word = strtok_r(rest, " ", &rest));) {
        const Move m = move_from_uci(&g->position[g->ply], word);
        if (!m) fail_msg("%s is not legal", word);
        g->move[g->ply] = m;
        position_make_move(&g->position[g->ply + 1], &g->position[g->ply], m);
        g->ply++;
    }
}

/* The ending at the last position alone; none of the positions before may have ended the game. */
static void expect(const Game *g, unsigned ending, int white_result) {
    const GameRules rules = {.declaration = 1};
    int result;
    for (unsigned ply = 0; ply < g->ply; ply++)
        assert_int_equal(game_ending(&rules, g->position, g->move, ply, &result), GAME_ENDING_NONE);
    assert_int_equal(game_ending(&rules, g->position, g->move, g->ply, &result), ending);
    assert_int_equal(result, white_result);
}

static void the_fourth_time_draws(void **state) {
    Game g;
    begin(&g, fen_start);
    for (int i = 0; i < 2; i++) play(&g, "2h3h 8b7b 3h2h 7b8b");
    expect(&g, GAME_ENDING_NONE, 0);
    play(&g, "2h3h 8b7b 3h2h 7b8b");
    expect(&g, GAME_ENDING_repetition, 0);
    /* other moves in between forget nothing */
    begin(&g, fen_start);
    play(&g, "2h3h 8b7b 3h2h 7b8b 2h4h 8b6b 4h2h 6b8b 2h5h 8b5b 5h2h");
    expect(&g, GAME_ENDING_NONE, 0);
    play(&g, "5b8b");
    expect(&g, GAME_ENDING_repetition, 0);
}

static void hands_distinguish_positions(void **state) {
    Game g;
    begin(&g, "4k4/9/9/9/9/9/9/9/4K4 b 4P2p 1");
    for (int i = 0; i < 3; i++) play(&g, i == 2 ? "P*5g 5a5b 5i5h" : "5i5h 5a5b 5h5i 5b5a");
    expect(&g, GAME_ENDING_NONE, 0);
}

/* White's king runs between two squares, black checks with every move. */
static void who_only_checks_loses(void **state) {
    static const char start[] = "5k3/9/9/9/9/9/9/9/R3K4 b - 1";
    Game g;
    begin(&g, start);
    play(&g, "9i9a");
    for (int i = 0; i < 3; i++) play(&g, "4a4b 9a9b 4b4a 9b9a");
    expect(&g, GAME_ENDING_perpetual_check, 1);
    /* with colours exchanged the other side loses */
    begin(&g, "4k3r/9/9/9/9/9/9/9/3K5 w - 1");
    play(&g, "1a1i");
    for (int i = 0; i < 3; i++) play(&g, "6i6h 1i1h 6h6i 1h1i");
    expect(&g, GAME_ENDING_perpetual_check, -1);
}

/* One move of the cycle that is no check makes it a draw. */
static void one_quiet_move_makes_a_draw(void **state) {
    Game g;
    begin(&g, "5k3/9/9/9/9/9/9/9/R3K4 b - 1");
    play(&g, "9i9a");
    for (int i = 0; i < 3; i++) play(&g, i == 1 ? "4a4b 9a9c 4b4a 9c9a" : "4a4b 9a9b 4b4a 9b9a");
    expect(&g, GAME_ENDING_repetition, 0);
}

static void no_move_loses(void **state) {
    Game g;
    begin(&g, "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    expect(&g, GAME_ENDING_mate, -1);
    begin(&g, "K7k/2+r6/1+r7/9/9/9/9/9/9 b - 1");
    expect(&g, GAME_ENDING_no_move, 1);
}

static void a_win_is_declared(void **state) {
    static const struct {
        const char *fen;
        bool wins;
    } cases[] = {
        {"KGGSSSSGG/PP7/9/9/9/9/9/9/8k b RB8P 1", true},     /* 28 points */
        {"KGGSSSSGG/PP7/9/9/9/9/9/9/8k b RB7P 1", false},    /* 27 */
        {"KGGSSSSGG/P8/9/9/9/9/9/9/8k b 2R2B8P 1", false},   /* nine pieces */
        {"KGGSSSSGG/P8/9/1P7/9/9/9/9/8k b 2R2B8P 1", false}, /* the tenth is not there */
        {"1GGSSSSGG/PP7/9/K8/9/9/9/9/8k b 2R2B8P 1", false}, /* nor is the king */
        {"KGGSSSSGG/1P6P/9/9/9/9/9/9/r7k b RB8P 1", false},  /* in check */
        {"KGGSSSSG+R/PP7/9/9/9/9/9/9/7k1 b B9P 1", true},    /* a dragon is worth five too */
        {"8K/9/9/9/9/9/9/7pp/kggssssgg w rb7p 1", true},     /* 27 for white */
        {"8K/9/9/9/9/9/9/7pp/kggssssgg w rb6p 1", false},
        {"RRBBKGGGG/+P+P+P+P5/9/9/9/9/9/9/4k4 b - 1", true}, /* 28 points, nothing in hand */
        {"RRBBKGGGG/+P+P+P6/9/9/9/9/9/9/4k4 b - 1", false},
        {"RRBBKGGGG/+P+P+P6/9/9/9/9/9/9/4k4 b P 1", true},    /* a pawn in hand counts */
        {"RRBBKGGGG/+P+P+P+P5/9/9/9/9/9/9/4k4 w - 1", false}, /* the other's turn */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Game g;
        begin(&g, cases[i].fen);
        const int winner = g.position[0].turn == WHITE ? 1 : -1;
        if (declaration_wins(&g.position[0]) != cases[i].wins) fail_msg("%s", cases[i].fen);
        expect(&g, cases[i].wins ? GAME_ENDING_declaration : GAME_ENDING_NONE, cases[i].wins ? winner : 0);
    }
    /* a run may leave it to the players */
    Game g;
    int result;
    const GameRules rules = {.declaration = 0};
    begin(&g, cases[0].fen);
    assert_int_equal(game_ending(&rules, g.position, g.move, 0, &result), GAME_ENDING_NONE);
}

/* ---- mates in one ---- */

/* Mates in one: what is found mates, in random games too; and what is looked for is found. */

static void is_mate(const Position *p, Move m) {
    Position after;
    assert_true(move_is_legal(p, m));
    position_make_move(&after, p, m);
    assert_true(in_check(&after));
    assert_int_equal(moves_count(&after), 0);
}

static void finds(const char *sfen, const char *move) {
    Position p;
    assert_true(fen_parse(&p, sfen, NULL));
    const Move m = mate_in_one(&p);
    assert_int_equal(m, move ? move_from_uci(&p, move) : 0);
    if (!m) return;
    is_mate(&p, m);
    const Position turned = position_flipped(&p);
    is_mate(&turned, mate_in_one(&turned));
}

static void looked_for(void **state) {
    finds("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
    finds("3gkg3/9/4P4/9/9/9/9/9/4K4 b G 1", NULL);    /* both golds defend the square */
    finds("4k4/9/4P4/9/9/9/9/9/4K4 b P 1", NULL);      /* a pawn dropped may not mate, and this one does not */
    finds("7nk/7np/9/9/9/9/9/9/4K4 b N 1", "N*2c");    /* smothered */
    finds("7nk/6gnp/9/9/9/9/9/9/4K4 b N 1", NULL);     /* the gold takes the knight */
    finds("8k/6G1p/7P1/9/9/9/9/9/4K4 b - 1", "2c2b+"); /* nothing to drop */
    finds("8k/8p/7S1/7L1/9/9/9/9/4K4 b - 1", "2c2b+");
    finds("8k/9/9/9/9/9/9/9/4K4 b RBGSNL 1", NULL); /* nothing stands behind */
    finds("9/9/9/9/9/9/9/9/4K4 b RBGSNL 1", NULL);  /* nobody to mate */
}

/* A random game; the number of mates that were found in it. */
static unsigned play_at_random(uint64_t *random) {
    Position p;
    unsigned found = 0;
    fen_parse(&p, fen_start, NULL);
    for (int ply = 0; ply < 300; ply++) {
        Move list[MOVES_MAX];
        const unsigned n = moves_list(&p, list);
        if (!n) break;
        const Move mate = in_check(&p) ? 0 : mate_in_one(&p);
        if (mate) is_mate(&p, mate), found++;
        Move m = list[random_below(random, n)];
        if (moves_list_captures(&p, list) && random_below(random, 2)) m = list[0];
        position_make_move(&p, &p, m);
    }
    return found;
}

static void mates_in_random_games(void **state) {
    uint64_t random = 1;
    unsigned found = 0;
    for (int game = 0; game < 300; game++) found += play_at_random(&random);
    assert_true(found > 100);
}

#include "test_shogi_endings_list.h"
