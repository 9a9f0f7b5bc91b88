/* SPDX-License-Identifier: MIT */
#include "locked_pawns.h"

#include <assert.h>
#include <stdlib.h>

/* Where a move leads: a state, or out of it by a capture, with the result for the side that captures. */
typedef struct {
    Move move;
    int16_t state; /* LEAVES: captures */
    int8_t result;
} LockedEdge;

enum { LEAVES = -1 };

typedef struct {
    bool legal, check;
    uint8_t n;
    LockedEdge edge[LOCKED_MOVES_MAX];
} LockedState;

struct LockedPawns {
    int pawn;
    LockedState state[LOCKED_STATES];
};

/* ---- states ---- */

static unsigned number_of(Colour turn, int white_king, int black_king) {
    return ((unsigned)turn * 64 + (unsigned)white_king) * 64 + (unsigned)black_king;
}

unsigned locked_state(const Position *p) {
    return number_of((Colour)p->turn, king_square(p, WHITE), king_square(p, BLACK));
}

static bool place(int pawn, unsigned state, Position *p) {
    const int white_king = (int)(state / 64 % 64), black_king = (int)(state % 64);
    if (white_king == black_king || white_king == pawn || white_king == pawn + 8 || black_king == pawn ||
        black_king == pawn + 8)
        return false;
    *p = (Position){.fullmove = 1, .turn = (uint8_t)(state / 4096)};
    position_put(p, white_king, WHITE, KING);
    position_put(p, black_king, BLACK, KING);
    position_put(p, pawn, WHITE, PAWN);
    position_put(p, pawn + 8, BLACK, PAWN);
    Position waiting = *p;
    waiting.turn ^= 1;
    return !(king_attacks[white_king] & bit(black_king)) && !game_in_check(&waiting);
}

bool locked_state_is_legal(const LockedPawns *l, unsigned state) {
    assert(state < LOCKED_STATES);
    return l->state[state].legal;
}

Position locked_position(const LockedPawns *l, unsigned state) {
    Position p;
    const bool legal = place(l->pawn, state, &p);
    assert(legal);
    (void)legal;
    return p;
}

/* ---- the graph ---- */

static LockedEdge edge_of(const EndgameTables *t, const Position *p, Move m) {
    Position next;
    game_make_move(&next, p, m);
    if (game_captured(p, m) == NO_PIECE_TYPE) return (LockedEdge){.move = m, .state = (int16_t)locked_state(&next)};
    return (LockedEdge){.move = m, .state = LEAVES, .result = (int8_t)-endgame_result(t, &next)};
}

static void fill_state(const EndgameTables *t, LockedPawns *l, unsigned number) {
    LockedState *s = &l->state[number];
    Position p;
    Move list[MOVES_MAX];
    s->legal = place(l->pawn, number, &p);
    if (!s->legal) return;
    s->check = game_in_check(&p);
    const unsigned n = game_moves(&p, list);
    assert(n <= LOCKED_MOVES_MAX); /* the king's */
    for (unsigned i = 0; i < n; i++) s->edge[s->n++] = edge_of(t, &p, list[i]);
}

LockedPawns *locked_pawns_create(const EndgameTables *t, int pawn) {
    assert(pawn / 8 >= 1 && pawn / 8 <= 5);
    LockedPawns *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->pawn = pawn;
    for (unsigned i = 0; i < LOCKED_STATES; i++) fill_state(t, l, i);
    return l;
}

void locked_pawns_free(LockedPawns *l) {
    free(l);
}

/* ---- results ---- */

/* What an edge is worth to the side that moves, and in how many plies from here. */
static EndgameValue value_by(const LockedEdge *e, const bool *twice, const EndgameValue *values) {
    if (e->state == LEAVES) return (EndgameValue){e->result, e->result ? 1 : 0};
    if (twice[e->state]) return (EndgameValue){0, 0};
    const EndgameValue v = values[e->state];
    return (EndgameValue){-v.result, v.result ? v.plies + 1 : 0};
}

/* Given all results of fewer plies: won if one move wins, lost if all lose; else not known yet. */
static EndgameValue value_of(const LockedState *s, const bool *twice, const EndgameValue *values) {
    EndgameValue best = {-1, 0};
    if (!s->n) return s->check ? best : (EndgameValue){0, 0};
    for (unsigned i = 0; i < s->n; i++) {
        const EndgameValue v = value_by(&s->edge[i], twice, values);
        if (v.result > best.result)
            best = v;
        else if (v.result == best.result && (v.result > 0 ? v.plies < best.plies : v.plies > best.plies))
            best = v;
    }
    return best;
}

/* A round finds the results of one ply more: no result changes once it is there. */
void locked_pawns_solve(const LockedPawns *l, const bool twice[LOCKED_STATES], EndgameValue values[LOCKED_STATES]) {
    for (unsigned i = 0; i < LOCKED_STATES; i++) values[i] = (EndgameValue){0, 0};
    bool more = true;
    for (int plies = 0; more || plies < 2; plies++) {
        more = false;
        for (unsigned i = 0; i < LOCKED_STATES; i++) {
            if (!l->state[i].legal || values[i].result) continue;
            const EndgameValue v = value_of(&l->state[i], twice, values);
            if (!v.result || v.plies != plies) continue;
            values[i] = v, more = true;
        }
    }
}

unsigned locked_pawns_moves(const LockedPawns *l, unsigned state, int clock, const bool twice[LOCKED_STATES],
                            const EndgameValue values[LOCKED_STATES], MoveResult list[LOCKED_MOVES_MAX]) {
    const LockedState *s = &l->state[state];
    for (unsigned i = 0; i < s->n; i++) {
        const EndgameValue v = value_by(&s->edge[i], twice, values);
        list[i] = (MoveResult){s->edge[i].move, clock + v.plies <= GAME_HALFMOVE_DRAW ? v.result : 0};
    }
    return s->n;
}
