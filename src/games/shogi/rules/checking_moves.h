/* SPDX-License-Identifier: MIT */
/*
 * The legal moves that give check. Most positions have none, which whole sets tell before a move is generated.
 *
 * A piece that arrives checks from the squares that its type would attack from where the other king stands. Lines are
 * followed through our own pieces, because the one that moves may have stood there. Moves of a piece that hides the king
 * from a slider of ours are all asked. What is found so is asked once more, by gives_check.
 */
#pragma once
#include "gives_check.h"
#include "movegen.h"

typedef struct {
    Squares arrival[HAND_TYPES]; /* where a piece of that type, promoted or not, may check by arriving */
    Squares drop[HAND_TYPES];    /* the same of a dropped one */
    Squares hiding;              /* our pieces that alone hide the king from a slider of ours */
} CheckingSquares;

INLINE CheckingSquares checking_squares(const Position *p, Colour us, int king) {
    const Colour them = (Colour)!us;
    const Squares own = p->side[us];
    const Squares lance = lance_attacks(them, king, p->side[them]), bishop = bishop_attacks(king, p->side[them]),
                  rook = rook_attacks(king, p->side[them]);
    const Squares(*step)[82] = step_attacks[them];
    const Squares gold = step[GOLD][king], promoted = gold & promotion_zone(us);
    const Squares sliders =
        own & ((rook & p->type[ROOK]) | (bishop & p->type[BISHOP]) | (lance & unpromoted(p, LANCE)));
    return (CheckingSquares){
        .drop = {step[PAWN][king], lance, step[KNIGHT][king], step[SILVER][king], bishop, rook, gold},
        .arrival = {step[PAWN][king] | promoted, lance | promoted, step[KNIGHT][king] | promoted,
                    step[SILVER][king] | gold, bishop | step[BISHOP][king], rook | step[ROOK][king], gold},
        .hiding = lone_blockers(king, sliders, own & ~sliders)};
}

/* Where our pieces of a type may go, pieces that stand in the way of a line left where they are. */
INLINE Squares reached_by(const Position *p, Colour us, PieceType type) {
    const Squares plain = p->side[us] & unpromoted(p, type);
    Squares reached = 0;
    switch (type) {
    case PAWN:
        return forward(plain, us);
    case KNIGHT:
        return knight_set_attacks(plain, us);
    case SILVER:
        return silver_set_attacks(plain, us);
    case GOLD:
        return gold_set_attacks(p->side[us] & gold_movers(p), us);
    default:
        EACH_SQUARE (s, type == LANCE ? plain : p->side[us] & p->type[type])
            reached |= piece_attacks(us, piece_type_at(p, s), s, occupied(p));
        return reached;
    }
}

/* All moves of our pieces of a set that move as `type` does: those that hide the king from a slider of ours, and those
   that may arrive at a square where they check. */
INLINE void list_checks_of(const Position *p, MoveSink *k, PieceType type, Squares pieces, const LegalMasks *v,
                           const CheckingSquares *c) {
    LegalMasks narrow = *v;
    narrow.target &= c->arrival[type & ~PROMOTED];
    gen_pieces(p, k, GEN_LIST, type, pieces & ~c->hiding, &narrow);
    if (UNLIKELY(pieces & c->hiding)) gen_pieces(p, k, GEN_LIST, type, pieces & c->hiding, v);
}

INLINE void list_checks_on_board(const Position *p, MoveSink *k, const LegalMasks *v, const CheckingSquares *c) {
    for (PieceType t = PAWN; t < GOLD; t++) list_checks_of(p, k, t, unpromoted(p, t), v, c);
    list_checks_of(p, k, GOLD, gold_movers(p), v, c);
    list_checks_of(p, k, HORSE, p->type[BISHOP] & p->promoted, v, c);
    list_checks_of(p, k, DRAGON, p->type[ROOK] & p->promoted, v, c);
}

INLINE void list_checking_drops(const Position *p, MoveSink *k, const LegalMasks *v, const CheckingSquares *c) {
    const uint32_t hand = p->hand[v->us];
    const Squares empty = v->target & ~v->occ;
    if (hand_count(hand, PAWN))
        emit_moves(k, GEN_LIST, PAWN, 0, pawn_drop_squares(p, v->us, empty & c->drop[PAWN]), DROP);
    for (PieceType t = LANCE; t <= GOLD; t++)
        if (hand_count(hand, t)) emit_moves(k, GEN_LIST, t, 0, empty & c->drop[t] & ~dead_end(v->us, t), DROP);
}

/* Is there nothing to ask? */
INLINE bool cannot_check(const Position *p, Colour us, const CheckingSquares *c) {
    Squares found = c->hiding;
    for (PieceType t = PAWN; t <= GOLD; t++) {
        found |= reached_by(p, us, t) & c->arrival[t];
        if (hand_count(p->hand[us], t)) found |= c->drop[t] & ~occupied(p);
    }
    return !found;
}

/* Writes to list the legal moves of us, whose turn it is, that give check, and returns their number. */
INLINE unsigned list_checking_moves(const Position *p, Colour us, Move list[MOVES_MAX]) {
    const int king = king_square(p, (Colour)!us);
    if (king == NO_SQUARE) return 0;
    const CheckingSquares c = checking_squares(p, us, king);
    if (cannot_check(p, us, &c)) return 0;
    MoveSink k = {.next = list};
    const LegalMasks v = find_legal_masks(p, us);
    if (c.hiding & king_bit(p, us))
        emit_moves(&k, GEN_LIST, KING, v.king, step_attacks[us][KING][v.king] & ~v.own & ~v.attacked, PLAIN);
    if (v.target) list_checks_on_board(p, &k, &v, &c), list_checking_drops(p, &k, &v, &c);
    unsigned n = 0;
    for (const Move *m = list; m < k.next; m++)
        if (gives_check(p, *m)) list[n++] = *m;
    return n;
}
