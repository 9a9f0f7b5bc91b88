/* SPDX-License-Identifier: MIT */
/*
 * Making a move: the position is copied and changed, never unmade. The key after a move can be computed without making
 * it (key_after), so that a table is probed first and only the positions it does not hold are built.
 *
 * What the caller knows as a constant (the colour, the piece type, the flag) folds away.
 */
#pragma once
#include "zobrist.h"

/* Removes the pieces of `victim` (one square, or none). */
INLINE void remove_pieces(Position *n, Colour them, Bits victim) {
    assert(!(victim & n->king));
    n->side[them] &= ~victim;
    n->pawn &= ~victim;
    n->knight &= ~victim;
    n->diag &= ~victim;
    n->orth &= ~victim;
}

/* Adds a piece, or removes it: every square of `change` flips. */
INLINE void flip_piece(Position *n, PieceType type, Bits change) {
    if (type == PAWN) n->pawn ^= change;
    if (type == KNIGHT) n->knight ^= change;
    if (type == BISHOP || type == QUEEN) n->diag ^= change;
    if (type == ROOK || type == QUEEN) n->orth ^= change;
    if (type == KING) n->king ^= change;
}

/*
 * The castling rights of the mover and of the other side after a move: lost with a king's move, a rook's, or its
 * capture.
 */
INLINE uint8_t own_rights_after(const Position *p, Colour us, PieceType type, int from) {
    return type == KING ? 0 : (uint8_t)(p->castle[us] & ~(bit(from) >> back_rank_start(us)));
}
INLINE uint8_t their_rights_after(const Position *p, Colour us, int to) {
    const Colour them = (Colour)!us;
    return (uint8_t)(p->castle[them] & ~(bit(to) >> back_rank_start(them)));
}

/* The turn passes to the other side without a move; an en passant square is removed. */
INLINE void make_null_move(Position *n, const Position *p, Colour us) {
    *n = *p;
    n->ep = 0;
    n->turn = (uint8_t)!us;
    n->fullmove = (uint16_t)(p->fullmove + (us == BLACK));
    n->halfmove = (uint16_t)(p->halfmove + 1);
}

INLINE void make_castling(Position *n, const Position *p, Colour us, int from, int to) {
    const bool is_short = to > from;
    const int king = castled_king(us, is_short), rook = castled_rook(us, is_short);
    assert(from == king_square(p, us) && castling_rooks(p, us) & bit(to));
    make_null_move(n, p, us);
    n->king ^= bit(from) ^ bit(king);
    n->orth ^= bit(to) ^ bit(rook);
    n->side[us] ^= bit(from) ^ bit(to) ^ bit(king) ^ bit(rook);
    n->castle[us] = 0;
    assert(position_is_consistent(n));
}

/* After a double push: only if an en passant capture is legal. */
INLINE void set_ep_square(Position *n, const Position *p, Colour us, int passed) {
    const Colour them = (Colour)!us;
    if (pawn_attacks[us][passed] & p->pawn & p->side[them] && ep_is_legal(n, them, passed)) n->ep = (uint8_t)passed;
}

/* Writes to *n the position after `us`, whose turn it is in *p, moves a piece of that type. The move must be legal. */
INLINE void make_piece_move(Position *n, const Position *p, Colour us, UnpackedMove m) {
    const Colour them = (Colour)!us;
    const PieceType type = m.type;
    const int from = m.from, to = m.to, flag = m.flag;
    if (flag == CASTLING) {
        make_castling(n, p, us, from, to);
        return;
    }
    assert(p->turn == us && p->side[us] & bit(from) && piece_type_at(p, from) == type);
    make_null_move(n, p, us);
    const Bits victim = bit(flag == EN_PASSANT ? to - pawn_up(us) : to) & p->side[them];
    remove_pieces(n, them, victim);
    if (type == PAWN || victim) n->halfmove = 0;
    flip_piece(n, type, bit(from));
    flip_piece(n, flag > PROMOTION ? (PieceType)(flag - PROMOTION) : type, bit(to));
    n->side[us] ^= bit(from) | bit(to);
    n->castle[us] = own_rights_after(p, us, type, from);
    n->castle[them] = their_rights_after(p, us, to);
    if (flag == DOUBLE_PUSH) set_ep_square(n, p, us, to - pawn_up(us));
    assert(position_is_consistent(n));
}

/* A set of pieces after the piece on f, if it is in the set, moved to t, where another may have been captured. */
INLINE Bits set_after_move(Bits set, Bits f, Bits t) {
    const Bits kept = set & ~t;
    return kept & f ? kept ^ f ^ t : kept;
}

/*
 * The same for a move whose piece type is not a constant. A double push goes the way of most moves: its sets are then
 * stored in the same widths, which the processor can forward to the loads of a count that follows at once.
 */
INLINE void make_move(Position *n, const Position *p, Colour us, Move m) {
    const int from = move_from(m), to = move_to(m), flag = move_flag(m);
    if (UNLIKELY(flag > DOUBLE_PUSH)) {
        make_piece_move(n, p, us, move_unpack(m, flag == CASTLING ? KING : PAWN));
        return;
    }
    const Colour them = (Colour)!us;
    const Bits f = bit(from), t = bit(to);
    assert(p->turn == us && p->side[us] & f && !((p->side[us] | p->king) & t));
    n->side[us] = p->side[us] ^ f ^ t;
    n->side[them] = p->side[them] & ~t;
    n->pawn = set_after_move(p->pawn, f, t);
    n->knight = set_after_move(p->knight, f, t);
    n->diag = set_after_move(p->diag, f, t);
    n->orth = set_after_move(p->orth, f, t);
    n->king = set_after_move(p->king, f, t);
    n->castle[us] = own_rights_after(p, us, p->king & f ? KING : NO_PIECE_TYPE, from);
    n->castle[them] = their_rights_after(p, us, to);
    n->ep = 0;
    n->turn = (uint8_t)them;
    n->halfmove = (uint16_t)((p->pawn & f) | (p->side[them] & t) ? 0 : p->halfmove + 1);
    n->fullmove = (uint16_t)(p->fullmove + (us == BLACK));
    if (flag == DOUBLE_PUSH) set_ep_square(n, p, us, to - pawn_up(us));
    assert(position_is_consistent(n));
}

INLINE Key key_after_castling(const Zobrist *z, const Position *p, Key key, Colour us, int from, int to) {
    const bool is_short = to > from;
    key ^= z->piece[us][KING][from] ^ z->piece[us][KING][castled_king(us, is_short)];
    key ^= z->piece[us][ROOK][to] ^ z->piece[us][ROOK][castled_rook(us, is_short)];
    return key ^ zobrist_castling(z, us, p->castle[us]);
}

/* The key of the position that make_piece_move() would write, given that of *p. */
INLINE Key key_after(const Zobrist *z, const Position *p, Key key, Colour us, UnpackedMove m) {
    const Colour them = (Colour)!us;
    const PieceType type = m.type;
    const int from = m.from, to = m.to, flag = m.flag;
    key ^= z->black_to_move;
    if (UNLIKELY(p->ep)) key ^= z->ep[file_of(p->ep)];
    if (flag == CASTLING) return key_after_castling(z, p, key, us, from, to);

    const int taken_on = flag == EN_PASSANT ? to - pawn_up(us) : to;
    if (flag != DOUBLE_PUSH && p->side[them] & bit(taken_on)) {
        key ^= z->piece[them][flag == EN_PASSANT ? PAWN : piece_type_at(p, taken_on)][taken_on];
        if (p->castle[them]) key ^= zobrist_castling(z, them, p->castle[them] ^ their_rights_after(p, us, to));
    }
    key ^= z->piece[us][type][from] ^ z->piece[us][flag > PROMOTION ? (PieceType)(flag - PROMOTION) : type][to];
    if ((type == KING || type == ROOK) && p->castle[us]) /* no other piece stands where a right could be lost */
        key ^= zobrist_castling(z, us, p->castle[us] ^ own_rights_after(p, us, type, from));
    if (flag == DOUBLE_PUSH && UNLIKELY(pawn_attacks[us][to - pawn_up(us)] & p->pawn & p->side[them])) {
        Position n;
        make_piece_move(&n, p, us, (UnpackedMove){PAWN, from, to, DOUBLE_PUSH});
        if (n.ep) key ^= z->ep[file_of(to)];
    }
    return key;
}

/* The same for a move whose piece type is not a constant. Most moves are plain, which spares most of the tests. */
INLINE Key key_after_move(const Zobrist *z, const Position *p, Key key, Colour us, Move m) {
    const UnpackedMove move = position_unpack_move(p, m);
    if (UNLIKELY(move.flag != PLAIN)) return key_after(z, p, key, us, move);
    return key_after(z, p, key, us, (UnpackedMove){move.type, move.from, move.to, PLAIN});
}
