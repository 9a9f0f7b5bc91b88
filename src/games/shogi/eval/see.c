/* SPDX-License-Identifier: MIT */
#include "eval/see.h"

#include <stddef.h>

/* The least valuable of some pieces, at least one; *type is its type. */
INLINE Squares least_valuable(const Position *p, Squares pieces, PieceType *type) {
    static const PieceType by_value[] = {PAWN,   PROMOTED_PAWN,   LANCE, KNIGHT, PROMOTED_LANCE, PROMOTED_KNIGHT,
                                         SILVER, PROMOTED_SILVER, GOLD,  BISHOP, HORSE,          ROOK,
                                         DRAGON};
    assert(pieces);
    for (size_t i = 0; i < sizeof by_value / sizeof *by_value; i++) {
        const PieceType t = by_value[i];
        const Squares of_form = t & PROMOTED ? p->promoted : ~p->promoted;
        const Squares found = pieces & p->type[piece_type_unpromoted(t)] & of_form;
        if (found) return *type = t, found & -found;
    }
    *type = KING;
    return pieces & -pieces;
}

/* Sliders that attack s through `occ`, which an exchange opens more and more. */
INLINE Squares slider_attackers(const Position *p, int s, Squares occ) {
    const Squares lances = unpromoted(p, LANCE);
    return (bishop_attacks(s, occ) & p->type[BISHOP]) | (rook_attacks(s, occ) & p->type[ROOK]) |
           (lance_attacks(BLACK, s, occ) & lances & p->side[WHITE]) |
           (lance_attacks(WHITE, s, occ) & lances & p->side[BLACK]);
}

/*
 * Swap algorithm with a threshold: the capturing piece is at stake; a side stops when it would fall short even if that
 * piece were not recaptured.
 */
bool see_at_least(const Position *p, Move m, int threshold) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const bool drops = move_is_drop(m);
    const int to = move_to(m);
    PieceType type = drops ? move_drop_type(m) : piece_type_at(p, move_from(m));
    int balance = -threshold;
    if (!drops) balance += exchange_value(piece_type_at(p, to));
    if (move_promotes(m)) balance += promotion_value(type), type = (PieceType)(type | PROMOTED);
    if (balance < 0) return false;
    balance -= exchange_value(type);
    if (balance >= 0) return true;

    Squares occ = drops ? occupied(p) | square_bit(to) : (occupied(p) & ~square_bit(move_from(m))) | square_bit(to);
    Squares attacking = (attackers(p, us, to, occ) | attackers(p, them, to, occ)) & occ & ~square_bit(to);
    Colour side = them;
    while (attacking & p->side[side]) {
        const Squares attacker = least_valuable(p, attacking & p->side[side], &type);
        if (type == KING && attacking & p->side[!side]) break; /* the king cannot capture a defended piece */
        occ ^= attacker;
        attacking = (attacking | slider_attackers(p, to, occ)) & occ & ~square_bit(to);
        side = (Colour)!side;
        balance = -balance - 1 - exchange_value(type);
        if (balance >= 0) break;
    }
    return side != us;
}
