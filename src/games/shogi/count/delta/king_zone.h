/* SPDX-License-Identifier: MIT */
/*
 * What of ours bears on their king: the squares around him that we attack, and the lines whose opening or closing changes
 * that, gives check, or pins and unpins.
 */
#pragma once
#include "context.h"

/* Adds what one more set of pieces attacks, each square at most once. */
INLINE void zone_attacked(DeltaContext *ctx, Squares set) {
    ctx->zone.twice |= ctx->zone.once & set;
    ctx->zone.once |= ctx->zone.squares & set;
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

/* The lines of a slider on an empty board, both ways. */
INLINE Squares lines_from(PieceType type, Colour c, int s) {
    const Squares *ray = rays[s];
    if (type == LANCE) return ray[c == BLACK ? RAY_UP : RAY_DOWN];
    if (type == BISHOP || type == HORSE)
        return ray[RAY_UP_LEFT] | ray[RAY_DOWN_LEFT] | ray[RAY_UP_RIGHT] | ray[RAY_DOWN_RIGHT];
    return ray[RAY_UP] | ray[RAY_DOWN] | ray[RAY_LEFT] | ray[RAY_RIGHT];
}

/* Finds the squares whose leaving lets a slider of ours on s, which stands behind, reach the set. */
INLINE void find_openers(DeltaContext *ctx, Colour us, PieceType type, int s, Squares attacks, Squares set) {
    const Squares before = attacks & ctx->own, occ = ctx->occ & ~king_bit(ctx->p, (Colour)!us) & ~before;
    if (!before || !(lines_from(type, us, s) & ~attacks & set)) return;
    EACH_SQUARE (q, piece_attacks(us, type, s, occ) & ~attacks & set) ctx->made_from |= squares_between[s][q] & before;
}

/* Finds the squares from which a line of our slider on s to a square of the zone would be closed. */
INLINE void find_closers(DeltaContext *ctx, int s, Squares attacks, Squares hardly) {
    Squares closers = 0;
    EACH_SQUARE (q, attacks & ctx->zone.squares) {
        const Squares before = squares_between[s][q] ^ square_bit(q);
        closers |= before;
        if (has_square(hardly, q)) ctx->zone.lines_to |= before;
    }
    ctx->zone.closers_twice |= ctx->zone.closers & closers;
    ctx->zone.closers |= closers;
}

/* In two passes: what our sliders attack, and, when that is known of all, which of their lines matter. */
INLINE void find_slide_lines(DeltaContext *ctx, Colour us, PieceType type, Squares pieces) {
    const Squares hardly = ctx->zone.squares & ~ctx->zone.twice;
    EACH_SQUARE (s, pieces) {
        find_closers(ctx, s, ctx->ours.attacks[s], hardly);
        find_openers(ctx, us, type, s, ctx->ours.attacks[s], hardly | king_bit(ctx->p, (Colour)!us));
    }
}
INLINE void find_zone_slides(DeltaContext *ctx, Colour us) {
    const Sliders *ours = &ctx->ours;
    EACH_SQUARE (s, all_sliders(ours)) zone_attacked(ctx, ours->attacks[s]);
    find_slide_lines(ctx, us, LANCE, ours->lances);
    find_slide_lines(ctx, us, BISHOP, ours->bishops);
    find_slide_lines(ctx, us, ROOK, ours->rooks);
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

/* The sliders of side c that an empty board would let attack s. */
INLINE Squares sliders_in_line(const Sliders *of, Colour c, int s) {
    return (of->rooks & lines_from(ROOK, c, s)) | (of->bishops & lines_from(BISHOP, c, s)) |
           (of->lances & lines_from(LANCE, (Colour)!c, s));
}

INLINE void find_pins_of_theirs(DeltaContext *ctx, Colour us) {
    EACH_SQUARE (s, sliders_in_line(&ctx->ours, us, ctx->their_king)) find_pin(ctx, s);
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
    const Squares hardly = ctx->zone.squares & ~ctx->zone.twice;
    ctx->near[PAWN] = forward(hardly, them);
    ctx->near[KNIGHT] = knight_set_attacks(hardly, them);
    ctx->near[SILVER] = silver_set_attacks(hardly, them);
    ctx->near[GOLD] = gold_set_attacks(hardly, them);
    Squares lances = 0, bishops = 0, rooks = 0;
    EACH_SQUARE (q, hardly) {
        lances |= lines_from(LANCE, them, q);
        bishops |= lines_from(BISHOP, them, q);
        rooks |= lines_from(ROOK, them, q);
    }
    ctx->near[LANCE] = lances;
    ctx->near[BISHOP] = bishops;
    ctx->near[ROOK] = rooks;
    ctx->near[HORSE] = bishops | orth_steps(hardly);
    ctx->near[DRAGON] = rooks | diag_steps(hardly);
    ctx->near[KING] = orth_steps(hardly) | diag_steps(hardly);
}

/* What of the zone is not attacked when one of our pieces that does not attack it comes to t, on a line of ours. No square
   loses two attackers: of two sliders on the line through t, the nearer hides the other. */
INLINE Squares find_open_at(DeltaContext *ctx, Colour us, int t) {
    const Sliders *ours = &ctx->ours;
    const Squares occ = ctx->occ & ~king_bit(ctx->p, (Colour)!us), after = occ | square_bit(t);
    Squares lost = 0;
    EACH_SQUARE (s, sliders_attacking(ours, us, t, occ)) lost |= ours->attacks[s] & ~slides_from(ours, us, s, after);
    return ctx->zone.squares & ~((ctx->zone.once & ~lost) | ctx->zone.twice);
}

INLINE void find_king_zone(DeltaContext *ctx, Colour us) {
    ctx->zone.squares = step_attacks[us][KING][ctx->their_king] & ~ctx->foe;
    ctx->made_to = ctx->zone.closers = ctx->zone.closers_twice = ctx->zone.lines_to = ctx->zone.once = ctx->zone.twice =
        0;
    find_zone_steps(ctx, us);
    find_zone_slides(ctx, us);
    find_pins_of_theirs(ctx, us);
    EACH_SQUARE (t, ctx->zone.lines_to) ctx->zone.open_at[t] = find_open_at(ctx, us, t);
    find_reach(ctx, us);
    find_near(ctx, us);
}
