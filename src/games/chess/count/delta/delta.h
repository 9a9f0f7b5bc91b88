/* SPDX-License-Identifier: MIT */
/*
 * The last two plies as sums. We move, they reply; wanted is the sum of their replies over all our moves, and no move
 * is made to get it, but for a few.
 *
 * Their replies are counted once, as if we had passed (pass.h). A move of ours from f to t then changes that number by
 * amounts that hang on f alone, on t alone, or on the man taken, so they are worked out for whole sets of moves:
 *
 *      sum of replies  =  moves * replies to a pass
 *         + sum of G(f)    their sliders see on when f is left, their pawns push or miss       gain.h
 *         + sum of L(t)    their rays are cut at t, their pawns stop or take                   loss.h
 *         + captures       the victim's replies go, the recaptures come                        captures.h
 *         + their king     where what we hit around him changes                                zone.h, recount.h
 *         + pins           a man of theirs is pinned, or free, after the move                  pin_change.h
 *         + checks         as evasions                                                         checks.h
 *         + promotions     an arrival for each kind, and what the new piece hits               promotions.h
 *         + what is left   discoveries, castling, en passant and such: played                  full.h
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

/* What hangs on the destinations of moves, and the replies that all moves have. */
INLINE int64_t sum_tally(const Scene *s, const Pass *pass, Colour them, const Tally *c) {
    return sum_losses(s, pass, them, c) + sum_captures(s, pass, them, c) + pass->replies * tally_total(c);
}
NOINLINE int64_t sum_promotions_white(const Promotions *v) {
    return v->sum + sum_tally(v->s, v->pass, BLACK, &v->arrivals);
}
NOINLINE int64_t sum_promotions_black(const Promotions *v) {
    return v->sum + sum_tally(v->s, v->pass, WHITE, &v->arrivals);
}
INLINE int64_t sum_promotions(const Promotions *v, Colour us) {
    return us == WHITE ? sum_promotions_white(v) : sum_promotions_black(v);
}

INLINE uint64_t sums_of(const Position *p, Colour us, Only only) {
    const Colour them = (Colour)!us;
    const Scene s = scene_of(p, us, only);
    const Eight sight = eight_see(s.they.orth, s.they.diag, s.empty);
    const Bits hit = hits_of_them(&s, them, sight);
    /* In check there are few moves. With eight knights a square may have sixteen comers; a tally holds fifteen. */
    if (UNLIKELY(hit & s.we.king) || UNLIKELY(count(s.we.knight) > 7)) return play_everything(p, us);
    const Pins our_pins = find_pins(&s.we, &s.they, s.occ);
    const KingLines their_lines = find_king_lines(&s, them);
    const Zone zone = find_zone(&s, us, &their_lines);
    const Pass pass = find_pass(&s, them, sight, their_lines.pins, zone.replies);

    Promotions promotions = {&s, &their_lines, &zone, &pass, {{0}}, 0};
    Moves m = begin_moves(&s, &their_lines, &zone, &pass, &promotions, us);
    add_pieces(&m, us, &our_pins);
    add_king(&m, us, &our_pins, hit);
    add_all_pawns(&m, us, &our_pins);
    m.sum += sum_tally(&s, &pass, them, &m.tally);
    if (UNLIKELY(forward(s.we.pawn, us) & last_rank(us))) m.sum += sum_promotions(&promotions, us);
    return (uint64_t)m.sum;
}

/* The sum of the legal replies to all legal moves of `us`, whose turn it is. */
INLINE uint64_t sums_last_two(const Position *p, Colour us) {
    return sums_of(p, us, (Only){~(Bits)0, ~(Bits)0});
}

/* How many legal moves `us` has, whose turn it is. */
INLINE uint64_t sums_last_one(const Position *p, Colour us) {
    return count_replies(p, us);
}
