/* SPDX-License-Identifier: MIT */
#include "ending.h"

#include <stdlib.h>

enum { PLACES = 64 * 64 * 64 };

struct Ending {
    Kind man;
    uint8_t white[PLACES], black[PLACES]; /* with that side to move: plies to mate + 1; 0: none known */
};

static int place(int white_king, int man, int black_king) {
    return white_king << 12 | man << 6 | black_king;
}

Position ending_position(Kind man, int white_king, int man_at, int black_king) {
    Position p = {.fullmove = 1};
    p.side[WHITE] = bit(white_king) | bit(man_at);
    p.side[BLACK] = bit(black_king);
    p.king = bit(white_king) | bit(black_king);
    p.orth = bit(man_at);
    if (man == QUEEN) p.diag = bit(man_at);
    p.turn = WHITE;
    return p;
}

/* Three squares of their own, kings apart, and the side that has moved is not in check. */
static bool make(Position *p, Kind man, int at, Colour turn) {
    const int white_king = at >> 12, man_at = at >> 6 & 63, black_king = at & 63;
    if (white_king == man_at || man_at == black_king || white_king == black_king) return false;
    if (king_attacks[white_king] & bit(black_king)) return false;
    *p = ending_position(man, white_king, man_at, black_king);
    p->turn = BLACK;
    const bool hit = in_check(p);
    p->turn = turn;
    return turn == BLACK || !hit;
}

static int slot_ref_of(const Position *p) {
    return place(king_square(p, WHITE), first(p->side[WHITE] ^ (p->side[WHITE] & p->king)), king_square(p, BLACK));
}

/* White to move: is there a move after which black is mated in one ply less? */
static bool white_mates(const Ending *e, const Position *p, int plies) {
    Move list[MOVES_MAX];
    Position next;
    for (unsigned n = game_moves(p, list); n--;) {
        game_play(&next, p, list[n]);
        if (e->black[slot_ref_of(&next)] == plies) return true; /* plies - 1, and 1 more */
    }
    return false;
}

/* Black to move: is black mated in that many plies at most, whatever it plays? In none: is it mate? */
static bool black_is_lost(const Ending *e, const Position *p, int plies) {
    Move list[MOVES_MAX];
    Position next;
    const unsigned n = game_moves(p, list);
    if (n == 0) return plies == 0 && in_check(p);
    if (plies == 0) return false;
    for (unsigned i = 0; i < n; i++) {
        game_play(&next, p, list[i]);
        if (!several(next.side[WHITE]) || !e->white[slot_ref_of(&next)]) return false; /* taken, or not mated in time */
    }
    return true;
}

static void solve(Ending *e, int plies) {
    Position p;
    const Colour turn = plies & 1 ? WHITE : BLACK;
    uint8_t *known = turn == WHITE ? e->white : e->black;
    for (int at = 0; at < PLACES; at++) {
        if (known[at] || !make(&p, e->man, at, turn)) continue;
        if (turn == WHITE ? white_mates(e, &p, plies) : black_is_lost(e, &p, plies)) known[at] = (uint8_t)(plies + 1);
    }
}

Ending *ending_solve(Kind man, int most, TabiaError *error) {
    Ending *e = calloc(1, sizeof *e);
    if (!e) return tabia_fail(error, "no memory to solve an ending"), NULL;
    e->man = man;
    for (int plies = 0; plies <= most; plies++) solve(e, plies);
    return e;
}

void ending_free(Ending *e) {
    free(e);
}

int ending_plies(const Ending *e, int white_king, int man, int black_king) {
    const int known = e->white[place(white_king, man, black_king)];
    return known ? known - 1 : 0;
}
