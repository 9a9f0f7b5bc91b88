/* SPDX-License-Identifier: MIT */
#include "movegen.h"

NOINLINE unsigned captures_white(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, WHITE, CAPTURES);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned captures_black(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, BLACK, CAPTURES);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned quiets_white(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, WHITE, QUIETS);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned quiets_black(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate_subset(p, &k, BLACK, QUIETS);
    return (unsigned)(k.next - list);
}

unsigned moves_list_captures(const Position *p, Move *list) {
    return p->turn == WHITE ? captures_white(p, list) : captures_black(p, list);
}

unsigned moves_list_quiets(const Position *p, Move *list) {
    return p->turn == WHITE ? quiets_white(p, list) : quiets_black(p, list);
}

Key position_key_after(const Position *p, Key key, Move m, const Zobrist *z) {
    return key_after(z, p, key, (Colour)p->turn, move_unpack(m, piece_type_at(p, move_from(m))));
}

/* ---- is a move legal? ---- */

/* May a pawn take the step, if its king did not matter? The flag must be the one that belongs to the step. */
static bool pawn_can_reach(const Position *p, Colour us, int from, int to, int flag) {
    const int up = pawn_up(us);
    const Bits occ = occupied(p);
    const bool promotes = flag > PROMOTION && flag <= PROMOTION + QUEEN;
    if (flag == DOUBLE_PUSH)
        return bit(from) & pawn_start_rank(us) && to == from + 2 * up && !(occ & (bit(from + up) | bit(to)));
    if (promotes != ((bit(to) & last_rank(us)) != 0) || (!promotes && flag != PLAIN)) return false;
    if (to == from + up) return !(occ & bit(to));
    return pawn_attacks[us][from] & p->side[!us] & bit(to);
}

static bool castling_is_legal(const Position *p, Colour us, int from, int to) {
    if (from != king_square(p, us) || !(castling_rooks(p, us) & bit(to))) return false;
    const LegalMasks v = find_legal_masks(p, us);
    return !v.in_check && may_castle(p, us, to > from, &v);
}

/* In double check the king must move, whatever the board would look like after the capture. */
static bool en_passant_is_legal(const Position *p, Colour us, int from, int to) {
    const Bits own_pawns = p->pawn & p->side[us];
    return p->ep && to == p->ep && bit(from) & own_pawns & pawn_attacks[!us][to] &&
           !more_than_one(attackers(p, (Colour)!us, king_square(p, us), occupied(p))) &&
           ep_leaves_king_safe(p, us, from, to);
}

bool move_is_legal(const Position *p, Move m) {
    const Colour us = (Colour)p->turn;
    const int from = move_from(m), to = move_to(m), flag = move_flag(m);
    if (!(p->side[us] & bit(from))) return false;
    if (flag == CASTLING) return castling_is_legal(p, us, from, to);
    if (flag == EN_PASSANT) return en_passant_is_legal(p, us, from, to);
    if (p->side[us] & bit(to)) return false;
    const PieceType type = piece_type_at(p, from);
    const bool reached = type == PAWN ? pawn_can_reach(p, us, from, to, flag)
                                      : flag == PLAIN && piece_attacks(us, type, from, occupied(p)) & bit(to);
    return reached && king_is_safe_after(p, us, from, to);
}

/* The flag of a step, if it is legal. */
static int flag_between(const Position *p, int from, int to, PieceType promotion) {
    assert(from >= 0 && from < 64 && to >= 0 && to < 64 && promotion < KING);
    if (promotion != PAWN) return PROMOTION + (int)promotion;
    if (p->side[p->turn] & bit(to)) return CASTLING;
    if (!(p->pawn & bit(from))) return PLAIN;
    if (to - from == 16 || from - to == 16) return DOUBLE_PUSH;
    return file_of(from) != file_of(to) && !(occupied(p) & bit(to)) ? EN_PASSANT : PLAIN;
}

Move move_from_squares(const Position *p, int from, int to, PieceType promotion) {
    const Move m = move_encode(from, to, flag_between(p, from, to, promotion));
    return move_is_legal(p, m) ? m : 0;
}
