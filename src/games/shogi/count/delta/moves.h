/* SPDX-License-Identifier: MIT */
/*
 * Our moves, a piece or a type in hand at a time: those that need it are made, of the others the terms are summed.
 */
#pragma once
#include "captures.h"
#include "make_and_count.h"

typedef struct {
    const DeltaContext *ctx;
    int64_t replies;       /* to a null move */
    SquareCounts arrivals; /* the moves that are summed, by the square they go to, if it is empty */
    int64_t moves;         /* how many are summed */
    int64_t sum;           /* of all terms but `replies` and the costs of arriving */
} DeltaSum;

/* Where one piece of ours comes from, and what its leaving means. */
typedef struct {
    int from;
    Squares made; /* moves to here are made */
    int64_t gain; /* count_gain_of_leaving() */
    Squares zone; /* what it attacks of their king's zone */
} Leaving;

/* How the squares that their king may go to change, summed over our moves to the squares `to`. */
INLINE void add_king_squares(DeltaSum *s, Colour us, PieceType type, Squares left, Squares zone, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Colour them = (Colour)!us;
    const Squares without = ctx->twice | (ctx->once & ~zone), occ = ctx->occ & ~king_bit(ctx->p, them) & ~left;
    const Squares flights = ctx->zone & ~without;
    s->sum += (int64_t)squares_count(to) * squares_count(flights & ctx->once);
    EACH_SQUARE (q, flights) s->sum -= squares_count(to & piece_attacks(them, type, q, occ));
}

/* Our moves of one piece to the squares `to`, where it then moves as `type`. */
INLINE void add_moves(DeltaSum *s, Colour us, PieceType before, int flag, const Leaving *from, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const PieceType type = flag == PROMOTION ? moves_as((PieceType)(before | PROMOTED)) : before;
    Squares made = to & (from->made | ctx->checks[type]);
    if (type == LANCE || type == BISHOP || type == ROOK || type == HORSE || type == DRAGON)
        made |= to & ctx->pins[type];
    to ^= made;
    EACH_SQUARE (t, made) {
        const PieceType piece = before == GOLD ? piece_type_at(ctx->p, from->from) : before;
        s->sum += (int64_t)count_replies_after(ctx->p, us, (UnpackedMove){piece, from->from, t, flag});
    }
    if (!to) return;
    const int n = squares_count(to);
    s->moves += n;
    s->sum += n * from->gain;
    square_counts_add(&s->arrivals, to & empty_squares(ctx), 1);
    EACH_SQUARE (t, to & ctx->foe) s->sum += count_capture(ctx, us, from->from, t);
    if (from->zone & ~ctx->twice || to & ctx->near[type])
        add_king_squares(s, us, type, square_bit(from->from), from->zone, to);
}

INLINE void add_piece(DeltaSum *s, Colour us, PieceType type, int f, Squares to) {
    const DeltaContext *ctx = s->ctx;
    const Squares zone = promotion_zone(us);
    const Squares attacks = piece_attacks(us, type, f, ctx->occ & ~king_bit(ctx->p, (Colour)!us));
    Leaving from = {f, ctx->made_to | lines_through(ctx, f), 0, attacks & ctx->zone};
    if (from.zone) from.made |= ctx->closers;
    if (has_square(ctx->made_from, f))
        from.made = BOARD;
    else
        from.gain = count_gain_of_leaving(ctx, (Colour)!us, f);
    if (piece_type_promotes(type)) add_moves(s, us, type, PROMOTION, &from, has_square(zone, f) ? to : to & zone);
    add_moves(s, us, type, PLAIN, &from, to & ~dead_end(us, type));
}

INLINE void add_pieces(DeltaSum *s, Colour us, PieceType type, Squares pieces, Squares pinned) {
    const DeltaContext *ctx = s->ctx;
    EACH_SQUARE (f, pieces & ctx->own) {
        Squares to = piece_attacks(us, type, f, ctx->occ) & ~ctx->own;
        if (UNLIKELY(has_square(pinned, f))) to &= line_through[ctx->king][f];
        if (to) add_piece(s, us, type, f, to);
    }
}

INLINE void add_board_moves(DeltaSum *s, Colour us) {
    const DeltaContext *ctx = s->ctx;
    const Position *p = ctx->p;
    const Squares pinned = find_pinned(p, us, ctx->king, ctx->own, ctx->foe);
    const Squares bishops = p->type[BISHOP], rooks = p->type[ROOK];
    add_pieces(s, us, PAWN, unpromoted(p, PAWN), pinned);
    add_pieces(s, us, LANCE, unpromoted(p, LANCE), pinned);
    add_pieces(s, us, KNIGHT, unpromoted(p, KNIGHT), pinned);
    add_pieces(s, us, SILVER, unpromoted(p, SILVER), pinned);
    add_pieces(s, us, GOLD, gold_movers(p), pinned);
    add_pieces(s, us, BISHOP, bishops & ~p->promoted, pinned);
    add_pieces(s, us, ROOK, rooks & ~p->promoted, pinned);
    add_pieces(s, us, HORSE, bishops & p->promoted, pinned);
    add_pieces(s, us, DRAGON, rooks & p->promoted, pinned);
    if (ctx->king_moves) add_piece(s, us, KING, ctx->king, ctx->king_moves);
}

/* The drops of one type on the squares `to`. */
INLINE void add_drops(DeltaSum *s, Colour us, PieceType type, Squares to) {
    const DeltaContext *ctx = s->ctx;
    Squares made = to & (ctx->made_to | ctx->checks[type]);
    if (type == LANCE || type == BISHOP || type == ROOK) made |= to & ctx->pins[type];
    to ^= made;
    EACH_SQUARE (t, made) s->sum += (int64_t)count_replies_after(ctx->p, us, (UnpackedMove){type, 0, t, DROP});
    s->moves += squares_count(to);
    square_counts_add(&s->arrivals, to, 1);
    if (to & ctx->near[type]) add_king_squares(s, us, type, 0, 0, to);
}

INLINE uint64_t sum_moves(const DeltaContext *ctx, Colour us) {
    const Position *p = ctx->p;
    const Squares empty = empty_squares(ctx);
    DeltaSum s = {.ctx = ctx, .replies = count_null_move_replies(ctx, us), .arrivals = square_counts_none()};
    const SquareCounts costs = find_costs(ctx, (Colour)!us);
    add_board_moves(&s, us);
    for (PieceType t = PAWN; t <= GOLD; t++)
        if (hand_count(p->hand[us], t))
            add_drops(&s, us, t, t == PAWN ? pawn_drop_squares(p, us, empty) : empty & ~dead_end(us, t));
    return (uint64_t)(s.sum + s.moves * s.replies - square_counts_product(&s.arrivals, &costs));
}
