/* SPDX-License-Identifier: MIT */
/* The evaluation: the same for both colours and both halves of the board; material; endings that are known. */

#include "eval/evaluate_endings.h"
#include "fen_tools.h"
#include "random_games.h"

static Bits left_right(Bits b) {
    b = (b >> 1 & 0x5555555555555555ull) | (b & 0x5555555555555555ull) << 1;
    b = (b >> 2 & 0x3333333333333333ull) | (b & 0x3333333333333333ull) << 2;
    return (b >> 4 & 0x0f0f0f0f0f0f0f0full) | (b & 0x0f0f0f0f0f0f0f0full) << 4;
}

static Position mirrored(const Position *p) {
    Position f = *p;
    f.side[WHITE] = left_right(p->side[WHITE]), f.side[BLACK] = left_right(p->side[BLACK]);
    f.pawn = left_right(p->pawn), f.knight = left_right(p->knight), f.king = left_right(p->king);
    f.diag = left_right(p->diag), f.orth = left_right(p->orth);
    f.castle[WHITE] = (uint8_t)left_right(p->castle[WHITE]), f.castle[BLACK] = (uint8_t)left_right(p->castle[BLACK]);
    f.ep = p->ep ? (uint8_t)(p->ep ^ 7) : 0;
    return f;
}

static void check_evaluation(void *context, const Position *p, Key key) {
    (void)key;
    Evaluator *e = context;
    if (in_check(p)) return;
    const Position f = position_flipped(p), m = mirrored(p);
    const int value = evaluate(e, p, 0);
    assert_int_equal(value, evaluate(e, &f, 1));
    assert_int_equal(value, evaluate(e, &m, 2));
    assert_true(value >= -EVALUATION_MAX && value <= EVALUATION_MAX);
}

static void evaluation_is_fair(void **state) {
    static Evaluator e;
    Zobrist z;
    zobrist_init(&z, 1);
    for (int type = EVALUATION_NETWORK; type <= EVALUATION_MATERIAL; type++) {
        evaluator_init(&e, (EvaluationType)type);
        random_games(check_evaluation, &e, &z);
    }
}

static int white_value(EvaluationType type, const char *fen) {
    const Position p = parsed(fen);
    Evaluator e;
    evaluator_init(&e, type);
    const int value = evaluate(&e, &p, 0);
    return p.turn == WHITE ? value : -value;
}

/* By material: what each piece is worth where it stands, for white; whoever is to move. */
static void material_has_these_values(void **state) {
    static const struct {
        const char *fen;
        int value;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 0},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 20}, /* two steps on, two to the middle */
        {"rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1", 20}, /* two steps to the middle */
        {"rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 320},
        {"rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 330},
        {"1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 500},
        {"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 950},
        {"4k3/7p/8/8/3K4/8/7P/8 w - - 0 1", 30},    /* the king in the middle, without queens */
        {"q3k3/7p/8/8/3K4/8/7P/8 b - - 0 1", -980}, /* ... and with one */
        {"4k3/1P6/8/8/8/8/7p/4K3 w - - 0 1", 4},    /* steps of pawns of both sides: 5 and 5; one from the edge */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (white_value(EVALUATION_MATERIAL, cases[i].fen) != cases[i].value)
            fail_msg("%s: %d", cases[i].fen, white_value(EVALUATION_MATERIAL, cases[i].fen));
}

/* ---- endings ---- */

/* Textbook positions, and how many of all are won, with either side to move: as in Stockfish's bitbase. */
static void king_and_pawn(void **state) {
    static const struct {
        const char *fen;
        bool won;
    } cases[] = {
        {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true},  {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true},
        {"8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false}, {"8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true},
        {"k7/8/K7/P7/8/8/8/8 w - - 0 1", false},    {"7k/8/5K2/7P/8/8/8/8 w - - 0 1", false},
        {"8/8/8/8/8/k6P/8/K7 w - - 0 1", true},     {"8/8/8/k6P/8/8/8/K7 b - - 0 1", true},
        {"8/8/8/3k3P/8/8/8/K7 b - - 0 1", false},   {"8/8/8/7P/3k4/8/8/K7 w - - 0 1", true},
        {"4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false}, {"4k3/4P3/3K4/8/8/8/8/8 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Position p = parsed(cases[i].fen), f = position_flipped(&p);
        int value, other;
        assert_true(ending_value(&p, &value));
        assert_true(ending_value(&f, &other));
        if ((value > 400) != cases[i].won) print_error("%s: %d\n", cases[i].fen, value);
        assert_int_equal(value > 400, cases[i].won);
        assert_int_equal(value, -other);
    }
    int won = 0;
    for (int i = 0; i < KPK_WORDS; i++) won += popcount(kpk_table[i]);
    assert_int_equal(won, 111282);
}

/* Every position of the table against its moves, played by the rules of chess. */
static bool wins_after(const Position *p, Move m) {
    Position n;
    position_make_move(&n, p, m);
    if (!more_than_one(n.side[BLACK]) && !more_than_one(n.side[WHITE])) return false; /* the pawn is gone */
    if (!n.pawn)
        return n.orth &&
               !(attackers(&n, BLACK, lsb(n.orth), occupied(&n)) && !attackers(&n, WHITE, lsb(n.orth), occupied(&n)));
    return kpk_wins(n.turn == WHITE, king_square(&n, WHITE), lsb(n.pawn), king_square(&n, BLACK));
}

static void king_and_pawn_by_the_rules(void **state) {
    uint64_t seed = 5;
    for (int i = 0; i < 60000; i++) {
        const int white = (int)random_below(&seed, 64), black = (int)random_below(&seed, 64);
        const int pawn = 8 + (int)random_below(&seed, 48);
        Position p = {.side = {bit(white) | bit(pawn), bit(black)}, .pawn = bit(pawn), .king = bit(white) | bit(black)};
        p.turn = i & 1, p.fullmove = 1;
        if (white == black || pawn == white || pawn == black || distance(white, black) < 2) continue;
        Position other = p;
        other.turn = !p.turn;
        if (in_check(&other)) continue;
        Move list[MOVES_MAX];
        const unsigned n = game_moves(&p, list);
        bool some = false, all = n != 0;
        for (unsigned m = 0; m < n; m++) {
            const bool wins = wins_after(&p, list[m]);
            some |= wins, all &= wins;
        }
        assert_int_equal(kpk_wins(p.turn == WHITE, white, pawn, black), p.turn == WHITE ? some : all);
    }
}

/* Both evaluations go by the same rules where a king is bare, or little can win. */
static void check_endings(EvaluationType type) {
    const int right = white_value(type, "7k/8/5K2/8/8/2B5/8/4N3 w - - 0 1"),
              wrong = white_value(type, "k7/8/2K5/8/8/2B5/8/4N3 w - - 0 1");
    assert_true(right > wrong + 100);
    assert_true(white_value(type, "7k/8/8/8/8/8/8/R3K3 w - - 0 1") >
                white_value(type, "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"));
    assert_true(white_value(type, "8/8/8/4k3/8/8/8/NN2K3 w - - 0 1") < 50);
    assert_true(white_value(type, "7k/8/8/7P/8/4B3/8/K7 w - - 0 1") > 300);
    assert_true(white_value(type, "7k/8/8/7P/8/3B4/8/K7 w - - 0 1") <
                white_value(type, "7k/8/8/7P/8/4B3/8/K7 w - - 0 1") / 2);
    assert_true(abs(white_value(type, "8/5k2/8/3n4/8/1K6/3N1N2/8 w - - 0 1")) < 50); /* knights alone win nothing */
}

static void bare_kings_are_chased(void **state) {
    check_endings(EVALUATION_MATERIAL), check_endings(EVALUATION_NETWORK);
}

#include "test_evaluate_list.h"
