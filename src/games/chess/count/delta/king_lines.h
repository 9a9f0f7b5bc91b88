/* SPDX-License-Identifier: MIT */
/*
 * The lines to the kings. A line is a pin when one piece of the king's side stands between king and slider:
 *
 *      K . . m . . R        m keeps to the squares up to R and to R itself: that set is the pin's line
 *
 * For their king it also matters how our moves would change that. With o for one of our pieces:
 *
 *      K . . o . . R        o leaves: R gives check            "discoverer"
 *      K . m . o . R        o leaves: m becomes pinned         "pin opener", m is the "pin candidate"; m and o may also
 *                                                              stand in the other order
 *      K . m . . R .        R leaves the line: m is free       "pinner"
 *      K . m . x . R        any piece lands on x: m is free    x is on the pin's line
 *      K . m . . x .        a slider lands on x: pins m        "pinning" square
 *      K . . x . . .        a slider lands on x: check         "checking" square
 */
#pragma once
#include "context.h"

/* From the king, without it, to the pinning slider, with it: the union of the orthogonal lines, and of the diagonal. */
typedef struct {
    Bits orth, diag;
} Pins;

typedef struct {
    Pins pins;
    Bits pinners;                      /* our sliders that pin a piece of theirs */
    Bits discoverers;                  /* our pieces whose leaving gives check, or changes a castling */
    Bits pin_openers, pin_candidates;  /* our pieces whose leaving pins, and the pieces that it pins */
    Bits checking_orth, checking_diag; /* a slider that lands there checks */
    Bits pinning_orth, pinning_diag;   /* or pins */
} KingLines;

/* The squares from `king` toward `square`, which shares a line with it, up to the edge. */
INLINE Bits ray_through(int king, int square) {
    assert(line_through[king][square]);
    return line_through[king][square] & (square > king ? ~(Bits)1 << king : bit(king) - 1);
}

/* The pins to a king. A slider that checks him along an open line pins nothing: it attacks the king directly. */
INLINE Pins find_pins(const SidePieces *own, const SidePieces *enemy, Bits occ) {
    const int king = own->king_square;
    const Bits orth = rook_attacks(king, occ), diag = bishop_attacks(king, occ);
    const Bits xray_orth = rook_attacks(king, occ ^ (orth & own->all)) & ~orth;
    const Bits xray_diag = bishop_attacks(king, occ ^ (diag & own->all)) & ~diag;
    Pins pins = {0, 0};
    EACH (s, xray_orth & enemy->orth) pins.orth |= squares_between[king][s];
    EACH (s, xray_diag & enemy->diag) pins.diag |= squares_between[king][s];
    return pins;
}

/* One of our sliders on an open or blocked line to their king. Adds the line to *pins if it pins. */
INLINE void add_king_line(const DeltaContext *ctx, KingLines *lines, Bits *pins, int slider, Bits castling_rooks) {
    const Bits line = squares_between[ctx->theirs.king_square][slider], blockers = line & ctx->occ & ~bit(slider);
    const Bits all_but_one = blockers & (blockers - 1);
    if (!all_but_one) {
        if (blockers & ctx->ours.all) {
            lines->discoverers |= blockers;
        } else {
            *pins |= line;
            lines->pinners |= bit(slider);
            /* The king's castling depends on this pin as well. */
            if (UNLIKELY(blockers & castling_rooks)) lines->discoverers |= bit(slider);
        }
    } else if (!more_than_one(all_but_one) && blockers & ctx->theirs.all) {
        lines->pin_openers |= blockers & ctx->ours.all;
        lines->pin_candidates |= blockers & ctx->theirs.all;
        if (UNLIKELY(blockers & castling_rooks)) lines->discoverers |= blockers & ctx->ours.all;
    }
}

INLINE KingLines find_king_lines(const DeltaContext *ctx, Colour them) {
    const int king = ctx->theirs.king_square;
    const Bits rooks = castling_rooks(ctx->position, them), theirs = ctx->theirs.all;
    KingLines lines = {.checking_orth = rook_attacks(king, ctx->occ), .checking_diag = bishop_attacks(king, ctx->occ)};
    lines.pinning_orth = rook_attacks(king, ctx->occ ^ (lines.checking_orth & theirs)) & ~lines.checking_orth;
    lines.pinning_diag = bishop_attacks(king, ctx->occ ^ (lines.checking_diag & theirs)) & ~lines.checking_diag;
    EACH (r, rook_lines[king] & ctx->ours.orth) add_king_line(ctx, &lines, &lines.pins.orth, (int)r, rooks);
    EACH (b, bishop_lines[king] & ctx->ours.diag) add_king_line(ctx, &lines, &lines.pins.diag, (int)b, rooks);
    return lines;
}
