/* SPDX-License-Identifier: MIT */
/*
 * The least plies to mate, by the rules of chess: no move brings a mate nearer than the bound of the position allows.
 * From mates backwards it follows for every position that the bound is never above the plies of a real mate.
 */
#include "unit.h"

#include "eval/evaluate_endings.h"
#include "random_games.h"

enum { NO_MATE = 1000, TRIES = 400000 };

/* Pieces beside the king of their side: kinds as they stand in diag, orth and knight. */
typedef struct {
    const char *pieces;
    MatingMaterial material;
    int max; /* of the table */
} Case;

static const Case cases[] = {{"Q", MATE_BY_QUEEN, 10},
                             {"R", MATE_BY_ROOK, 12},
                             {"BB", MATE_BY_BISHOPS, 10},
                             {"BN", MATE_BY_BISHOP_AND_KNIGHT, 10}};

static void put_piece(Position *p, char piece, Colour us, int s) {
    p->side[us] |= bit(s);
    if (piece == 'Q' || piece == 'R') p->orth |= bit(s);
    if (piece == 'Q' || piece == 'B') p->diag |= bit(s);
    if (piece == 'N') p->knight |= bit(s);
    if (piece == 'K') p->king |= bit(s);
}

/* False: pieces on one square, kings that touch, or the side that does not move in check. */
static bool random_position(const Case *c, uint64_t *seed, Position *p) {
    const Colour us = (Colour)random_below(seed, 2);
    int s = (int)random_below(seed, 64);
    *p = (Position){.turn = (uint8_t)random_below(seed, 2), .fullmove = 1};
    put_piece(p, 'K', us, s);
    for (const char *piece = c->pieces; *piece; piece++) {
        do s = (int)random_below(seed, 64);
        while (piece > c->pieces && piece[-1] == *piece && !(bit(s) & DARK) == !(p->diag & DARK));
        if (occupied(p) & bit(s)) return false;
        put_piece(p, *piece, us, s);
    }
    s = (int)random_below(seed, 64);
    if (occupied(p) & bit(s)) return false;
    put_piece(p, 'K', (Colour)!us, s);
    Position other = *p;
    other.turn = !p->turn;
    return distance(king_square(p, WHITE), king_square(p, BLACK)) > 1 && !in_check(&other);
}

/* What is lost cannot mate; else the bound. */
static int bound_after(const Position *p, Move m) {
    Position n;
    game_make_move(&n, p, m);
    const int plies = ending_mate_plies(&n);
    return game_captured(p, m) != NO_PIECE_TYPE ? NO_MATE : plies;
}

/* The bound that the moves of a position leave room for. */
static int bound_by_moves(const Position *p) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    const bool mates = game_must_mate(p) > 0;
    if (!n) return game_in_check(p) && !mates ? 0 : NO_MATE;
    int best = mates ? NO_MATE : 0;
    for (unsigned i = 0; i < n; i++) {
        const int plies = bound_after(p, list[i]);
        if (mates ? plies < best : plies > best) best = plies;
    }
    return best + 1;
}

static void no_move_is_faster_than_the_bound(void **state) {
    uint64_t seed = 1;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int seen = 0, mates = 0;
        while (seen < TRIES) {
            Position p;
            if (!random_position(&cases[c], &seed, &p)) continue;
            const int room = bound_by_moves(&p);
            mates += room == 0, seen++;
            assert_true(ending_mate_plies(&p) <= room);
        }
        assert_true(mates > 0);
    }
}

static void the_bound_says_something(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int max = 0;
        for (int turn = 0; turn < 2; turn++)
            for (int king = 0; king < 64; king++)
                for (int bare = 0; bare < 64; bare++) {
                    const int plies = mate_plies_table[cases[c].material][turn][king][bare];
                    assert_int_equal(plies == NEVER_MATES, distance(king, bare) < 2);
                    if (plies != NEVER_MATES && plies > max) max = plies;
                    if (plies != NEVER_MATES) assert_int_equal(plies & 1, !turn);
                }
        assert_int_equal(max, cases[c].max);
        assert_true(max <= MATE_PLIES_MAX);
    }
}

/* The last moment at which each can still be mated, and a ply later; what the table does not know is never too late. */
static void too_late(void **state) {
    static const struct {
        const char *fen;
        bool too_late;
    } at[] = {
        {"8/8/4k3/8/8/8/8/R3K3 w - - 91 99", false},  {"8/8/4k3/8/8/8/8/R3K3 w - - 93 99", true},
        {"7k/8/6K1/8/8/8/8/R7 w - - 99 99", false},   {"7k/8/8/8/5K2/8/8/R7 w - - 99 99", true},
        {"8/8/4k3/8/8/8/P7/R3K3 w - - 99 99", false}, {"8/8/4k3/8/8/8/8/RR2K3 w - - 97 99", false},
        {"8/8/4k3/8/8/8/8/NN2K3 w - - 99 99", false}, {"8/8/4k3/7r/8/8/8/R3K3 w - - 99 99", false},
        {"8/8/4k3/8/8/8/8/2B1KB2 b - - 95 99", true}, {"8/8/4k3/8/8/8/8/1NB1K3 b - - 95 99", true},
    };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        Position p;
        assert_true(fen_parse(&p, at[i].fen, NULL));
        if (game_is_too_late_to_mate(&p) != at[i].too_late) print_error("%s\n", at[i].fen);
        assert_int_equal(game_is_too_late_to_mate(&p), at[i].too_late);
    }
}

#include "test_mate_plies_list.h"
