/* SPDX-License-Identifier: MIT */
/*
 * The cheap count, for soft children: those whose move changes nothing for B's king (critical.h). Pins, checks, king
 * moves, castling and the knights' moves are then those of the null move, a pass by A, so
 *
 *      replies = replies to the pass + (pawn and slider moves in this child - pawn and slider moves after the pass)
 *
 * and only pawns and sliders are counted again, in lanes. Bishops: VPSHUFBITQMB picks the squares of one diagonal out
 * of eight boards at once and packs them into eight bytes. Eight diagonals of eight children fill a register, and a
 * subtraction in bytes walks along all 64 of them:
 *
 *      diagonal 0 of children 7 ... 0 | diagonal 1 of children 7 ... 0 | ...       a byte each: its occupied squares
 *
 * A bishop has two diagonals, so at most four bishops and queens of B fit.
 */
#pragma once
#include "general.h"

enum { SOFT_DIAG_MAX = 4 };

typedef struct {
    Bits push, east, west;  /* pawns that may push, take toward h, take toward a: pins applied */
    Bits along, up;         /* rooks and queens that may move along their rank, their file */
    Bits knights;           /* not pinned */
    unsigned knight_moves;  /* after the pass */
    Turned doubled, target; /* for quiet children: rooks doubled, squares without own men */
    Bits control[8], here[8], doubled_up[8], doubled_down[8], to[8], full[8];
} __attribute__((aligned(64))) Soft;

/* The same square of every child: eight equal bytes. */
INLINE Bits in_each_byte(Bits b) {
    return b * FILE_A;
}

INLINE void find_soft_diagonals(Soft *q, const Shared *c, Bits pinned) {
    int n = 0;
    EACH (s, c->b.diag) {
        for (int i = 0; i < 2; i++) {
            if (pinned & bit((int)s) & ~(i ? c->antidiagonal : c->diagonal)) continue;
            const Diagonal *d = &diagonals[i][s];
            q->control[n] = d->control;
            q->here[n] = d->here;
            q->doubled_up[n] = d->doubled;
            q->doubled_down[n] = d->mirrored;
            q->full[n] = d->full;
            q->to[n++] = in_each_byte(_pext_u64(~c->b.all, d->line));
        }
    }
    for (; n < 8; n++) q->control[n] = q->here[n] = q->doubled_up[n] = q->doubled_down[n] = q->full[n] = q->to[n] = 0;
}

INLINE void find_soft(Soft *q, const Shared *c, Bits pinned, Colour b) {
    const Bits rising = b == WHITE ? c->diagonal : c->antidiagonal,
               falling = b == WHITE ? c->antidiagonal : c->diagonal;
    q->push = c->b.pawn & ~(pinned & ~c->file);
    q->east = c->b.pawn & ~(pinned & ~rising) & ~FILE_H;
    q->west = c->b.pawn & ~(pinned & ~falling) & ~FILE_A;
    q->along = c->b.orth & ~(pinned & ~c->rank);
    q->up = c->b.orth & ~(pinned & ~c->file);
    q->knights = c->b.knight & ~pinned;
    q->knight_moves = 0;
    EACH (s, q->knights) q->knight_moves += (unsigned)count(knight_attacks[s] & ~c->b.all);
    const Boards along = eight(q->along), up = transpose(eight(q->up));
    q->doubled =
        (Turned){bytes_doubled(along), bytes_doubled(mirror(along)), bytes_doubled(up), bytes_doubled(mirror(up))};
    q->target = turned(eight(~c->b.all));
    find_soft_diagonals(q, c, pinned);
}

/*
 * A batch is counted in two phases. The first picks the diagonals and stores them, eight bytes at a time; the second
 * loads all 64. In between the full counts run: a load of bytes still on their way from eight stores has to wait.
 */
typedef struct {
    Boards occ, own;
    Bits line[8], line_own[8];
} __attribute__((aligned(64))) SoftBatch;

INLINE void pick_diagonals(Bits out[8], Boards boards, const Soft *q) {
    for (int i = 0; i < 8; i++)
        out[i] = _mm512_bitshuffle_epi64_mask((__m512i)boards, _mm512_set1_epi64((long long)q->control[i]));
}

INLINE void begin_soft(SoftBatch *h, const Shared *c, const Soft *q, const uint8_t *from8, const uint8_t *to8,
                       bool captures) {
    const Boards from = men_on(from8), to = men_on(to8);
    h->occ = (c->occ & ~from) | to;
    pick_diagonals(h->line, h->occ, q);
    if (!captures) return;
    h->own = c->b.all & ~to;
    pick_diagonals(h->line_own, h->own, q);
}

/* The squares seen on eight diagonals of eight children: the two walks differ exactly there. */
INLINE Boards seen_on_diagonals(Boards occ, const Soft *q) {
    const Boards up = bytes_minus(occ, (Boards)_mm512_load_si512(q->doubled_up));
    const Boards down = mirror(bytes_minus(mirror(occ), (Boards)_mm512_load_si512(q->doubled_down)));
    return up ^ down;
}

/* Byte 8 * line + child, a count each -> a number for each child. */
INLINE Boards add_lines(Bytes counted) {
    const Bytes by_child = _mm512_permutexvar_epi8(_mm512_load_si512((const void *)lines_to_children), counted);
    return (Boards)_mm512_sad_epu8(by_child, _mm512_setzero_si512());
}

INLINE Boards soft_pawns(Boards one, Boards east, Boards west, Boards occ, const Shared *c, Colour b) {
    const Boards two = forward_all(one & third_rank(b), b) & ~occ;
    one |= two | east;
    Boards n = counts(one) + counts(west);
    if (c->promotes) n += (counts(one & last_rank(b)) + counts(west & last_rank(b))) * 3;
    return n;
}

/* Pawn and slider moves of eight quiet children. */
INLINE Boards count_quiet(const SoftBatch *h, const Shared *c, const Soft *q, Colour b) {
    const Turned occ = turned(h->occ);
    const Boards straight = counts((bytes_minus(occ.east, q->doubled.east) ^ occ.east) & q->target.east) +
                            counts((bytes_minus(occ.west, q->doubled.west) ^ occ.west) & q->target.west) +
                            (counts((bytes_minus(occ.south, q->doubled.south) ^ occ.south) & q->target.south) +
                             counts((bytes_minus(occ.north, q->doubled.north) ^ occ.north) & q->target.north));
    const Bits step_east = b == WHITE ? q->east << 9 : q->east >> 7,
               step_west = b == WHITE ? q->west << 7 : q->west >> 9;
    const Boards enemy = h->occ & ~c->b.all;
    const Boards pawns = soft_pawns(forward(q->push, b) & ~h->occ, enemy & step_east, enemy & step_west, h->occ, c, b);
    const Boards seen = seen_on_diagonals((Boards)_mm512_load_si512(h->line), q);
    return straight + pawns + add_lines(_mm512_popcnt_epi8((__m512i)(seen & (Boards)_mm512_load_si512(q->to))));
}

/* A captured knight's moves go; the others may gain the square. */
INLINE Boards soft_knights(Boards own, const Soft *q) {
    Boards n = no_boards();
    EACH (s, q->knights) n = add_where(meets(own, eight(bit((int)s))), n, counts(~own & knight_attacks[s]));
    return n;
}

INLINE Boards soft_straight(const SoftBatch *h, const Soft *q) {
    const Turned occ = turned(h->occ), to = turned(~h->own);
    const Boards along = h->own & q->along, west = mirror(along), south = transpose(h->own & q->up);
    const Boards north = mirror(south);
    return counts((toward_h(occ.east, along) ^ occ.east) & to.east) +
           counts((toward_h(occ.west, west) ^ occ.west) & to.west) +
           (counts((toward_h(occ.south, south) ^ occ.south) & to.south) +
            counts((toward_h(occ.north, north) ^ occ.north) & to.north));
}

/* The same where the move may capture: B's men differ from lane to lane. Knights are counted too. */
INLINE Boards count_captures(const SoftBatch *h, const Shared *c, const Soft *q, Colour b) {
    const Boards enemy = h->occ & ~h->own;
    const Boards east = step_all(h->own & q->east, pawn_up(b) + 1), west = step_all(h->own & q->west, pawn_up(b) - 1);
    const Boards pawns =
        soft_pawns(forward_all(h->own & q->push, b) & ~h->occ, enemy & east, enemy & west, h->occ, c, b);
    const Boards own = (Boards)_mm512_load_si512(h->line_own);
    const Boards seen = seen_on_diagonals((Boards)_mm512_load_si512(h->line), q) & ~own;
    const Boards reached = seen & (Boards)_mm512_load_si512(q->full);
    const Subset alive = _mm512_test_epi8_mask((__m512i)own, _mm512_load_si512(q->here)); /* the slider itself */
    return soft_straight(h, q) + pawns + soft_knights(h->own, q) +
           add_lines(_mm512_maskz_popcnt_epi8(alive, (__m512i)reached));
}
