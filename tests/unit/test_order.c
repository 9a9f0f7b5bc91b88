/* SPDX-License-Identifier: MIT */
/* The order of moves, and what it rests on: is a move legal, lists in two parts. Against the plain list of legal moves,
   on the positions of random games of chess and double Chess960, with hints of random bits. */
#include "unit.h"

#include "helpers/random_games.h"
#include "search/order.h"

enum { GAMES = 400, PLIES = 200, SEED = 20261121 };

/* ---- positions ---- */

static const char *const hard[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "r3k2r/8/8/8/1b2r3/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/4Pp2/8/8/K3R3 b - e3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
};

typedef void Check(void *context, const Position *p, uint64_t *seed);

/* Calls check on every position of random games: of chess, of double Chess960, and from hard positions. */
static void random_games(Check *check, void *context) {
    uint64_t seed = SEED;
    for (unsigned g = 0; g < GAMES; g++) {
        Position p;
        if (g % 3 == 0)
            p = random_start(&seed);
        else
            assert_true(fen_parse(&p, g % 3 == 1 ? fen_start : hard[g / 3 % (sizeof hard / sizeof *hard)], NULL));
        for (int ply = 0; ply < PLIES; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = game_moves(&p, list);
            check(context, &p, &seed);
            if (!n) break;
            position_make_move(&p, &p, list[random_below(&seed, n)]);
        }
    }
}

static bool contains(const Move *list, unsigned n, Move m) {
    while (n--)
        if (list[n] == m) return true;
    return false;
}

static void must(bool true_here, const Position *p, Move m, const char *what) {
    if (true_here) return;
    char fen[FEN_MAX];
    fen_write(p, FEN_SHREDDER, fen);
    fail_msg("seed %d, %s, move %04x: %s", SEED, fen, m, what);
}

/* ---- legality ---- */

typedef struct {
    unsigned positions, castlings, en_passants, promotions, double_checks;
} Seen;

static void note(Seen *seen, Move m) {
    seen->castlings += move_flag(m) == CASTLING;
    seen->en_passants += move_flag(m) == EN_PASSANT;
    seen->promotions += move_promotes(m);
}

/* All that the king might be thought to do, with every flag. */
static void check_king(const Position *p, const bool *legal) {
    for (unsigned rest = 0; rest < 1024; rest++) {
        const Move m = (Move)((unsigned)king_square(p, (Colour)p->turn) | rest << 6);
        must(game_is_legal(p, m) == legal[m], p, m, "legality of a king's move");
    }
}

/* All 65,536 moves of some positions; of every one the legal moves, others that differ in one bit, the king's, and
   random ones. */
static void check_legality(void *context, const Position *p, uint64_t *seed) {
    Seen *seen = context;
    static bool legal[65536];
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    const Colour them = (Colour)!p->turn;
    seen->double_checks += more_than_one(attackers(p, them, king_square(p, (Colour)p->turn), occupied(p)));
    for (unsigned i = 0; i < n; i++) legal[list[i]] = true, note(seen, list[i]);
    if (seen->positions++ % 64 == 0)
        for (unsigned m = 0; m < 65536; m++) must(game_is_legal(p, (Move)m) == legal[m], p, (Move)m, "legality");
    for (unsigned i = 0; i < n; i++) {
        must(game_is_legal(p, list[i]), p, list[i], "legal, but refused");
        for (int b = 0; b < 16; b++) {
            const Move m = (Move)(list[i] ^ 1u << b);
            must(game_is_legal(p, m) == legal[m], p, m, "legality of a neighbour");
        }
    }
    check_king(p, legal);
    for (int i = 0; i < 64; i++) {
        const Move m = (Move)random_next(seed);
        must(game_is_legal(p, m) == legal[m], p, m, "legality of random bits");
    }
    for (unsigned i = 0; i < n; i++) legal[list[i]] = false;
}

static void any_16_bits_are_judged_as_the_list_judges(void **state) {
    Seen seen = {0};
    random_games(check_legality, &seen);
    assert_true(seen.castlings > 1000 && seen.en_passants > 100 && seen.promotions > 1000 && seen.double_checks > 5);
}

/* ---- lists ---- */

static void check_parts(void *context, const Position *p, uint64_t *seed) {
    (void)context, (void)seed;
    Move all[MOVES_MAX], captures[MOVES_MAX], quiets[MOVES_MAX];
    const unsigned n = game_moves(p, all), c = game_captures(p, captures), q = game_quiets(p, quiets);
    must(n == c + q, p, 0, "the parts are not the whole");
    for (unsigned i = 0; i < n; i++) {
        const bool capture = game_is_capture(p, all[i]);
        must(contains(captures, c, all[i]) == capture, p, all[i], "among the captures");
        must(contains(quiets, q, all[i]) != capture, p, all[i], "among the quiet moves");
    }
}

static void captures_and_quiets_are_all(void **state) {
    random_games(check_parts, NULL);
}

/* ---- order ---- */

/* A move that a hint may be: none, legal, or anything. */
static Move random_hint(const Move *list, unsigned n, uint64_t *seed) {
    const unsigned kind = (unsigned)random_below(seed, 4);
    if (kind == 0) return 0;
    if (kind == 1 || !n) return (Move)random_next(seed);
    return list[random_below(seed, n)];
}

static OrderingHints random_hints(Histories *h, const Move *list, unsigned n, uint64_t *seed) {
    OrderingHints hints = {.histories = h, .table = random_hint(list, n, seed)};
    for (int i = 0; i < 3; i++)
        hints.continuation[i] = &h->continuation[random_below(seed, GAME_PIECES)][random_below(seed, GAME_SQUARES)];
    return hints;
}

/* Which stage gave a move, 0 the first. */
static int stage_of(int order) {
    return order == ORDER_TABLE ? 0 : order > ORDER_CAPTURE / 2 ? 1 : order > ORDER_LOSING / 2 ? 2 : 3;
}

/* Does a move belong into its stage? */
static void check_stage(const Position *p, const OrderingHints *h, Move m, int stage, int order) {
    const bool capture = game_is_capture(p, m);
    must((stage == 0) == (m == h->table), p, m, "the table's move is the first");
    if (stage == 1) must(capture && game_see_at_least(p, m, -20), p, m, "a capture that wins");
    if (stage == 2) must(!capture && order == quiet_history_score(p, m, h), p, m, "a quiet move with its history");
    if (stage == 3) must(capture && !game_see_at_least(p, m, -20), p, m, "a capture that loses");
}

/* Every legal move once, in the order of the stages and of the scores in them; none quiet after they are skipped. */
static void check_order(const Position *p, const OrderingHints *h, unsigned skip_after) {
    Move all[MOVES_MAX], given[MOVES_MAX], m;
    const unsigned n = game_moves(p, all);
    unsigned got = 0;
    int order, last = INT32_MAX;
    MovePicker k;
    picker_init(&k, p, h);
    while ((m = picker_next(&k, &order))) {
        must(contains(all, n, m), p, m, "given, but not legal");
        must(!contains(given, got, m), p, m, "given twice");
        must(order <= last, p, m, "out of order");
        check_stage(p, h, m, stage_of(order), order);
        must(got < skip_after || game_is_capture(p, m), p, m, "quiet, but skipped");
        last = order, given[got++] = m;
        if (got == skip_after) picker_skip_quiets(&k);
    }
    assert_int_equal(k.returned, got);
    for (unsigned i = 0; i < n; i++)
        must(contains(given, got, all[i]) || (!game_is_capture(p, all[i]) && got >= skip_after), p, all[i], "left out");
    assert_int_equal(picker_next(&k, &order), 0);
}

static void check_captures_order(const Position *p, const OrderingHints *h) {
    Move all[MOVES_MAX], given[MOVES_MAX], m;
    const unsigned n = game_captures(p, all);
    unsigned got = 0;
    int order, last = INT32_MAX;
    MovePicker k;
    picker_init_captures(&k, p, h);
    while ((m = picker_next(&k, &order))) {
        must(contains(all, n, m) && !contains(given, got, m) && order <= last, p, m, "a capture, once, in order");
        last = order, given[got++] = m;
    }
    must(got == n && k.returned == n, p, 0, "all captures");
}

static void check_orders(void *context, const Position *p, uint64_t *seed) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    const OrderingHints hints = random_hints(context, list, n, seed);
    check_order(p, &hints, MOVES_MAX);
    check_order(p, &hints, 1 + (unsigned)random_below(seed, 12));
    check_captures_order(p, &hints);
}

static void every_legal_move_is_given_once_in_order(void **state) {
    Histories *h = calloc(1, sizeof *h);
    uint64_t seed = SEED;
    int16_t *entry = &h->quiet[0][0];
    for (size_t i = 0; i < offsetof(Histories, correction) / sizeof *entry; i++)
        entry[i] = (int16_t)((int)random_below(&seed, 2 * HISTORY_MAX + 1) - HISTORY_MAX);
    random_games(check_orders, h);
    free(h);
}

#include "test_order_list.h"
