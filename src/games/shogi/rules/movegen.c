/* SPDX-License-Identifier: MIT */
#include "movegen.h"

NOINLINE unsigned subset_black(const Position *p, Move *list, MoveSubset part) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, BLACK, part);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned subset_white(const Position *p, Move *list, MoveSubset part) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, WHITE, part);
    return (unsigned)(k.next - list);
}

unsigned moves_list_captures(const Position *p, Move *list) {
    return p->turn == BLACK ? subset_black(p, list, CAPTURES) : subset_white(p, list, CAPTURES);
}

unsigned moves_list_quiets(const Position *p, Move *list) {
    return p->turn == BLACK ? subset_black(p, list, QUIETS) : subset_white(p, list, QUIETS);
}

Key position_key_after(const Position *p, Key key, Move m, const Zobrist *z) {
    return key_after_move(z, p, key, (Colour)p->turn, m);
}

/* ---- is a move legal? ---- */

/* Is the king safe after a piece went from `f` (empty for a drop) to `to`? It covers pins, checks and the king's steps. */
static bool leaves_king_safe(const Position *p, Colour us, Squares f, int to) {
    const int king = f & king_bit(p, us) ? to : king_square(p, us);
    const Squares t = square_bit(to), after = (occupied(p) & ~f) | t;
    return !(attackers(p, (Colour)!us, king, after) & ~t);
}

static bool drop_is_legal(const Position *p, Colour us, PieceType type, int to) {
    const Squares t = square_bit(to);
    if ((int)type >= HAND_TYPES || !hand_count(p->hand[us], type) || occupied(p) & t) return false;
    if (type == PAWN ? !pawn_drop_squares(p, us, t) : (dead_end(us, type) & t) != 0) return false;
    return leaves_king_safe(p, us, 0, to);
}

bool move_is_legal(const Position *p, Move m) {
    const Colour us = (Colour)p->turn;
    const int from = move_from(m), to = move_to(m);
    if (to >= NO_SQUARE || m >> 15) return false;
    if (move_is_drop(m)) return !move_promotes(m) && drop_is_legal(p, us, move_drop_type(m), to);
    const Squares f = square_bit(from), t = square_bit(to);
    if (!(p->side[us] & f) || p->side[us] & t) return false;
    const PieceType type = piece_type_at(p, from);
    if (!(piece_attacks(us, type, from, occupied(p)) & t)) return false;
    const bool may_promote = piece_type_promotes(type) && promotion_zone(us) & (f | t);
    if (move_promotes(m) ? !may_promote : (dead_end(us, type) & t) != 0) return false;
    return leaves_king_safe(p, us, f, to);
}
