/* SPDX-License-Identifier: MIT */
/*
 * Making a move: the position is copied and changed, never unmade. The key after a move can be had without making it
 * (key_after), so that a table is asked first and only the positions it does not know are ever built.
 *
 * What the caller knows as a constant (the colour, the kind of man, the flag) folds away.
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

/* The castling rights of the mover and of the other side after a move: gone with the king, the rook, or its capture. */
INLINE uint8_t own_rights_after(const Position *p, Colour us, Kind kind, int from) {
    return kind == KING ? 0 : (uint8_t)(p->castle[us] & ~(bit(from) >> home_row(us)));
}
INLINE uint8_t their_rights_after(const Position *p, Colour us, int to) {
    const Colour them = (Colour)!us;
    return (uint8_t)(p->castle[them] & ~(bit(to) >> home_row(them)));
}

/* The turn passes; the mover's last en passant chance with it. */
INLINE void pass_turn(Position *n, const Position *p, Colour us) {
    *n = *p;
    n->ep = 0;
    n->turn = (uint8_t)!us;
    n->fullmove = (uint16_t)(p->fullmove + (us == BLACK));
    n->halfmove = (uint16_t)(p->halfmove + 1);
}

INLINE void play_castling(Position *n, const Position *p, Colour us, int from, int to) {
    const bool is_short = to > from;
    const int king = castled_king(us, is_short), rook = castled_rook(us, is_short);
    pass_turn(n, p, us);
    n->king ^= bit(from) ^ bit(king);
    n->orth ^= bit(to) ^ bit(rook);
    n->side[us] ^= bit(from) ^ bit(to) ^ bit(king) ^ bit(rook);
    n->castle[us] = 0;
}

/* Writes to *n the position after `us`, whose turn it is in *p, moves a man of that kind. The move must be legal. */
INLINE void play(Position *n, const Position *p, Colour us, Kind kind, int from, int to, int flag) {
    const Colour them = (Colour)!us;
    if (flag == CASTLING) {
        play_castling(n, p, us, from, to);
        return;
    }
    pass_turn(n, p, us);
    const Bits victim = bit(flag == EN_PASSANT ? to - pawn_up(us) : to) & p->side[them];
    remove_men(n, them, victim);
    if (kind == PAWN || victim) n->halfmove = 0;
    flip_men(n, kind, bit(from));
    flip_men(n, flag > PROMOTION ? (Kind)(flag - PROMOTION) : kind, bit(to));
    n->side[us] ^= bit(from) | bit(to);
    n->castle[us] = own_rights_after(p, us, kind, from);
    n->castle[them] = their_rights_after(p, us, to);
    if (flag == DOUBLE_PUSH) {
        const int passed = to - pawn_up(us);
        if (pawn_attacks[us][passed] & p->pawn & p->side[them] && ep_is_legal(n, them, passed)) n->ep = (uint8_t)passed;
    }
}

/* A set of men after whoever stands on f moved to t, and whoever stood on t was taken. */
INLINE Bits set_after(Bits set, Bits f, Bits t) {
    const Bits kept = set & ~t;
    return kept & f ? kept ^ f ^ t : kept;
}

/* The same for a move whose kind of man is not a constant. */
INLINE void play_move(Position *n, const Position *p, Colour us, Move m) {
    const int from = move_from(m), to = move_to(m), flag = move_flag(m);
    if (UNLIKELY(flag != PLAIN)) {
        play(n, p, us, flag == CASTLING ? KING : PAWN, from, to, flag);
        return;
    }
    const Colour them = (Colour)!us;
    const Bits f = bit(from), t = bit(to);
    n->side[us] = p->side[us] ^ f ^ t;
    n->side[them] = p->side[them] & ~t;
    n->pawn = set_after(p->pawn, f, t);
    n->knight = set_after(p->knight, f, t);
    n->diag = set_after(p->diag, f, t);
    n->orth = set_after(p->orth, f, t);
    n->king = set_after(p->king, f, t);
    n->castle[us] = own_rights_after(p, us, p->king & f ? KING : NO_KIND, from);
    n->castle[them] = their_rights_after(p, us, to);
    n->ep = 0;
    n->turn = (uint8_t)them;
    n->halfmove = (uint16_t)((p->pawn & f) | (p->side[them] & t) ? 0 : p->halfmove + 1);
    n->fullmove = (uint16_t)(p->fullmove + (us == BLACK));
}

INLINE Key key_after_castling(const Zobrist *z, const Position *p, Key key, Colour us, int from, int to) {
    const bool is_short = to > from;
    key ^= z->man[us][KING][from] ^ z->man[us][KING][castled_king(us, is_short)];
    key ^= z->man[us][ROOK][to] ^ z->man[us][ROOK][castled_rook(us, is_short)];
    return key ^ zobrist_castling(z, us, p->castle[us]);
}

/* The key of the position that play() would write, given that of *p. */
INLINE Key key_after(const Zobrist *z, const Position *p, Key key, Colour us, Kind kind, int from, int to, int flag) {
    const Colour them = (Colour)!us;
    key ^= z->black_to_move;
    if (UNLIKELY(p->ep)) key ^= z->ep[square_file(p->ep)];
    if (flag == CASTLING) return key_after_castling(z, p, key, us, from, to);

    const int taken_on = flag == EN_PASSANT ? to - pawn_up(us) : to;
    if (flag != DOUBLE_PUSH && p->side[them] & bit(taken_on)) {
        key ^= z->man[them][flag == EN_PASSANT ? PAWN : kind_at(p, taken_on)][taken_on];
        if (p->castle[them]) key ^= zobrist_castling(z, them, p->castle[them] ^ their_rights_after(p, us, to));
    }
    key ^= z->man[us][kind][from] ^ z->man[us][flag > PROMOTION ? (Kind)(flag - PROMOTION) : kind][to];
    if ((kind == KING || kind == ROOK) && p->castle[us]) /* no other man stands where a right could be lost */
        key ^= zobrist_castling(z, us, p->castle[us] ^ own_rights_after(p, us, kind, from));
    if (flag == DOUBLE_PUSH && UNLIKELY(pawn_attacks[us][to - pawn_up(us)] & p->pawn & p->side[them])) {
        Position n;
        play(&n, p, us, PAWN, from, to, DOUBLE_PUSH);
        if (n.ep) key ^= z->ep[square_file(to)];
    }
    return key;
}
