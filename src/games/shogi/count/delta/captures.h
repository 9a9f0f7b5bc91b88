/* SPDX-License-Identifier: MIT */
/*
 * What a capture changes: the replies of the piece that is taken go, recaptures come, and the file of an unpromoted pawn is
 * free for another one.
 */
#pragma once
#include "checks.h"

/* What captures on each square change, whoever captures; found when it is first asked. */
typedef struct {
    Squares known;
    int16_t change[BOARD_SQUARES];
} CaptureTerms;

NOINLINE int count_exchange(const DeltaContext *ctx, Colour us, int t) {
    return count_moves_to(ctx, (Colour)!us, t, ctx->foe, ctx->occ) - count_replies_of(ctx, us, t);
}

/* By how much capturing on t, from f, changes the number of their replies, beside what leaving f does. */
INLINE int count_capture(const DeltaContext *ctx, CaptureTerms *terms, Colour us, int f, int t) {
    const Colour them = (Colour)!us;
    if (!has_square(terms->known, t)) {
        terms->known |= square_bit(t);
        terms->change[t] = (int16_t)count_exchange(ctx, us, t);
    }
    int change = terms->change[t] + king_takes_back(ctx, us, square_bit(f), t);
    if (has_square(unpromoted(ctx->p, PAWN), t) && hand_count(ctx->p->hand[them], PAWN)) {
        const Squares file = FILE_1 << RANKS * file_of(t);
        change += squares_count(file & ~dead_end(them, PAWN) & (empty_squares(ctx) | square_bit(f)));
    }
    return change;
}

/* The replies that their piece between their king and t, where a slider of ours arrives, loses by being pinned. */
NOINLINE int count_pin_loss(const DeltaContext *ctx, Colour us, int t) {
    const Squares between = squares_between[ctx->their_king][t] & ctx->foe & ~square_bit(t);
    const int s = first_square(between);
    return count_moves_of(ctx, us, s, ~line_through[ctx->their_king][s]);
}
