/* SPDX-License-Identifier: MIT */
#include "endgame_table.h"

#include <stdlib.h>

#include "base/stop.h"

enum { ENDGAME_INDICES = 64 * 64 * 64, POSITIONS_PER_POLL = 1 << 14 };

struct EndgameTable {
    PieceType piece;
    uint8_t white_to_move[ENDGAME_INDICES],
        black_to_move[ENDGAME_INDICES]; /* with that side to move: plies to mate + 1; 0: none known */
};

static int index_of(int white_king, int piece, int black_king) {
    return white_king << 12 | piece << 6 | black_king;
}

Position endgame_table_position(PieceType piece, int white_king, int piece_at, int black_king) {
    Position p = {.fullmove = 1};
    p.side[WHITE] = bit(white_king) | bit(piece_at);
    p.side[BLACK] = bit(black_king);
    p.king = bit(white_king) | bit(black_king);
    p.orth = bit(piece_at);
    if (piece == QUEEN) p.diag = bit(piece_at);
    p.turn = WHITE;
    return p;
}

/* Distinct squares, kings not adjacent, and the side that has moved is not in check. */
static bool decode_position(Position *p, PieceType piece, int at, Colour turn) {
    const int white_king = at >> 12, piece_at = at >> 6 & 63, black_king = at & 63;
    if (white_king == piece_at || piece_at == black_king || white_king == black_king) return false;
    if (king_attacks[white_king] & bit(black_king)) return false;
    *p = endgame_table_position(piece, white_king, piece_at, black_king);
    p->turn = BLACK;
    const bool hit = in_check(p);
    p->turn = turn;
    return turn == BLACK || !hit;
}

static int index_of_position(const Position *p) {
    return index_of(king_square(p, WHITE), lsb(p->side[WHITE] ^ (p->side[WHITE] & p->king)), king_square(p, BLACK));
}

/* White to move: is there a move after which black is mated in one ply less? */
static bool white_mates(const EndgameTable *e, const Position *p, int plies) {
    Move list[MOVES_MAX];
    Position next;
    for (unsigned n = game_moves(p, list); n--;) {
        game_make_move(&next, p, list[n]);
        if (e->black_to_move[index_of_position(&next)] == plies) return true; /* plies - 1, and 1 more */
    }
    return false;
}

/* Black to move: is black mated in that many plies at most, whatever it plays? In none: is it mate? */
static bool black_is_lost(const EndgameTable *e, const Position *p, int plies) {
    Move list[MOVES_MAX];
    Position next;
    const unsigned n = game_moves(p, list);
    if (n == 0) return plies == 0 && in_check(p);
    if (plies == 0) return false;
    for (unsigned i = 0; i < n; i++) {
        game_make_move(&next, p, list[i]);
        if (!more_than_one(next.side[WHITE]) || !e->white_to_move[index_of_position(&next)])
            return false; /* taken, or not mated in time */
    }
    return true;
}

/* False: stopped. */
static bool solve_depth(EndgameTable *e, int plies) {
    Position p;
    const Colour turn = plies & 1 ? WHITE : BLACK;
    uint8_t *plies_plus_one = turn == WHITE ? e->white_to_move : e->black_to_move;
    for (int at = 0; at < ENDGAME_INDICES; at++) {
        if (at % POSITIONS_PER_POLL == 0 && tabia_stop_requested()) return false;
        if (plies_plus_one[at] || !decode_position(&p, e->piece, at, turn)) continue;
        if (turn == WHITE ? white_mates(e, &p, plies) : black_is_lost(e, &p, plies))
            plies_plus_one[at] = (uint8_t)(plies + 1);
    }
    return true;
}

EndgameTable *endgame_table_create(PieceType piece, int most, TabiaError *error) {
    EndgameTable *e = calloc(1, sizeof *e);
    if (!e) return tabia_fail(error, "no memory to solve an ending"), NULL;
    e->piece = piece;
    for (int plies = 0; plies <= most; plies++) {
        if (solve_depth(e, plies)) continue;
        endgame_table_free(e);
        return tabia_fail(error, "stopped"), NULL;
    }
    return e;
}

void endgame_table_free(EndgameTable *e) {
    free(e);
}

int endgame_table_plies(const EndgameTable *e, int white_king, int piece, int black_king) {
    const int plies_plus_one = e->white_to_move[index_of(white_king, piece, black_king)];
    return plies_plus_one ? plies_plus_one - 1 : 0;
}
