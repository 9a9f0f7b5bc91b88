/* SPDX-License-Identifier: MIT */
#include "see.h"

/* The attackers of both sides on s, with occupancy occ. */
static Bits attackers_to(const Position *p, int s, Bits occ) {
    return (pawn_attacks[BLACK][s] & p->pawn & p->side[WHITE]) | (pawn_attacks[WHITE][s] & p->pawn & p->side[BLACK]) |
           (knight_attacks[s] & p->knight) | (king_attacks[s] & p->king) | (bishop_attacks(s, occ) & p->diag) |
           (rook_attacks(s, occ) & p->orth);
}

/* The type of the least valuable of some pieces, at least one; *of_type are those of that type. */
INLINE PieceType least_valuable_attacker(const Position *p, Bits pieces, Bits *of_type) {
    assert(pieces);
    if ((*of_type = pieces & p->pawn)) return PAWN;
    if ((*of_type = pieces & p->knight)) return KNIGHT;
    if ((*of_type = pieces & p->diag & ~p->orth)) return BISHOP;
    if ((*of_type = pieces & p->orth & ~p->diag)) return ROOK;
    if ((*of_type = pieces & p->diag)) return QUEEN;
    *of_type = pieces;
    return KING;
}

/* The material that a move wins at once. */
static int capture_gain(const Position *p, Move m) {
    if (move_flag(m) == EN_PASSANT) return exchange_value(PAWN);
    const int taken = exchange_value(piece_type_at_branchless(p, move_to(m)));
    return move_promotes(m) ? taken + exchange_value(move_promotion(m)) - exchange_value(PAWN) : taken;
}

/*
 * Swap algorithm with a threshold: the capturing piece is at stake; a side stops when it would fall short even if that
 * piece were not recaptured.
 */
bool see_at_least(const Position *p, Move m, int threshold) {
    if (move_flag(m) == CASTLING) return threshold <= 0;
    const int from = move_from(m), to = move_to(m);
    assert(p->side[p->turn] & bit(from));
    int balance = capture_gain(p, m) - threshold;
    if (balance < 0) return false;
    balance -= exchange_value(move_promotes(m) ? move_promotion(m) : piece_type_at_branchless(p, from));
    if (balance >= 0) return true;
    const Colour them = (Colour)!p->turn;
    /* A pawn recapture risks so little that most losing captures end here, before any attack lookup. */
    if (pawn_attacks[p->turn][to] & p->pawn & p->side[them] && balance < -exchange_value(PAWN)) return false;

    Bits occ = (occupied(p) ^ bit(from)) | bit(to);
    if (move_flag(m) == EN_PASSANT) occ ^= forward(bit(to), them);
    Bits attacking = attackers_to(p, to, occ) & occ;
    Colour side = them;
    while (attacking & p->side[side]) {
        Bits attackers_of_type;
        const PieceType type = least_valuable_attacker(p, attacking & p->side[side], &attackers_of_type);
        if (type == KING && attacking & p->side[!side]) break; /* the king cannot capture a defended piece */
        occ ^= attackers_of_type & -attackers_of_type;
        if (type == PAWN || type == BISHOP || type == QUEEN) attacking |= bishop_attacks(to, occ) & p->diag;
        if (type == ROOK || type == QUEEN) attacking |= rook_attacks(to, occ) & p->orth;
        attacking &= occ;
        side = (Colour)!side;
        balance = -balance - 1 - exchange_value(type);
        if (balance >= 0) break;
    }
    return side != p->turn;
}
