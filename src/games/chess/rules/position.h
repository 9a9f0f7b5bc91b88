/* SPDX-License-Identifier: MIT */
/*
 * A position: one 64-byte cache line, copied rather than unmade.
 *
 *      0        16      24       32     40     48     56       58  59   60        62        64
 *      | side[2] | pawn | knight | diag | orth | king | castle | ep | turn | halfmove | fullmove |
 *
 * Sliders are kept by how they move, not by piece type: a queen stands in `diag` and in `orth`. Pieces of both colours
 * share a set; `side` tells them apart.
 *
 * Invariants (validate.c refuses what breaks them): one king a side; the side that does not move is not in check;
 * castle[c] holds the files of c's rooks on its back rank that may castle, at most one on either side of its king,
 * which stands on the back rank too; `ep` is the square behind a pawn that just moved two and only if an en passant
 * capture of it is legal, else 0. So two positions with the same legal futures are equal, and have one key.
 */
#pragma once
#include "attacks.h"
#include "types.h"

typedef struct {
    Bits side[2];
    Bits pawn, knight, diag, orth, king;
    uint8_t castle[2];
    uint8_t ep;
    uint8_t turn;
    uint16_t halfmove; /* plies since the last capture or pawn move */
    uint16_t fullmove; /* from 1; goes up after black's move */
} __attribute__((aligned(64))) Position;

_Static_assert(sizeof(Position) == 64, "a position is one cache line");

INLINE Bits occupied(const Position *p) {
    return p->side[WHITE] | p->side[BLACK];
}
/* Puts a piece on an empty square. Without branches, which would be mispredicted when many positions are read. */
INLINE void position_put(Position *p, int s, Colour c, PieceType type) {
    assert(s >= 0 && s < 64 && type < NO_PIECE_TYPE && !(occupied(p) & bit(s)));
    p->side[c] |= bit(s);
    p->pawn |= (Bits)(type == PAWN) << s;
    p->knight |= (Bits)(type == KNIGHT) << s;
    p->diag |= (Bits)(type == BISHOP || type == QUEEN) << s;
    p->orth |= (Bits)(type == ROOK || type == QUEEN) << s;
    p->king |= (Bits)(type == KING) << s;
}
INLINE int king_square(const Position *p, Colour c) {
    assert(p->king & p->side[c]);
    return lsb(p->king & p->side[c]);
}

/* The rooks of a side that may castle. */
INLINE Bits castling_rooks(const Position *p, Colour c) {
    return (Bits)p->castle[c] << back_rank_start(c);
}
/* Of these the one on the h-file's side (short) or the a-file's side (long) of the king: empty, or one square. */
INLINE Bits castling_rook(const Position *p, Colour c, bool is_short) {
    Bits beyond = is_short ? ~(Bits)0 << king_square(p, c) : bit(king_square(p, c)) - 1;
    return castling_rooks(p, c) & beyond;
}
/* Where they land, in standard chess and Chess960: g and f, or c and d. */
INLINE int castled_king(Colour c, bool is_short) {
    return back_rank_start(c) + (is_short ? 6 : 2);
}
INLINE int castled_rook(Colour c, bool is_short) {
    return back_rank_start(c) + (is_short ? 5 : 3);
}

/*
 * May c castle as in standard chess only, from the e-file with rooks in the corners? True where it may not castle at
 * all.
 */
INLINE bool castles_as_standard(const Position *p, Colour c) {
    return !p->castle[c] || (!(p->castle[c] & ~0x81) && file_of(king_square(p, c)) == 4);
}

INLINE PieceType piece_type_at(const Position *p, int s) {
    assert(s >= 0 && s < 64);
    Bits b = bit(s);
    if (p->pawn & b) return PAWN;
    if (p->knight & b) return KNIGHT;
    if (p->king & b) return KING;
    if (p->diag & b) return p->orth & b ? QUEEN : BISHOP;
    return p->orth & b ? ROOK : NO_PIECE_TYPE;
}

/* The same without a branch, for pieces that a branch predictor would miss. */
INLINE PieceType piece_type_at_branchless(const Position *p, int s) {
    /* By the sets that hold the square: bit 0 pawn, 1 knight, 2 diag, 3 orth, 4 king. */
    static const uint8_t type[32] = {
        [0] = NO_PIECE_TYPE, [1] = PAWN, [2] = KNIGHT, [4] = BISHOP, [8] = ROOK, [12] = QUEEN, [16] = KING};
    return (PieceType)type[(p->pawn >> s & 1) | (p->knight >> s & 1) << 1 | (p->diag >> s & 1) << 2 |
                           (p->orth >> s & 1) << 3 | (p->king >> s & 1) << 4];
}

/* The piece on a square as FEN writes it; '.' for none. */
INLINE char piece_character(const Position *p, int s) {
    const PieceType type = piece_type_at(p, s);
    if (type == NO_PIECE_TYPE) return '.';
    return (char)(PIECE_LETTERS[type] + (p->side[BLACK] & bit(s) ? 32 : 0));
}

/* A move of the side to move, unpacked without a branch. */
INLINE UnpackedMove position_unpack_move(const Position *p, Move m) {
    return move_unpack(m, piece_type_at_branchless(p, move_from(m)));
}

/* The pieces of side c that attack square s through the squares that `occ` leaves empty. */
INLINE Bits attackers(const Position *p, Colour c, int s, Bits occ) {
    assert(s >= 0 && s < 64);
    return p->side[c] &
           ((knight_attacks[s] & p->knight) | (king_attacks[s] & p->king) | (pawn_attacks[!c][s] & p->pawn) |
            (bishop_attacks(s, occ) & p->diag) | (rook_attacks(s, occ) & p->orth));
}

/* The same by lines (attacks.h). */
INLINE Bits attackers_by_lines(const Position *p, Colour c, int s, Bits occ) {
    return p->side[c] &
           ((knight_attacks[s] & p->knight) | (king_attacks[s] & p->king) | (pawn_attacks[!c][s] & p->pawn) |
            (bishop_attacks_by_lines(s, occ) & p->diag) | (rook_attacks_by_lines(s, occ) & p->orth));
}

/* Is the side to move in check? */
INLINE bool in_check(const Position *p) {
    return attackers(p, (Colour)!p->turn, king_square(p, (Colour)p->turn), occupied(p)) != 0;
}

/*
 * Is the king of side `us` safe after its piece on `from` went to `to`, en passant captures and castling aside? One test
 * covers pins, checks and the king's own steps.
 */
INLINE bool king_is_safe_after(const Position *p, Colour us, int from, int to) {
    const int king = p->king & bit(from) ? to : king_square(p, us);
    const Bits after = (occupied(p) ^ bit(from)) | bit(to);
    return !(attackers(p, (Colour)!us, king, after) & ~bit(to));
}

/*
 * May the pawn of side `us` on `from` capture en passant on `to`, and keep its king safe? The one capture that removes
 * two pieces from a rank at once, tried on the board.
 */
INLINE bool ep_leaves_king_safe(const Position *p, Colour us, int from, int to) {
    Bits victim = forward(bit(to), (Colour)!us), after = (occupied(p) ^ bit(from) ^ victim) | bit(to);
    int king = king_square(p, us);
    return !(attackers(p, (Colour)!us, king, after) & ~victim);
}
INLINE bool ep_is_legal(const Position *p, Colour us, int to) {
    EACH (from, pawn_attacks[!us][to] & p->pawn & p->side[us])
        if (ep_leaves_king_safe(p, us, (int)from, to)) return true;
    return false;
}

/*
 * For assertions: do the sets agree, and has each side one king? What code can break; position_validate tells of the
 * rest.
 */
INLINE bool position_is_consistent(const Position *p) {
    const Bits sliders = p->diag | p->orth, kings = p->king;
    const int pieces = popcount(p->pawn) + popcount(p->knight) + popcount(sliders) + popcount(kings);
    return p->turn <= BLACK && p->ep < NO_SQUARE && !(p->side[WHITE] & p->side[BLACK]) &&
           (p->pawn | p->knight | sliders | kings) == occupied(p) && popcount(occupied(p)) == pieces &&
           popcount(kings & p->side[WHITE]) == 1 && popcount(kings & p->side[BLACK]) == 1;
}

/* The board mirrored vertically, with the colours exchanged: the same position for the side to move. */
Position position_flipped(const Position *p);

/* Equal in everything but the move counters? */
bool position_same(const Position *a, const Position *b);

/*
 * Four words by which to sort positions of one ply so that neighbours share much of their subtrees: the pieces of the
 * side to move, its pawns first, then those of the other side, each set as its owner sees the board, so that the most
 * advanced pieces weigh most.
 */
enum { LOCALITY_WORDS = 4 };
typedef struct {
    Bits word[LOCALITY_WORDS];
} LocalityKey;
LocalityKey position_locality_key(const Position *p);
