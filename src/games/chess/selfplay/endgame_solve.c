/* SPDX-License-Identifier: MIT */
/*
 * Retrograde analysis. First all legal moves of each position are looked at: mates, and what zeroing moves lead to, are
 * known at once, and the other moves are counted. Then for each distance, in order, the positions with that distance
 * are settled: moves are taken back from them, a position before a lost one is won in one ply more, and one before won
 * ones only, the last of which has just been settled, is lost in one ply more.
 *
 * A pawn's moves are zeroing, so the positions with a pawn on one rank are an ending of their own, solved after those
 * with the pawn further on.
 */
#include "selfplay/endgame_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

enum { NEVER_LOST = 255, POSITIONS_A_LOOK = 1 << 14, PARENTS_MAX = 8 + 27 * EXTRA_PIECES_MAX };

typedef struct {
    const EndgameTables *tables;
    Ending *e;
    uint8_t
        *moves_left[2]; /* by side to move: moves that are not zeroing and not known to lose; NEVER_LOST: one draws */
    size_t from, to;    /* the placements that are being solved */
} Solver;

/* ---- moves that are made ---- */

static bool is_zeroing(const Position *p, Move m) {
    return game_captured(p, m) != NO_PIECE_TYPE || piece_type_at(p, move_from(m)) == PAWN;
}

/* The stored value as far as zeroing moves, mate and stalemate decide it. */
static int value_by_zeroing(Solver *s, const Position *p, uint8_t *moves_left) {
    Move list[MOVES_MAX];
    Position next;
    const unsigned n = game_moves(p, list);
    unsigned quiet = 0;
    bool draws = false;
    for (unsigned i = 0; i < n; i++) {
        if (!is_zeroing(p, list[i])) {
            quiet++;
            continue;
        }
        game_make_move(&next, p, list[i]);
        const int result = endgame_result(s->tables, &next);
        if (result < 0) return 1;
        draws |= result == 0;
    }
    assert(quiet < NEVER_LOST);
    *moves_left = draws ? NEVER_LOST : (uint8_t)quiet;
    if (n == 0) return game_in_check(p) ? lost_in(0) : 0;
    return draws || quiet ? 0 : lost_in(1);
}

static bool look_at_moves(Solver *s) {
    Position p;
    for (size_t at = s->from; at < s->to; at++) {
        if (at % POSITIONS_A_LOOK == 0 && tabia_stop_requested()) return false;
        const Placement placement = placement_of(s->e, at);
        for (int turn = WHITE; turn <= BLACK; turn++)
            s->e->value[turn][at] = placement_position(s->e, placement, (Colour)turn, &p)
                                        ? (int8_t)value_by_zeroing(s, &p, &s->moves_left[turn][at])
                                        : (int8_t)NOT_LEGAL;
    }
    return true;
}

/* ---- moves that are taken back ---- */

static Bits attacks_of(PieceType type, int s, Bits occ) {
    switch (type) {
    case KING:
        return king_attacks[s];
    case KNIGHT:
        return knight_attacks[s];
    case BISHOP:
        return bishop_attacks(s, occ);
    case ROOK:
        return rook_attacks(s, occ);
    default:
        return bishop_attacks(s, occ) | rook_attacks(s, occ);
    }
}

/* A position from which a settled one is reached: lost, or won, in so many plies. Those not legal have a value too. */
static void settle_parent(Solver *s, Colour turn, size_t at, bool lost, int plies) {
    int8_t *value = &s->e->value[turn][at];
    uint8_t *left = &s->moves_left[turn][at];
    if (*value) return;
    assert(at >= s->from && at < s->to);
    if (lost)
        *value = (int8_t)(plies + 1);
    else if (*left != NEVER_LOST && --*left == 0)
        *value = (int8_t)lost_in(plies + 1);
}

/* They lie far apart: all are fetched before the first is read. */
static void settle_parents(Solver *s, Colour turn, size_t at, bool lost, int plies) {
    const Ending *e = s->e;
    const Colour mover = (Colour)!turn;
    Placement now = placement_of(e, at);
    size_t parents[PARENTS_MAX];
    unsigned n = 0;
    Bits occ = 0;
    for (unsigned i = 0; i < e->slots; i++) occ |= bit(now.square[i]);
    for (unsigned i = 0; i < e->slots; i++) {
        if (e->colour[i] != mover || e->type[i] == PAWN) continue;
        const int to = now.square[i];
        const size_t step = placement_step(e, i);
        EACH (from, attacks_of(e->type[i], to, occ) & ~occ) {
            now.square[i] = (int)from;
            parents[n] = i ? at + (from - (size_t)to) * step : placement_index(e, now);
            __builtin_prefetch(&e->value[mover][parents[n]], 1);
            if (!lost) __builtin_prefetch(&s->moves_left[mover][parents[n]], 1);
            n++;
        }
        now.square[i] = to;
    }
    assert(n <= PARENTS_MAX);
    for (unsigned i = 0; i < n; i++) settle_parent(s, mover, parents[i], lost, plies);
}

static void settle_value(Solver *s, Colour turn, int value, int plies) {
    const int8_t *all = s->e->value[turn], *end = all + s->to;
    for (const int8_t *v = all + s->from; (v = memchr(v, (uint8_t)value, (size_t)(end - v))); v++)
        settle_parents(s, turn, (size_t)(v - all), value < 0, plies);
}

static bool solve_placements(Solver *s) {
    if (!look_at_moves(s)) return false;
    for (int plies = 0; plies < DISTANCE_MAX; plies++)
        for (int turn = WHITE; turn <= BLACK; turn++) {
            if (tabia_stop_requested()) return false;
            settle_value(s, (Colour)turn, lost_in(plies), plies);
            if (plies) settle_value(s, (Colour)turn, plies, plies);
        }
    return true;
}

/* ---- ranks of a pawn ---- */

/* From the rank before promotion to the one on which pawns start. */
static bool solve_ranks(Solver *s) {
    const size_t rank = s->e->placements / 6;
    for (unsigned i = 0; i < 6; i++) {
        s->from = rank * (s->e->colour[2] == WHITE ? 5 - i : i), s->to = s->from + rank;
        if (!solve_placements(s)) return false;
    }
    return true;
}

bool endgame_solve(const EndgameTables *t, Ending *e, TabiaError *error) {
    Solver s = {.tables = t, .e = e, .to = e->placements};
    s.moves_left[WHITE] = malloc(2 * e->placements);
    if (!s.moves_left[WHITE]) return tabia_fail(error, "no memory to solve an ending");
    s.moves_left[BLACK] = s.moves_left[WHITE] + e->placements;
    const bool solved = e->has_pawn ? solve_ranks(&s) : solve_placements(&s);
    free(s.moves_left[WHITE]);
    return solved || tabia_fail(error, "stopped");
}
