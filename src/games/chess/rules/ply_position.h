/* SPDX-License-Identifier: MIT */
/*
 * A position in 24 bytes, exactly, for plies of many positions: the occupied squares, and for each of them in their order a
 * code of four bits. What is no piece is a piece of another kind: a rook that may castle, a pawn that may be captured en
 * passant. The side to move is the same throughout a ply, and is not kept; nor are the move counters.
 *
 *     code   0 1 2 3 4 5  pawn to king, as PieceType       + 8 for white's
 *            6            a rook that may castle
 *            7            a pawn that may be captured en passant
 */
#pragma once
#include "make_move.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

typedef struct {
    Bits occupied;
    uint64_t code[2]; /* of the first 16 pieces, and of the others */
} PlyPosition;

enum { CODE_BITS = 4, CODES_IN_WORD = 16 };

INLINE bool ply_position_same(const PlyPosition *a, const PlyPosition *b) {
    return !((a->occupied ^ b->occupied) | (a->code[0] ^ b->code[0]) | (a->code[1] ^ b->code[1]));
}

/* Bit b of the code of each piece, as sets of squares to codes and back. */
INLINE void codes_from_sets(PlyPosition *w, const Bits set[CODE_BITS]) {
#if defined(__BMI2__)
    for (int b = 0; b < CODE_BITS; b++) {
        const Bits bits = _pext_u64(set[b], w->occupied);
        w->code[0] |= _pdep_u64(bits, 0x1111111111111111ull << b);
        w->code[1] |= _pdep_u64(bits >> CODES_IN_WORD, 0x1111111111111111ull << b);
    }
#else
    unsigned n = 0;
    EACH (s, w->occupied) {
        const uint64_t code =
            (set[0] >> s & 1) | (set[1] >> s & 1) << 1 | (set[2] >> s & 1) << 2 | (set[3] >> s & 1) << 3;
        w->code[n / CODES_IN_WORD] |= code << n % CODES_IN_WORD * CODE_BITS;
        n++;
    }
#endif
}
INLINE void sets_from_codes(const PlyPosition *w, Bits set[CODE_BITS]) {
#if defined(__BMI2__)
    for (int b = 0; b < CODE_BITS; b++)
        set[b] = _pdep_u64(_pext_u64(w->code[0], 0x1111111111111111ull << b) |
                               _pext_u64(w->code[1], 0x1111111111111111ull << b) << CODES_IN_WORD,
                           w->occupied);
#else
    unsigned n = 0;
    EACH (s, w->occupied) {
        const uint64_t code = w->code[n / CODES_IN_WORD] >> n % CODES_IN_WORD * CODE_BITS;
        for (int b = 0; b < CODE_BITS; b++) set[b] |= (code >> b & 1) << s;
        n++;
    }
#endif
}

INLINE PlyPosition position_for_ply(const Position *p) {
    const Bits castling = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
    const Bits passed = p->ep ? forward(bit(p->ep), (Colour)!p->turn) : 0;
    const Bits rook = p->orth & ~p->diag, queen = p->orth & p->diag;
    const Bits set[CODE_BITS] = {p->knight | (rook & ~castling) | p->king | passed, (p->diag ^ queen) | rook | passed,
                                 queen | p->king | castling | passed, p->side[WHITE]};
    PlyPosition w = {.occupied = occupied(p)};
    codes_from_sets(&w, set);
    return w;
}

INLINE Position position_of_ply(const PlyPosition *w, Colour turn) {
    Bits set[CODE_BITS] = {0};
    sets_from_codes(w, set);
    const Bits low = set[0], middle = set[1], high = set[2], castling = high & middle & ~low,
               passed = high & middle & low;
    const Bits queen = high & ~middle & ~low, bishop = middle & ~high & ~low;
    const Bits rook = (middle & low & ~high) | castling;
    return (Position){.side = {w->occupied & set[3], w->occupied & ~set[3]},
                      .pawn = (w->occupied & ~(low | middle | high)) | passed,
                      .knight = low & ~middle & ~high,
                      .diag = bishop | queen,
                      .orth = rook | queen,
                      .king = high & low & ~middle,
                      .castle = {(uint8_t)(castling & set[3]), (uint8_t)((castling & ~set[3]) >> 56)},
                      .ep = passed ? (uint8_t)lsb(forward(passed, turn)) : 0,
                      .turn = (uint8_t)turn,
                      .fullmove = 1};
}

/*
 * Which en passant captures make a position another one: those that are legal, as in Position and in all of Tabia; those of
 * any pawn that stands ready, though it may be pinned; or any double push does, where no pawn stands ready too.
 */
enum { EP_LEGAL = 1, EP_READY = 2, EP_ANY = 4, EP_DEFINITIONS = 3 };

typedef struct {
    Key key;
    unsigned by; /* definitions */
} KeyByDefinition;

/* The keys of the position after m by all definitions, one or two. Returns how many. */
INLINE unsigned keys_by_definition(const Zobrist *z, const Position *p, Key before, Colour us, UnpackedMove m,
                                   KeyByDefinition *to) {
    to[0] = (KeyByDefinition){key_after(z, p, before, us, m), EP_LEGAL | EP_READY | EP_ANY};
    if (m.flag != DOUBLE_PUSH) return 1;
    const Key ep = z->ep[file_of(m.to)];
    Key plain = before ^ z->black_to_move ^ z->piece[us][PAWN][m.from] ^ z->piece[us][PAWN][m.to];
    if (p->ep) plain ^= z->ep[file_of(p->ep)];
    if (!key_same(to[0].key, plain)) return 1;
    const bool ready = (pawn_attacks[us][m.to - pawn_up(us)] & p->pawn & p->side[!us]) != 0;
    to[0].by = ready ? EP_LEGAL : EP_LEGAL | EP_READY;
    to[1] = (KeyByDefinition){plain ^ ep, ready ? EP_READY | EP_ANY : EP_ANY};
    return 2;
}
