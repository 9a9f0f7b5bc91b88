/* SPDX-License-Identifier: MIT */
/*
 * One round of summing: some of our men move, under one set of pins of theirs. The first round is for all our men. A
 * slider of ours that pins a man of theirs keeps the pin on moves along the line; the moves off it free that man, so
 * they are summed in a round of their own, in which that pin is not there.
 *
 *      k . m . . R          R moves on the line: an ordinary move of the first round
 *                           R leaves the line:   a move of the round in which m is free
 */
#pragma once
#include "full.h"
#include "gain.h"
#include "tally.h"
#include "zone.h"

typedef struct {
    const Scene *s;
    const KingLines *lines;
    const Zone *zone;
    Pass pass;
    bool first;
    Bits movers;  /* our men that move in this round */
    Bits later;   /* pinners that want a round of their own */
    Bits odd;     /* sources with anything to mind */
    Bits in_full; /* destinations that are played in full, whatever the man */
    Tally tally;  /* the moves that were summed */
    int64_t sum;  /* of what is not in the tally */
} Round;

/* Starts a round with those pins. */
INLINE void begin_round(Round *r, Colour us, Pins pins, Bits movers) {
    r->pass = find_pass(r->s, (Colour)!us, pins, r->zone->replies);
    r->movers = movers;
    r->odd = r->pass.sources | r->zone->leaving | r->lines->discover | r->lines->pinners;
    r->in_full = (r->pass.pinned_squares & ~r->s->they.men) | r->zone->castlings.rooks;
    r->tally = (Tally){{0}};
}
