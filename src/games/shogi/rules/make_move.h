/* SPDX-License-Identifier: MIT */
/*
 * Making a move: the position is copied and changed, never unmade. The key after a move can be computed without making
 * it (key_after), so that a table is probed first and only the positions it does not hold are built.
 *
 * What the caller knows as a constant (the colour, the piece type, the flag) folds away.
 */
#pragma once
#include "zobrist.h"

/* The turn passes to the other side without a move. */
INLINE void make_null_move(Position *n, const Position *p, Colour us) {
    *n = *p;
    n->turn = (uint8_t)!us;
    n->ply = (uint16_t)(p->ply + 1);
}

/* Takes the piece of them on `to`, if there is one, into the hand of us. */
INLINE void capture_piece(Position *n, const Position *p, Colour us, int to) {
    const Squares t = square_bit(to);
    if (!(p->side[!us] & t)) return;
    const PieceType base = piece_type_unpromoted(piece_type_at(p, to));
    assert(base != KING && hand_count(p->hand[us], base) < hand_mask(base));
    n->side[!us] ^= t;
    n->type[base] ^= t;
    n->promoted &= ~t;
    n->hand[us] += hand_one(base);
}

INLINE void make_drop(Position *n, const Position *p, Colour us, PieceType type, int to) {
    const Squares t = square_bit(to);
    assert(!(occupied(p) & t) && hand_count(p->hand[us], type));
    make_null_move(n, p, us);
    n->side[us] |= t;
    n->type[type] |= t;
    n->hand[us] -= hand_one(type);
}

/* Writes to *n the position after `us`, whose turn it is in *p, moves a piece of that type. The move must be legal. */
INLINE void make_piece_move(Position *n, const Position *p, Colour us, UnpackedMove m) {
    if (m.flag == DROP) {
        make_drop(n, p, us, m.type, m.to);
        return;
    }
    assert(p->turn == us && has_square(p->side[us], m.from) && piece_type_at(p, m.from) == m.type);
    const Squares f = square_bit(m.from), t = square_bit(m.to);
    const PieceType base = piece_type_unpromoted(m.type);
    make_null_move(n, p, us);
    capture_piece(n, p, us, m.to);
    n->side[us] ^= f | t;
    if (base == KING)
        n->king[us] = (uint8_t)m.to;
    else
        n->type[base] ^= f | t;
    if (m.type & PROMOTED) n->promoted ^= f | t;
    if (m.flag == PROMOTION) n->promoted |= t;
    assert(position_is_consistent(n));
}

/* The same for a move whose piece type is not a constant. */
INLINE void make_move(Position *n, const Position *p, Colour us, Move m) {
    if (move_is_drop(m))
        make_drop(n, p, us, move_drop_type(m), move_to(m));
    else
        make_piece_move(n, p, us, move_unpack(m, piece_type_at(p, move_from(m))));
}

/* The key of the position that make_piece_move() would write, given that of *p. */
INLINE Key key_after(const Zobrist *z, const Position *p, Key key, Colour us, UnpackedMove m) {
    key ^= z->white_to_move;
    if (m.flag == DROP)
        return key ^ z->piece[us][m.type][m.to] ^ zobrist_hand_step(z, us, m.type, hand_count(p->hand[us], m.type));
    if (has_square(p->side[!us], m.to)) {
        const PieceType victim = piece_type_at(p, m.to), base = piece_type_unpromoted(victim);
        key ^= z->piece[!us][victim][m.to] ^ zobrist_hand_step(z, us, base, hand_count(p->hand[us], base) + 1);
    }
    return key ^ z->piece[us][m.type][m.from] ^ z->piece[us][m.flag == PROMOTION ? m.type | PROMOTED : m.type][m.to];
}

/* The same for a move whose piece type is not a constant. */
INLINE Key key_after_move(const Zobrist *z, const Position *p, Key key, Colour us, Move m) {
    return key_after(z, p, key, us, position_unpack_move(p, m));
}
