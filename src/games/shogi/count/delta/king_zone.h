/* SPDX-License-Identifier: MIT */
/*
 * What of ours bears on their king: the squares around him that we attack, and the lines whose opening or closing changes
 * that, gives check, or pins and unpins.
 */
#pragma once
#include "context.h"

/* Adds what one more set of pieces attacks, each square at most once. */
INLINE void zone_attacked(DeltaContext *ctx, Squares set) {
    ctx->twice |= ctx->once & set;
    ctx->once |= ctx->zone & set;
}

/* A set for each direction: two pieces do not attack the same square in the same direction. */
INLINE void zone_attacked_sideways(DeltaContext *ctx, Squares set) {
    zone_attacked(ctx, step_left(set));
    zone_attacked(ctx, step_right(set));
}

INLINE void find_zone_steps(DeltaContext *ctx, Colour us) {
    const Position *p = ctx->p;
    const Squares plain = ctx->own & ~p->promoted, promoted = ctx->own & p->promoted;
    const Squares silvers = plain & p->type[SILVER], golds = ctx->own & gold_movers(p);
    const Squares horses = promoted & p->type[BISHOP], dragons = promoted & p->type[ROOK];
    zone_attacked(ctx, forward((plain & p->type[PAWN]) | silvers | golds | horses, us));
    zone_attacked_sideways(ctx, forward(silvers | golds | dragons, us));
    zone_attacked_sideways(ctx, forward(silvers | dragons, (Colour)!us));
    zone_attacked_sideways(ctx, golds | horses);
    zone_attacked(ctx, forward(golds | horses, (Colour)!us));
    zone_attacked_sideways(ctx, forward(forward(plain & p->type[KNIGHT], us), us));
    zone_attacked(ctx, step_attacks[us][KING][ctx->king]);
}

/* The squares whose leaving lets a slider of ours on s, which stands behind a piece of ours, reach the set. */
INLINE Squares find_openers(const DeltaContext *ctx, const Sliders *ours, Colour us, int s, Squares attacks,
                            Squares set, Squares occ) {
    const Squares before = attacks & ctx->own;
    Squares openers = 0;
    if (!before) return 0;
    EACH_SQUARE (q, slides_from(ours, us, s, occ & ~before) & ~attacks & set) openers |= squares_between[s][q] & before;
    return openers;
}

/* The squares from which a line of our slider on s to a square of the zone would be closed. */
INLINE void find_closers(DeltaContext *ctx, int s, Squares attacks, Squares hardly) {
    EACH_SQUARE (q, attacks & ctx->zone) {
        const Squares before = squares_between[s][q] ^ square_bit(q);
        ctx->closers |= before;
        if (has_square(hardly, q)) ctx->made_to |= before;
    }
}

INLINE void find_zone_slides(DeltaContext *ctx, const Sliders *ours, Colour us) {
    const Squares occ = ctx->occ & ~king_bit(ctx->p, (Colour)!us);
    const Squares all = ours->lances | ours->bishops | ours->rooks;
    Squares attacks[SLIDERS_MAX];
    int n = 0;
    EACH_SQUARE (s, all) {
        assert(n < SLIDERS_MAX);
        attacks[n] = slides_from(ours, us, s, occ);
        zone_attacked(ctx, attacks[n++]);
    }
    const Squares hardly = ctx->zone & ~ctx->twice;
    n = 0;
    EACH_SQUARE (s, all) {
        find_closers(ctx, s, attacks[n], hardly);
        ctx->made_from |= find_openers(ctx, ours, us, s, attacks[n], hardly | king_bit(ctx->p, (Colour)!us), occ);
        n++;
    }
}

/* Our slider on s is in line with their king: does it pin, or would it if a piece of ours went? */
INLINE void find_pin(DeltaContext *ctx, int s) {
    const Squares line = squares_between[ctx->their_king][s], between = line & ctx->occ & ~square_bit(s);
    const Squares ours = between & ctx->own;
    if (!more_than_one_square(between)) {
        ctx->made_from |= square_bit(s) | ours;
        ctx->made_to |= line;
        ctx->their_pinned |= between ^ ours;
    } else if (ours && !more_than_one_square(ours) && !more_than_one_square(between ^ ours)) {
        ctx->made_from |= ours;
    }
}

INLINE void find_pins_of_theirs(DeltaContext *ctx, const Sliders *ours, Colour us) {
    const Squares *ray = rays[ctx->their_king];
    const Squares rook_lines = ray[RAY_UP] | ray[RAY_DOWN] | ray[RAY_LEFT] | ray[RAY_RIGHT];
    const Squares bishop_lines = ray[RAY_UP_LEFT] | ray[RAY_DOWN_LEFT] | ray[RAY_UP_RIGHT] | ray[RAY_DOWN_RIGHT];
    EACH_SQUARE (s, (ours->rooks & rook_lines) | (ours->bishops & bishop_lines) |
                        (ours->lances & ray[us == BLACK ? RAY_DOWN : RAY_UP]))
        find_pin(ctx, s);
}

/* Whence our pieces check, pin, and attack the zone. */
INLINE void find_reach(DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    const int king = ctx->their_king;
    const Squares occ = ctx->occ;
    const Squares rook = rook_attacks(king, occ), bishop = bishop_attacks(king, occ),
                  lance = lance_attacks(them, king, occ);
    for (PieceType t = PAWN; t <= KING; t++) ctx->checks[t] = step_attacks[them][t][king];
    ctx->checks[LANCE] = lance;
    ctx->checks[HORSE] = bishop | step_attacks[them][BISHOP][king];
    ctx->checks[DRAGON] = rook | step_attacks[them][ROOK][king];
    ctx->checks[BISHOP] = bishop;
    ctx->checks[ROOK] = rook;
    ctx->pins[LANCE] = lance_attacks(them, king, occ & ~(lance & ctx->foe)) & ~lance;
    ctx->pins[HORSE] = ctx->pins[BISHOP] = bishop_attacks(king, occ & ~(bishop & ctx->foe)) & ~bishop;
    ctx->pins[DRAGON] = ctx->pins[ROOK] = rook_attacks(king, occ & ~(rook & ctx->foe)) & ~rook;
}

INLINE void find_near(DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    const Squares hardly = ctx->zone & ~ctx->twice, occ = ctx->occ & ~king_bit(ctx->p, them);
    Squares lances = 0, bishops = 0, rooks = 0;
    EACH_SQUARE (q, hardly) {
        lances |= lance_attacks(them, q, occ);
        bishops |= bishop_attacks(q, occ);
        rooks |= rook_attacks(q, occ);
    }
    ctx->near[PAWN] = forward(hardly, them);
    ctx->near[LANCE] = lances;
    ctx->near[KNIGHT] = knight_set_attacks(hardly, them);
    ctx->near[SILVER] = silver_set_attacks(hardly, them);
    ctx->near[GOLD] = gold_set_attacks(hardly, them);
    ctx->near[BISHOP] = bishops;
    ctx->near[ROOK] = rooks;
    ctx->near[HORSE] = bishops | orth_steps(hardly);
    ctx->near[DRAGON] = rooks | diag_steps(hardly);
    ctx->near[KING] = orth_steps(hardly) | diag_steps(hardly);
}

INLINE void find_king_zone(DeltaContext *ctx, Colour us) {
    const Sliders ours = sliders_of(ctx->p, ctx->own);
    ctx->zone = step_attacks[us][KING][ctx->their_king] & ~ctx->foe;
    ctx->made_to = step_attacks[us][KING][ctx->their_king] & ctx->foe;
    find_zone_steps(ctx, us);
    find_zone_slides(ctx, &ours, us);
    find_pins_of_theirs(ctx, &ours, us);
    find_reach(ctx, us);
    find_near(ctx, us);
}
