/* SPDX-License-Identifier: MIT */
/*
 * Making a move: the position is copied and changed, never unmade. One text; what the caller knows as a constant (the
 * colour, the kind of man, the flag, whether keys are wanted) folds away.
 */
#pragma once
#include "zobrist.h"

/* What taking the men of `victim` (one square, or none) off the board does. */
INLINE void remove_men(Position *n, Colour them, Bits victim) {
    n->side[them] &= ~victim;
    n->pawn &= ~victim;
    n->knight &= ~victim;
    n->diag &= ~victim;
    n->orth &= ~victim;
}

/* Puts a man on, or takes it off: every square of `change` flips. */
INLINE void flip_men(Position *n, Kind kind, Bits change) {
    if (kind == PAWN) n->pawn ^= change;
    if (kind == KNIGHT) n->knight ^= change;
    if (kind == BISHOP || kind == QUEEN) n->diag ^= change;
    if (kind == ROOK || kind == QUEEN) n->orth ^= change;
    if (kind == KING) n->king ^= change;
}

INLINE Key play_castling(Position *n, const Position *p, Colour us, int from, int to, const Zobrist *z, Key key) {
    const bool is_short = to > from;
    const int king = castled_king(us, is_short), rook = castled_rook(us, is_short);
    n->king ^= bit(from) ^ bit(king);
    n->orth ^= bit(to) ^ bit(rook);
    n->side[us] ^= bit(from) ^ bit(to) ^ bit(king) ^ bit(rook);
    n->castle[us] = 0;
    if (z) {
        key ^= z->man[us][KING][from] ^ z->man[us][KING][king] ^ z->man[us][ROOK][to] ^ z->man[us][ROOK][rook];
        key ^= zobrist_castling(z, us, p->castle[us]);
    }
    return key;
}

/* The rights that a move from one square to another leaves. */
INLINE Key update_castling(Position *n, const Position *p, Colour us, Kind kind, int from, int to, const Zobrist *z,
                           Key key) {
    const Colour them = (Colour)!us;
    n->castle[us] = kind == KING ? 0 : (uint8_t)(p->castle[us] & ~(bit(from) >> home_row(us)));
    n->castle[them] = (uint8_t)(p->castle[them] & ~(bit(to) >> home_row(them)));
    if (z && UNLIKELY(n->castle[us] != p->castle[us])) key ^= zobrist_castling(z, us, n->castle[us] ^ p->castle[us]);
    if (z && UNLIKELY(n->castle[them] != p->castle[them]))
        key ^= zobrist_castling(z, them, n->castle[them] ^ p->castle[them]);
    return key;
}

/*
 * Writes to *n the position after `us`, whose turn it is in *p, moves a man of that kind. The move must be legal. With
 * z (else NULL) the key of *p becomes that of *n, and is returned.
 */
INLINE Key play(Position *n, const Position *p, Colour us, Kind kind, int from, int to, int flag, const Zobrist *z,
                Key key) {
    const Colour them = (Colour)!us;
    *n = *p;
    n->ep = 0;
    n->turn = (uint8_t)them;
    n->fullmove = (uint16_t)(n->fullmove + (us == BLACK));
    n->halfmove++;
    if (z) {
        key ^= z->black_to_move;
        if (p->ep) key ^= z->ep[square_file(p->ep)];
    }
    if (flag == CASTLING) return play_castling(n, p, us, from, to, z, key);

    const int taken_on = flag == EN_PASSANT ? to - pawn_up(us) : to;
    const Bits victim = bit(taken_on) & p->side[them];
    if (flag != DOUBLE_PUSH && victim) {
        if (z) key ^= z->man[them][flag == EN_PASSANT ? PAWN : kind_at(p, taken_on)][taken_on];
        remove_men(n, them, victim);
        n->halfmove = 0;
    }
    if (kind == PAWN) n->halfmove = 0;
    const Kind becomes = flag > PROMOTION ? (Kind)(flag - PROMOTION) : kind;
    flip_men(n, kind, bit(from));
    flip_men(n, becomes, bit(to));
    n->side[us] ^= bit(from) | bit(to);
    if (z) key ^= z->man[us][kind][from] ^ z->man[us][becomes][to];
    if (flag == DOUBLE_PUSH) {
        const int passed = to - pawn_up(us);
        if (pawn_attacks[us][passed] & p->pawn & p->side[them] && ep_is_legal(n, them, passed)) {
            n->ep = (uint8_t)passed;
            if (z) key ^= z->ep[square_file(passed)];
        }
    } else if (flag != EN_PASSANT && (p->castle[WHITE] | p->castle[BLACK])) {
        key = update_castling(n, p, us, kind, from, to, z, key);
    }
    return key;
}
