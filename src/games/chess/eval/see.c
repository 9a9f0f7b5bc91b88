/* SPDX-License-Identifier: MIT */
#include "see.h"

/* Both sides' men that hit s through the squares that occ leaves empty. */
static Bits all_attackers(const Position *p, int s, Bits occ) {
    return (pawn_attacks[BLACK][s] & p->pawn & p->side[WHITE]) | (pawn_attacks[WHITE][s] & p->pawn & p->side[BLACK]) |
           (knight_attacks[s] & p->knight) | (king_attacks[s] & p->king) | (bishop_attacks(s, occ) & p->diag) |
           (rook_attacks(s, occ) & p->orth);
}

/* The cheapest kind among some men, at least one; *its are those of that kind. */
INLINE Kind cheapest(const Position *p, Bits men, Bits *its) {
    if ((*its = men & p->pawn)) return PAWN;
    if ((*its = men & p->knight)) return KNIGHT;
    if ((*its = men & p->diag & ~p->orth)) return BISHOP;
    if ((*its = men & p->orth & ~p->diag)) return ROOK;
    if ((*its = men & p->diag)) return QUEEN;
    *its = men;
    return KING;
}

/* What a move wins at once. */
static int gain_of(const Position *p, Move m) {
    if (move_flag(m) == EN_PASSANT) return exchange_value(PAWN);
    const int taken = exchange_value(kind_looked_up(p, move_to(m)));
    return move_promotes(m) ? taken + exchange_value(move_promotion(m)) - exchange_value(PAWN) : taken;
}

/* Whoever captures stakes the man that captures; a side stops when it would fall behind even if that man were free. */
bool see_at_least(const Position *p, Move m, int least) {
    if (move_flag(m) == CASTLING) return least <= 0;
    const int from = move_from(m), to = move_to(m);
    int balance = gain_of(p, m) - least;
    if (balance < 0) return false;
    balance -= exchange_value(move_promotes(m) ? move_promotion(m) : kind_looked_up(p, from));
    if (balance >= 0) return true;
    const Colour them = (Colour)!p->turn;
    /* A pawn that takes back stakes so little that most losing captures end here, before any line is looked up. */
    if (pawn_attacks[p->turn][to] & p->pawn & p->side[them] && balance < -exchange_value(PAWN)) return false;

    Bits occ = (occupied(p) ^ bit(from)) | bit(to);
    if (move_flag(m) == EN_PASSANT) occ ^= forward(bit(to), them);
    Bits hitting = all_attackers(p, to, occ) & occ;
    Colour side = them;
    while (hitting & p->side[side]) {
        Bits takers;
        const Kind kind = cheapest(p, hitting & p->side[side], &takers);
        if (kind == KING && hitting & p->side[!side]) break; /* it would be taken itself */
        occ ^= takers & -takers;
        if (kind == PAWN || kind == BISHOP || kind == QUEEN) hitting |= bishop_attacks(to, occ) & p->diag;
        if (kind == ROOK || kind == QUEEN) hitting |= rook_attacks(to, occ) & p->orth;
        hitting &= occ;
        side = (Colour)!side;
        balance = -balance - 1 - exchange_value(kind);
        if (balance >= 0) break;
    }
    return side != p->turn;
}
