/* SPDX-License-Identifier: MIT */
/* What the search asks of chess, against plain answers, on the positions of random games. */
#include "unit.h"

#include "base/random.h"
#include "fen.h"
#include "game.h"
#include "notation.h"

enum { GAMES = 300, PLIES = 160 };

/* Calls check on every position of random games. */
static void random_games(void (*check)(void *context, const Position *p, Key key), void *context, const Zobrist *z) {
    uint64_t seed = 42;
    for (int g = 0; g < GAMES; g++) {
        Position p;
        assert_true(fen_parse(&p, fen_start, NULL));
        for (int ply = 0; ply < PLIES; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = game_moves(&p, list);
            check(context, &p, zobrist_key(z, &p));
            if (!n) break;
            position_play(&p, &p, list[random_below(&seed, n)]);
        }
    }
}

static bool contains(const Move *list, unsigned n, Move m) {
    while (n--)
        if (list[n] == m) return true;
    return false;
}

static void check_captures(void *context, const Position *p, Key key) {
    (void)key, (void)context;
    Move all[MOVES_MAX], captures[MOVES_MAX];
    const unsigned n = game_moves(p, all), c = game_captures(p, captures);
    unsigned wanted = 0;
    for (unsigned i = 0; i < n; i++) {
        const bool queens = move_flag(all[i]) == PROMOTION + QUEEN;
        const bool want = queens || (game_taken(p, all[i]) != NO_KIND && !move_promotes(all[i]));
        wanted += want;
        assert_int_equal(contains(captures, c, all[i]), want);
    }
    assert_int_equal(c, wanted);
}

static void captures_are_the_capturing_moves(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    random_games(check_captures, NULL, &z);
}

static Position flipped(const Position *p) {
    Position f = *p;
    f.side[WHITE] = __builtin_bswap64(p->side[BLACK]), f.side[BLACK] = __builtin_bswap64(p->side[WHITE]);
    f.pawn = __builtin_bswap64(p->pawn), f.knight = __builtin_bswap64(p->knight);
    f.king = __builtin_bswap64(p->king), f.diag = __builtin_bswap64(p->diag), f.orth = __builtin_bswap64(p->orth);
    f.castle[WHITE] = p->castle[BLACK], f.castle[BLACK] = p->castle[WHITE];
    f.ep = p->ep ? (uint8_t)(p->ep ^ 56) : 0;
    f.turn = !p->turn;
    return f;
}

/* The same position with the colours changed is worth the same; with the pawn table as without; and the trace says why.
 */
static void check_evaluation(void *context, const Position *p, Key key) {
    (void)key;
    Evaluator *e = context, plain = *e;
    plain.pawns = NULL;
    if (in_check(p)) return;
    const Position f = flipped(p);
    const int value = evaluate(e, p);
    assert_int_equal(value, evaluate(e, &f));
    assert_int_equal(value, evaluate(&plain, p));
    EvaluationTrace trace;
    evaluate_trace(e, p, &trace);
    double middle = 0, end = 0;
    for (int i = 0; i < WEIGHTS; i++) {
        middle += trace.coefficient[i] * weights[i].middle;
        end += trace.coefficient[i] * weights[i].end;
    }
    const double sum = (middle * trace.phase + end * trace.scale / SCALE_MAX * (PHASE_MAX - trace.phase)) / PHASE_MAX;
    assert_true(sum - (p->turn == WHITE ? value : -value) < 2 && sum - (p->turn == WHITE ? value : -value) > -2);
}

static void evaluation_is_fair(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    TabiaTable *pawns;
    const TabiaOptions options = {.face = TABIA_RECORDS, .record_words = PAWN_WORDS, .bytes = 1 << 16};
    assert_int_equal(tabia_table_create(&pawns, &options, NULL), 0);
    Evaluator e;
    evaluator_init(&e, &z, pawns);
    random_games(check_evaluation, &e, &z);
    assert_true(e.hits > e.probes / 4);
    tabia_table_destroy(pawns);
}

/* Exchanges, worked out by hand. */
static void exchanges(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
        int value;
    } cases[] = {
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100},
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220},
        {"4k3/8/3p4/4r3/8/8/8/4QK2 w - - 0 1", "e1e5", -450},
        {"4k3/8/8/4r3/8/8/8/4QK2 w - - 0 1", "e1e5", 500},
        {"4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -220},
        {"4k3/8/2n5/4p3/3P4/5N2/8/4K3 w - - 0 1", "d4e5", 100},
        {"8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", 850},
        {"1r6/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", -100},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position p;
        assert_true(fen_parse(&p, cases[i].fen, NULL));
        Move list[MOVES_MAX], m = 0;
        for (unsigned n = game_moves(&p, list); n--;) {
            char text[6];
            move_to_uci(&p, list[n], false, text);
            if (!strcmp(text, cases[i].move)) m = list[n];
        }
        assert_true(m);
        assert_true(see_at_least(&p, m, cases[i].value));
        assert_false(see_at_least(&p, m, cases[i].value + 1));
    }
}

/* A move that leads from p to q is known as upcoming wherever it can be taken back. */
typedef struct {
    const Zobrist *z;
    Upcoming *u;
} Both;

static void check_upcoming(void *context, const Position *p, Key key) {
    const Both *both = context;
    Move list[MOVES_MAX];
    for (unsigned n = game_moves(p, list); n--;) {
        const Key after = game_key_after(both->z, p, key, list[n]);
        Position q;
        position_play(&q, p, list[n]);
        const bool takes_back = q.halfmove && move_flag(list[n]) == PLAIN && p->castle[0] == q.castle[0] &&
                                p->castle[1] == q.castle[1] && !p->ep;
        assert_int_equal(upcoming_move(both->u, p, key[1] ^ after[1]), takes_back);
    }
}

static void upcoming_moves_are_known(void **state) {
    (void)state;
    Zobrist z;
    Upcoming *u = malloc(sizeof *u);
    zobrist_init(&z, 7);
    upcoming_init(u, &z);
    Both both = {&z, u};
    random_games(check_upcoming, &both, &z);
    free(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_are_the_capturing_moves),
        cmocka_unit_test(evaluation_is_fair),
        cmocka_unit_test(exchanges),
        cmocka_unit_test(upcoming_moves_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
