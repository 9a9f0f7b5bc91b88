/* SPDX-License-Identifier: MIT */
/*
 * Their replies to a null move, and what one square matters to them. A pawn drop that mates counts as a reply here: where
 * a move of ours could leave one, it is made (mating_drops.h).
 */
#pragma once
#include "king_zone.h"
#include "square_counts.h"

/* How their board moves are counted: as if the turn were theirs. */
INLINE LegalMasks their_masks(const DeltaContext *ctx, Colour us) {
    LegalMasks v = {.own = ctx->foe, .foe = ctx->own, .occ = ctx->occ, .king = ctx->their_king, .us = (Colour)!us};
    v.target = BOARD & ~ctx->foe;
    v.plain = v.promoting = BOARD;
    v.pinned = ctx->their_pinned;
    return v;
}

/* The moves of their piece on s to the squares `to`, if nothing pins it. */
INLINE int count_moves_of(const DeltaContext *ctx, Colour us, int s, Squares to) {
    const LegalMasks v = their_masks(ctx, us);
    const PieceType type = piece_type_at(ctx->p, s);
    MoveSink k = {0};
    emit_piece(&k, GEN_COUNT, type, s, piece_attacks(v.us, type, s, v.occ) & v.target & to, &v);
    return (int)k.n;
}

/* The replies to a null move of their piece on s. */
INLINE int count_replies_of(const DeltaContext *ctx, Colour us, int s) {
    return count_moves_of(ctx, us, s, has_square(ctx->their_pinned, s) ? line_through[ctx->their_king][s] : BOARD);
}

/* Where a slider of theirs on s has two moves to each square: with and without promotion. */
INLINE Squares two_moves(const DeltaContext *ctx, Colour them, int s) {
    if (ctx->p->promoted & square_bit(s)) return 0;
    const Squares zone = promotion_zone(them);
    if (has_square(ctx->theirs.lances, s)) return zone & ~dead_end(them, LANCE);
    return has_square(zone, s) ? BOARD : zone;
}

/* The moves of a slider to the squares `to`, where those of `two` count twice. */
INLINE int count_slides(Squares to, Squares two) {
    return squares_count(to) + squares_count(to & two);
}

/* Moves of their sliders that are not pinned. */
INLINE int count_their_slides(const DeltaContext *ctx, Colour them) {
    const Squares promoted = ctx->p->promoted;
    int n = 0;
    EACH_SQUARE (s, all_sliders(&ctx->theirs) & ~ctx->their_pinned)
        n += count_slides(ctx->theirs.attacks[s] & ~ctx->foe, two_moves(ctx, them, s));
    EACH_SQUARE (s, ctx->theirs.bishops & promoted & ~ctx->their_pinned)
        n += squares_count(step_attacks[them][BISHOP][s] & ~ctx->foe);
    EACH_SQUARE (s, ctx->theirs.rooks & promoted & ~ctx->their_pinned)
        n += squares_count(step_attacks[them][ROOK][s] & ~ctx->foe);
    return n;
}

INLINE int64_t count_null_move_replies(const DeltaContext *ctx, Colour us) {
    const Position *p = ctx->p;
    const LegalMasks v = their_masks(ctx, us);
    MoveSink k = {.n = (unsigned)squares_count(ctx->zone.squares & ~ctx->zone.once)};
    gen_pieces(p, &k, GEN_COUNT, PAWN, count_pawns(&k, v.own & unpromoted(p, PAWN), &v), &v);
    gen_pieces(p, &k, GEN_COUNT, KNIGHT, unpromoted(p, KNIGHT), &v);
    gen_pieces(p, &k, GEN_COUNT, SILVER, unpromoted(p, SILVER), &v);
    gen_pieces(p, &k, GEN_COUNT, GOLD, gold_movers(p), &v);
    k.n += (unsigned)count_their_slides(ctx, (Colour)!us);
    EACH_SQUARE (s, all_sliders(&ctx->theirs) & ctx->their_pinned) k.n += (unsigned)count_replies_of(ctx, us, s);
    if (p->hand[!us])
        for (PieceType t = PAWN; t <= GOLD; t++) k.n += (unsigned)squares_count(ctx->drops[t] & empty_squares(ctx));
    return k.n;
}

/* How many types they could drop on each square, if it were empty. */
INLINE SquareCounts find_kinds(const DeltaContext *ctx) {
    SquareCounts kinds = square_counts_none();
    if (ctx->p->hand[!ctx->p->turn])
        for (PieceType t = PAWN; t <= GOLD; t++) square_counts_add(&kinds, ctx->drops[t], 1);
    return kinds;
}

/* What a piece of ours on each empty square costs them: drops there, and moves of sliders beyond it. */
INLINE SquareCounts find_costs(const DeltaContext *ctx, Colour them, SquareCounts costs) {
    EACH_SQUARE (s, all_sliders(&ctx->theirs) & ~ctx->their_pinned) {
        const Squares two = two_moves(ctx, them, s);
        EACH_SQUARE (d, ctx->theirs.attacks[s] & ~ctx->foe & ~step_attacks[them][KING][s])
            square_counts_add(&costs, squares_between[s][d] ^ square_bit(d), 1 + has_square(two, d));
    }
    return costs;
}

/* Their sliders that are not pinned and attack f. */
INLINE Squares free_sliders_attacking(const DeltaContext *ctx, Colour them, int f) {
    return sliders_attacking(&ctx->theirs, them, f, ctx->occ) & ~ctx->their_pinned;
}

/* How many moves their sliders gain when a piece of ours leaves f; count_on_line() if it stays on one of their lines. */
INLINE int64_t count_gain_of_leaving(const DeltaContext *ctx, Colour them, int f) {
    const Squares occ = ctx->occ ^ square_bit(f);
    int gain = 0;
    if (!has_square(ctx->theirs.all, f)) return gain;
    EACH_SQUARE (s, free_sliders_attacking(ctx, them, f)) {
        const Squares before = ctx->theirs.attacks[s];
        const Squares more = slides_from(&ctx->theirs, them, s, occ) & ~before & ~ctx->foe;
        gain += count_slides(more, two_moves(ctx, them, s));
    }
    return gain;
}

/* The lines of their sliders through f, on which leaving and arriving depend on each other. */
INLINE Squares lines_through(const DeltaContext *ctx, Colour them, int f) {
    Squares lines = 0;
    if (!has_square(ctx->theirs.all, f)) return 0;
    EACH_SQUARE (s, free_sliders_attacking(ctx, them, f)) lines |= line_through[f][s];
    return lines;
}

/* What is wrong in the sum of leaving f and arriving on t, when both are on lines of their sliders. */
NOINLINE int count_on_line(const DeltaContext *ctx, Colour them, int f, int t) {
    const Squares here = square_bit(t), left = ctx->occ & ~square_bit(f), others = ctx->foe & ~here;
    int wrong = 0;
    EACH_SQUARE (s, free_sliders_attacking(ctx, them, f)) {
        if (!has_square(line_through[f][s], t)) continue;
        const Squares two = two_moves(ctx, them, s), before = ctx->theirs.attacks[s];
        const Squares longer = slides_from(&ctx->theirs, them, s, left);
        const Squares after = slides_from(&ctx->theirs, them, s, left | here);
        const Squares shorter = slides_from(&ctx->theirs, them, s, ctx->occ | here);
        wrong -= count_slides(longer & ~before & ~ctx->foe, two);
        if (s == t) continue;
        wrong += count_slides(after & ~others, two) - count_slides(before & ~ctx->foe, two);
        if (has_square(before, t)) wrong += count_slides(before & ~shorter & ~ctx->foe, two);
    }
    return wrong;
}
