/* SPDX-License-Identifier: MIT */
/* The evaluation: the same for both colours and both halves of the board, with the pawn table and without, and as the
   trace says; harmless records; endings that are known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/endings.h"
#include "eval/evaluate_pawns.h"
#include "fen_tools.h"
#include "random_games.h"

#define VALUES_OF_TERMS 0xe30c132bdf2f3940ull

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

/* An evaluator, and how often its pawn table had what it was asked for. */
typedef struct {
    Evaluator evaluator;
    unsigned asked, found;
} Remembering;

static void look_up(Remembering *r, const Position *p) {
    uint64_t words[PAWN_WORDS];
    r->asked++;
    r->found += tabia_record_probe(r->evaluator.pawns, pawn_key(p), words) && pawn_record_is_valid(words);
}

static void check_evaluation(void *context, const Position *p, Key key) {
    (void)key;
    Remembering *r = context;
    Evaluator *e = &r->evaluator, plain = *e;
    plain.pawns = NULL;
    if (in_check(p)) return;
    look_up(r, p);
    const Position f = position_flipped(p), m = mirrored(p);
    const int value = evaluate(e, p, 0);
    assert_int_equal(value, evaluate(e, &f, 0));
    assert_int_equal(value, evaluate(&plain, &m, 0));
    assert_int_equal(value, evaluate(&plain, p, 0));
    plain.type = EVALUATION_NETWORK;
    const int other = evaluate(&plain, p, 0);
    assert_int_equal(other, evaluate(&plain, &f, 1));
    assert_int_equal(other, evaluate(&plain, &m, 2));
    assert_true(other >= -EVALUATION_MAX && other <= EVALUATION_MAX);
}

static TabiaTable *new_pawn_table(uint64_t bytes) {
    TabiaTable *pawns;
    const TabiaOptions options = {.type = TABIA_RECORDS, .record_words = PAWN_WORDS, .bytes = bytes};
    assert_int_equal(tabia_table_create(&pawns, &options, NULL), 0);
    return pawns;
}

static void evaluation_is_fair(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    TabiaTable *pawns = new_pawn_table(1 << 16);
    Remembering r = {0};
    evaluator_init(&r.evaluator, pawns, EVALUATION_TERMS);
    random_games(check_evaluation, &r, &z);
    assert_true(r.found > r.asked / 4);
    tabia_table_destroy(pawns);
}

/* The largest that are believed, and all below. */
static uint64_t any_sane_score(uint64_t *seed) {
    const int middle = (int)random_below(seed, 2 * PAWN_SCORE_MAX + 1),
              end = (int)random_below(seed, 2 * PAWN_SCORE_MAX + 1);
    return (uint32_t)score_make(middle - PAWN_SCORE_MAX, end - PAWN_SCORE_MAX);
}

/* Whatever stands in the record of a position, its value stays within bounds. */
static void check_spoilt(void *context, const Position *p, Key key) {
    Remembering *r = context;
    Evaluator *e = &r->evaluator;
    if (in_check(p)) return;
    uint64_t words[PAWN_WORDS], seed = key[0];
    for (int i = 0; i < PAWN_WORDS; i++) words[i] = random_next(&seed);
    if (words[0] & 1) words[0] = any_sane_score(&seed), words[2] = any_sane_score(&seed) << 32 | any_sane_score(&seed);
    tabia_record_store(e->pawns, pawn_key(p), words);
    look_up(r, p);
    const int value = evaluate(e, p, 0);
    assert_true(value >= -EVALUATION_MAX && value <= EVALUATION_MAX);
}

static void any_record_is_harmless(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    TabiaTable *pawns = new_pawn_table(1 << 16);
    Remembering r = {0};
    evaluator_init(&r.evaluator, pawns, EVALUATION_TERMS);
    random_games(check_spoilt, &r, &z);
    assert_true(r.found > r.asked / 3);
    tabia_table_destroy(pawns);
}

/* ---- endings ---- */

static int white_value(EvaluationType type, const char *fen) {
    const Position p = parsed(fen);
    Evaluator e;
    evaluator_init(&e, NULL, type);
    const int value = evaluate(&e, &p, 0);
    return p.turn == WHITE ? value : -value;
}

/* Textbook positions, and how many of all are won, with either side to move: as in Stockfish's bitbase. */
static void king_and_pawn(void **state) {
    (void)state;
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
    (void)state;
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
    (void)state;
    check_endings(EVALUATION_TERMS), check_endings(EVALUATION_NETWORK);
}

typedef struct {
    Evaluator evaluator;
    uint64_t sum;
} ValueSum;

static void add_value(void *context, const Position *p, Key key) {
    ValueSum *s = context;
    (void)key;
    if (in_check(p)) return;
    uint64_t state = s->sum ^ (uint32_t)evaluate(&s->evaluator, p, 0);
    s->sum = random_next(&state);
}

/* A position of a few pieces, such as games of random moves do not come to; false: it is none. */
static bool draw_ending(uint64_t *seed, Position *p) {
    static const char pieces[] = "QRBNPPPqrbnppp";
    char board[64] = {0}, fen[120], *at = fen;
    const unsigned n = 1 + random_below(seed, 5);
    board[random_below(seed, 64)] = 'K';
    for (unsigned i = 0; i <= n; i++) {
        char *square = &board[random_below(seed, 64)];
        if (!*square) *square = i < n ? pieces[random_below(seed, sizeof pieces - 1)] : 'k';
    }
    for (int i = 0; i < 64; i++) {
        if (i && i % 8 == 0) *at++ = '/';
        *at++ = board[i] ? board[i] : '1';
    }
    snprintf(at, 20, " %c - - 0 1", random_below(seed, 2) ? 'w' : 'b');
    return fen_parse(p, fen, NULL);
}

/* What each term is worth has no other account than the weights: a change of any is a change of this number. After a
   new fit of weights.c it is the new one. */
static void values_of_terms_are_these(void **state) {
    (void)state;
    enum { ENDINGS = 200000 };
    static ValueSum s;
    uint64_t seed = 7;
    unsigned found = 0;
    Zobrist z;
    zobrist_init(&z, 1);
    evaluator_init(&s.evaluator, NULL, EVALUATION_TERMS);
    random_games(add_value, &s, &z);
    for (int i = 0; i < ENDINGS; i++) {
        Position p;
        if (!draw_ending(&seed, &p)) continue;
        add_value(&s, &p, (Key){0, 0});
        found++;
    }
    assert_in_range(found, ENDINGS / 4, ENDINGS);
    if (s.sum != VALUES_OF_TERMS) fail_msg("the values of the terms have changed: their sum is %#jx", (uintmax_t)s.sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_is_fair),    cmocka_unit_test(any_record_is_harmless),
        cmocka_unit_test(king_and_pawn),         cmocka_unit_test(king_and_pawn_by_the_rules),
        cmocka_unit_test(bare_kings_are_chased), cmocka_unit_test(values_of_terms_are_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
