/* SPDX-License-Identifier: MIT */
#include "see.h"

/* Both sides' men that hit s through the squares that occ leaves empty. */
static Bits all_attackers(const Position *p, int s, Bits occ) {
    return attackers(p, WHITE, s, occ) | attackers(p, BLACK, s, occ);
}

/* The cheapest of some men, as one square; *kind is what stands there. */
static Bits cheapest(const Position *p, Bits men, Kind *kind) {
    const Bits sets[] = {p->pawn, p->knight, p->diag & ~p->orth, p->orth & ~p->diag, p->diag & p->orth, p->king};
    for (Kind k = PAWN; k <= KING; k++)
        if (men & sets[k]) {
            *kind = k;
            return bit(first(men & sets[k]));
        }
    return 0;
}

/* What a move wins at once. */
static int gain_of(const Position *p, Move m) {
    if (move_flag(m) == EN_PASSANT) return exchange_value(PAWN);
    const int taken = exchange_value(kind_at(p, move_to(m)));
    return move_promotes(m) ? taken + exchange_value(move_promotion(m)) - exchange_value(PAWN) : taken;
}

/* Whoever captures stakes the man that captures; a side stops when it would fall behind even if that man were free. */
bool see_at_least(const Position *p, Move m, int least) {
    if (move_flag(m) == CASTLING) return least <= 0;
    const int from = move_from(m), to = move_to(m);
    int balance = gain_of(p, m) - least;
    if (balance < 0) return false;
    balance -= exchange_value(move_promotes(m) ? move_promotion(m) : kind_at(p, from));
    if (balance >= 0) return true;

    Bits occ = (occupied(p) ^ bit(from)) | bit(to);
    if (move_flag(m) == EN_PASSANT) occ ^= forward(bit(to), (Colour)!p->turn);
    Bits hitting = all_attackers(p, to, occ) & occ;
    Colour side = (Colour)!p->turn;
    while (hitting & p->side[side]) {
        Kind kind = NO_KIND;
        const Bits taker = cheapest(p, hitting & p->side[side], &kind);
        if (kind == KING && hitting & p->side[!side]) break; /* it would be taken itself */
        occ ^= taker;
        if (kind == PAWN || kind == BISHOP || kind == QUEEN) hitting |= bishop_attacks(to, occ) & p->diag;
        if (kind == ROOK || kind == QUEEN) hitting |= rook_attacks(to, occ) & p->orth;
        hitting &= occ;
        side = (Colour)!side;
        balance = -balance - 1 - exchange_value(kind);
        if (balance >= 0) break;
    }
    return side != p->turn;
}
