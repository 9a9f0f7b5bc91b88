/* SPDX-License-Identifier: MIT */
/*
 * Our moves, a piece or a type in hand at a time: those that need it are made, of the others the terms are summed. Most
 * pieces are far from everything that matters; they take the short way.
 */
#pragma once
#include "captures.h"
#include "checks.h"
#include "make_and_count.h"
#include "mating_drops.h"

typedef struct {
    const DeltaContext *ctx;
    const LegalMasks *masks;
    CaptureTerms captures;
    CheckTerms checks;
    Squares not_short;     /* pieces from here do not take the short way */
    SquareCounts kinds;    /* how many types they could drop on each square, if it were empty */
    SquareCounts arrivals; /* the moves that are summed, by the square they go to, if it is empty */
    int64_t moves;         /* how many are summed */
    int64_t sum;           /* of all terms but the replies to a null move and the costs of arriving */
} DeltaSum;

/* Where moves of one piece of ours come from, and what its leaving means; for drops there is only `made`. */
typedef struct {
    int square;
    Squares left;  /* that square as a set */
    Squares made;  /* moves to here are made */
    Squares zone;  /* what it attacks of their king's zone */
    Squares lines; /* those of their sliders through that square */
    int64_t gain;  /* what leaving adds to their replies */
} Leaving;

/* How the squares that their king may go to change, summed over our moves to the squares `to`. */
INLINE void add_king_squares(DeltaSum *s, Colour us, PieceType type, Squares left, Squares zone, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Colour them = (Colour)!us;
    const Squares occ = ctx->occ & ~king_bit(ctx->p, them) & ~left;
    const Squares flights = ctx->zone.squares & ~attacked_without(ctx, zone);
    s->sum += (int64_t)squares_count(to) * squares_count(flights & ctx->zone.once);
    EACH_SQUARE (q, flights) s->sum -= squares_count(to & attacks_as(them, type, q, occ));
}

/* Terms of moves to where lines of ours to their king's zone are closed, of a piece that does not attack it before. */
INLINE void add_line_squares(DeltaSum *s, Colour us, PieceType type, Squares left, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Squares occ = ctx->occ & ~king_bit(ctx->p, (Colour)!us) & ~left;
    const int before = squares_count(ctx->zone.squares & ~ctx->zone.once);
    EACH_SQUARE (t, to) s->sum += squares_count(ctx->zone.open_at[t] & ~attacks_as(us, type, t, occ)) - before;
}

/* The terms of the moves of one piece or of drops of one type, but for those of captures and of leaving. */
INLINE void add_arrivals(DeltaSum *s, Colour us, PieceType type, const Leaving *from, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Squares lines = from->zone ? (Squares)0 : to & ctx->zone.lines_to, left = from->left;
    s->moves += squares_count(to);
    square_counts_add(&s->arrivals, to & empty_squares(ctx), 1);
    if (piece_slides(type))
        EACH_SQUARE (t, to & ctx->pins[type]) s->sum -= count_pin_loss(ctx, us, t);
    if (lines) add_line_squares(s, us, type, left, lines);
    if (from->zone & ~ctx->zone.twice || to & ctx->near[type])
        add_king_squares(s, us, type, left, from->zone, to ^ lines);
}

/* Which moves to the squares `to`, where the piece then moves as `type`, are made. */
INLINE Squares moves_to_make(const DeltaContext *ctx, Colour us, PieceType type, const Leaving *from, Squares to) {
    const Squares checks = ctx->checks[type];
    Squares made = from->made;
    if (!from->zone) made |= checks & ctx->zone.lines_to;
    if (piece_slides(type)) {
        if (from->left & ctx->theirs.all) made |= ctx->pins[type];
        if (hand_count(ctx->p->hand[!us], PAWN)) made |= checks & ctx->foe & unpromoted(ctx->p, PAWN);
    }
    return to & made;
}

/* Our moves of one piece to the squares `to`, where it then moves as `type`. */
INLINE void add_moves(DeltaSum *s, Colour us, PieceType before, int flag, const Leaving *from, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const PieceType type = flag == PROMOTION ? moves_as((PieceType)(before | PROMOTED)) : before;
    const Squares made = moves_to_make(ctx, us, type, from, to), checks = to & ~made & ctx->checks[type];
    EACH_SQUARE (t, made) {
        const PieceType piece = before == GOLD ? piece_type_at(ctx->p, from->square) : before;
        s->sum += (int64_t)count_replies_after(ctx->p, us, (UnpackedMove){piece, from->square, t, flag});
    }
    EACH_SQUARE (t, checks) s->sum += count_replies_to_check(ctx, us, type, from->left, from->zone, t);
    to &= ~made & ~checks;
    if (!to) return;
    s->sum += squares_count(to) * from->gain;
    EACH_SQUARE (t, to & ctx->foe) s->sum += count_capture(ctx, &s->captures, us, from->square, t);
    EACH_SQUARE (t, to & from->lines) s->sum += count_on_line(ctx, (Colour)!us, from->square, t);
    add_arrivals(s, us, type, from, to);
}

/* Where lines to their king's zone are closed, of our pieces but for one, which attacks `zone`. */
INLINE Squares closers_of_others(const DeltaContext *ctx, PieceType type, int s, Squares zone) {
    Squares own = 0;
    if (!piece_slides(type)) return ctx->zone.closers;
    EACH_SQUARE (q, zone) own |= squares_between[s][q] & ~square_bit(q);
    return (ctx->zone.closers & ~own) | ctx->zone.closers_twice;
}

INLINE void add_piece_with_care(DeltaSum *s, Colour us, PieceType type, int f, Squares made, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Squares zone = promotion_zone(us);
    const Squares attacks = attacks_as(us, type, f, ctx->occ & ~king_bit(ctx->p, (Colour)!us));
    Leaving from = {f, square_bit(f), made, attacks & ctx->zone.squares, lines_through(ctx, (Colour)!us, f), 0};
    if (from.zone) from.made |= closers_of_others(ctx, type, f, from.zone);
    if (has_square(ctx->made_from, f))
        from.made = BOARD;
    else
        from.gain = square_count(&s->kinds, f) + count_gain_of_leaving(ctx, (Colour)!us, f);
    if (piece_type_promotes(type)) add_moves(s, us, type, PROMOTION, &from, has_square(zone, f) ? to : to & zone);
    add_moves(s, us, type, PLAIN, &from, to & ~dead_end(us, type));
}

NOINLINE void add_piece_with_care_black(DeltaSum *s, PieceType type, int f, Squares made, Squares to) {
    add_piece_with_care(s, BLACK, type, f, made, to);
}
NOINLINE void add_piece_with_care_white(DeltaSum *s, PieceType type, int f, Squares made, Squares to) {
    add_piece_with_care(s, WHITE, type, f, made, to);
}

/* Where a piece that takes the short way may not go. */
INLINE Squares not_short_to(const DeltaContext *ctx, Colour us, PieceType type) {
    const Squares zone = piece_type_promotes(type) ? promotion_zone(us) : (Squares)0;
    const Squares pins = piece_slides(type) ? ctx->pins[type] : (Squares)0;
    return ctx->made_to | ctx->zone.closers | ctx->foe | ctx->near[type] | ctx->checks[type] | pins | zone;
}

/* One piece that goes from f to the squares `to`; moves to `made` are made. */
INLINE void add_piece(DeltaSum *s, Colour us, PieceType type, int f, Squares made, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Squares zone = piece_type_promotes(type) ? promotion_zone(us) : (Squares)0;
    if (!has_square(s->not_short | ctx->near[type] | zone, f) && !(to & (made | not_short_to(ctx, us, type)))) {
        const int n = squares_count(to);
        s->moves += n;
        s->sum += n * square_count(&s->kinds, f);
        square_counts_add(&s->arrivals, to, 1);
    } else if (us == BLACK) {
        add_piece_with_care_black(s, type, f, made, to);
    } else {
        add_piece_with_care_white(s, type, f, made, to);
    }
}

INLINE void add_pieces(DeltaSum *s, Colour us, PieceType type, Squares pieces) {
    const DeltaContext *ctx = s->ctx;
    EACH_SQUARE (f, pieces & ctx->own) {
        Squares to = piece_slides(type) ? ctx->ours.attacks[f] : step_attacks[us][type][f];
        if (type == HORSE) to |= step_attacks[us][BISHOP][f];
        if (type == DRAGON) to |= step_attacks[us][ROOK][f];
        to &= s->masks->target;
        if (UNLIKELY(has_square(s->masks->pinned, f))) to &= line_through[ctx->king][f];
        if (to) add_piece(s, us, type, f, ctx->made_to, to);
    }
}

/* The pawns that take the short way, all at once; the others are returned. */
INLINE Squares add_short_pawns(DeltaSum *s, Colour us, Squares pawns) {
    const DeltaContext *ctx = s->ctx;
    const Squares to = forward(pawns & ~s->not_short & ~ctx->near[PAWN] & ~s->masks->pinned, us) & s->masks->target &
                       ~not_short_to(ctx, us, PAWN);
    const Squares from = forward(to, (Colour)!us);
    s->moves += squares_count(to);
    square_counts_add(&s->arrivals, to, 1);
    if (ctx->p->hand[!us])
        for (PieceType t = PAWN; t <= GOLD; t++) s->sum += squares_count(ctx->drops[t] & from);
    return pawns & ~from;
}

INLINE void add_board_moves(DeltaSum *s, Colour us) {
    const DeltaContext *ctx = s->ctx;
    const Position *p = ctx->p;
    const Squares bishops = p->type[BISHOP], rooks = p->type[ROOK];
    add_pieces(s, us, PAWN, add_short_pawns(s, us, ctx->own & unpromoted(p, PAWN)));
    add_pieces(s, us, LANCE, unpromoted(p, LANCE));
    add_pieces(s, us, KNIGHT, unpromoted(p, KNIGHT));
    add_pieces(s, us, SILVER, unpromoted(p, SILVER));
    add_pieces(s, us, GOLD, gold_movers(p));
    add_pieces(s, us, BISHOP, bishops & ~p->promoted);
    add_pieces(s, us, ROOK, rooks & ~p->promoted);
    add_pieces(s, us, HORSE, bishops & p->promoted);
    add_pieces(s, us, DRAGON, rooks & p->promoted);
}

/* Drops after which their pawn drop might not mate any more: they take the pawn, or close a line. */
INLINE Squares drops_that_save(const DeltaContext *ctx, Colour us, PieceType type, Squares checks) {
    const int front = first_square(ctx->mating_drop);
    Squares save = ctx->theirs.all | attacks_as((Colour)!us, type, front, ctx->occ);
    EACH_SQUARE (t, checks)
        if (has_square(squares_between[ctx->their_king][t], front)) save |= square_bit(t);
    return save & ~ctx->mating_drop;
}

/* The drops of one type on the squares `to`. */
INLINE void add_drops(DeltaSum *s, Colour us, PieceType type, Squares to) {
    const DeltaContext *ctx = s->ctx;
    Leaving from = {.made = ctx->made_to};
    if (UNLIKELY(ctx->mating_drop)) from.made |= drops_that_save(ctx, us, type, to & ctx->checks[type]);
    const Squares made = moves_to_make(ctx, us, type, &from, to), checks = to & ~made & ctx->checks[type];
    EACH_SQUARE (t, made) s->sum += (int64_t)count_replies_after(ctx->p, us, (UnpackedMove){type, 0, t, DROP});
    EACH_SQUARE (t, checks) s->sum += count_replies_to_drop(ctx, &s->checks, us, type, t);
    const Squares summed = to & ~made & ~checks;
    if (UNLIKELY(ctx->mating_drop)) s->sum -= squares_count(summed & ~ctx->mating_drop);
    add_arrivals(s, us, type, &from, summed);
}

INLINE void add_all_drops(DeltaSum *s, Colour us) {
    const Position *p = s->ctx->p;
    const Squares empty = s->masks->target & ~s->ctx->occ;
    if (!p->hand[us]) return;
    if (hand_count(p->hand[us], PAWN)) add_drops(s, us, PAWN, pawn_drop_squares(p, us, empty));
    for (PieceType t = LANCE; t <= GOLD; t++)
        if (hand_count(p->hand[us], t)) add_drops(s, us, t, empty & ~dead_end(us, t));
}

INLINE uint64_t sum_moves(const DeltaContext *ctx, const LegalMasks *masks, Colour us) {
    const Colour them = (Colour)!us;
    DeltaSum s;
    s.ctx = ctx;
    s.masks = masks;
    s.arrivals = square_counts_none();
    s.captures.known = s.checks.known = 0;
    s.moves = s.sum = 0;
    s.not_short = ctx->made_from | ctx->theirs.all;
    s.kinds = find_kinds(ctx);
    if (ctx->king_moves)
        add_piece(&s, us, KING, ctx->king, ctx->made_to | mating_king_moves(ctx, masks, us), ctx->king_moves);
    if (masks->target) {
        add_board_moves(&s, us);
        add_all_drops(&s, us);
    }
    const SquareCounts costs = find_costs(ctx, them, s.kinds);
    return (uint64_t)(s.sum + s.moves * count_null_move_replies(ctx, us) - square_counts_product(&s.arrivals, &costs));
}
