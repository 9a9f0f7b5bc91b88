/* SPDX-License-Identifier: MIT */
/*
 * The last two plies as sums. We move, they reply; wanted is the sum of their replies over all our moves, and no move
 * is made to get it, but for a few.
 *
 * Their replies are counted once, as if we had passed (pass.h). A move of ours from f to t then changes that number by
 * amounts that hang on f alone, on t alone, or on the man taken, so they are worked out for whole sets of moves:
 *
 *      sum of replies  =  moves * replies to a pass
 *                       + sum of G(f)      their sliders see on when f is left, their pawns push or miss      gain.h
 *                       + sum of L(t)      their rays are cut at t, their pawns stop or take                  loss.h
 *                       + captures         the victim's replies go, the recaptures come captures.h
 *                       + their king       where what we hit around him changes                               zone.h,
 * recount.h
 *                       + checks           as evasions                                                        checks.h
 *                       + what is left     pins, discoveries, promotions, castling, en passant: played        full.h
 *
 * How many moves go to each square is counted in binary, for all squares at once (tally.h); rays are filled in eight
 * directions at once (eight.h). The signs of all this are easy to get wrong where lines cross: tests/fuzz/last_two.c.
 */
#pragma once
#include "captures.h"
#include "loss.h"
#include "pawns.h"
#include "pieces.h"

/* What they hit, and so where our king may not go. He is not in check, or the answer only says that he is. */
INLINE Bits hits_of_them(const Scene *s, Colour them, Eight sight) {
    Bits hit = eight_union(sight) | pawn_hits(s->they.pawn, them) | king_attacks[s->they.king_at];
    EACH (n, s->they.knight) hit |= knight_attacks[n];
    return hit;
}

INLINE void end_round(Round *r, Colour us) {
    const Colour them = (Colour)!us;
    r->sum += sum_losses(r->s, &r->pass, them, &r->tally);
    r->sum += sum_captures(r->s, &r->pass, them, &r->tally);
    r->sum += r->pass.replies * tally_total(&r->tally);
}

INLINE uint64_t sums_of(const Position *p, Colour us, Only only) {
    const Scene s = scene_of(p, us, only);
    const Bits hit = hits_of_them(&s, (Colour)!us, eight_see(s.they.orth, s.they.diag, s.empty));
    /* In check there are few moves. With eight knights a square may have sixteen comers, one more than a tally holds.
     */
    if (UNLIKELY(hit & s.we.king) || UNLIKELY(count(s.we.knight) > 7)) return play_everything(p, us);
    const Pins our_pins = find_pins(&s.we, &s.they, s.occ);
    const KingLines their_lines = find_king_lines(&s, (Colour)!us);
    const Zone zone = find_zone(&s, us, &their_lines);

    Round r = {.s = &s, .lines = &their_lines, .zone = &zone, .first = true};
    Pins pins = their_lines.pins;
    Bits movers = s.we.men;
    for (;;) {
        begin_round(&r, us, pins, movers);
        add_pieces(&r, us, &our_pins);
        if (r.first) {
            add_king(&r, us, &our_pins, hit);
            add_all_pawns(&r, us, &our_pins);
        }
        end_round(&r, us);
        if (LIKELY(!r.later)) return (uint64_t)r.sum;
        const int pinner = pop(&r.later);
        const Bits freed = squares_between[s.they.king_at][pinner];
        pins = (Pins){their_lines.pins.orth & ~freed, their_lines.pins.diag & ~freed};
        movers = bit(pinner);
        r.first = false;
    }
}

/* The sum of the legal replies to all legal moves of `us`, whose turn it is. */
INLINE uint64_t sums_last_two(const Position *p, Colour us) {
    return sums_of(p, us, (Only){~(Bits)0, ~(Bits)0});
}

/* How many legal moves `us` has, whose turn it is. */
INLINE uint64_t sums_last_one(const Position *p, Colour us) {
    return count_replies(p, us);
}
