/* SPDX-License-Identifier: MIT */
/*
 * The record type of a search: one entry of 16 bytes for each position.
 *
 *     check   [ signature 48 bits | path 16 bits ] XOR hash(data)
 *     data    [ generation 6 | bound 2 | draft 8 | evaluation 16 | score 16 | move 16 ]
 *
 * Position and path are matched apart (Wegner's "semi-path-dependent hashing"): the bucket and the signature are the
 * position's alone, and a hit always gives a move to order by; the score may be used only where the path bits agree
 * too. What the path key holds is the caller's choice: 0 always, the last move, the whole game, or a constant for the
 * clock of the 50-move rule.
 *
 * None of these calls can fail. They must be given a table of this record type, or NULL.
 */
#ifndef TABIA_ENTRY_H
#define TABIA_ENTRY_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TabiaBound {
    TABIA_BOUND_NONE = 0, /* no score: the move and the evaluation only */
    TABIA_BOUND_UPPER = 1,
    TABIA_BOUND_LOWER = 2,
    TABIA_BOUND_EXACT = 3,
} TabiaBound;

/* What is stored of a position. All values of all fields come back as they were given. */
typedef struct TabiaEntry {
    uint16_t move;      /* the caller's encoding; 0: none */
    int16_t score;      /* the caller's units */
    int16_t evaluation; /* static */
    uint8_t draft;      /* plies searched below the position; add an offset if yours can be negative */
    uint8_t bound;      /* a TabiaBound */
} TabiaEntry;

/* What a probe found: a copy. Without move_ok all else is 0. */
typedef struct TabiaHit {
    TabiaEntry entry;
    bool move_ok;  /* the position was found: move and evaluation are its own */
    bool score_ok; /* and its path is the one asked for, and there is a bound: score, bound and draft may be used */
    uint8_t generation; /* in which it was stored, 1 to 63 and round again: ask tabia_entry_age */
    uint8_t unused;     /* 0; 16 bytes in all, so that many are written side by side */
    uint32_t path;      /* the path bits that it was stored with: a caller may know more of them than "not the same" */
} TabiaHit;

/*
 * Looks a position up. `path` counts in its low path_bits bits, which should be as good as random, or constants.
 * A move from a table belongs to the right position but for one probe in 2^46 or so (narrower signatures: more): make
 * sure that it can be played before it is.
 */
TABIA_API TabiaHit tabia_entry_probe(const TabiaTable *table, TabiaKey key, uint64_t path);

/* Generations since what was found was stored, 0 to 62; 0 for a miss. Apart from the probe, because most probes do not
   ask. */
TABIA_API unsigned tabia_entry_age(const TabiaTable *table, TabiaHit hit);

/* Probes n positions, as those that a node leads to: hits[i] is what tabia_entry_probe(table, keys[i], paths[i])
   would return. Every line is asked for while others are looked through, so that they arrive side by side: at random in
   a large table some ten times faster than one by one. paths may be NULL: 0 for all. */
TABIA_API void tabia_entry_probe_batch(const TabiaTable *table, const TabiaKey *keys, const uint64_t *paths,
                                       TabiaHit *hits, size_t n);

/*
 * Stores. If the position is there, its slot is taken: the move known is kept when the new entry has none, and all
 * but the move is kept when the new entry is not exact, of the same path and generation, and 4 or more plies shallower.
 * Otherwise an empty slot, or the slot of least worth: draft - age_weight * age, exact ones a ply more.
 */
TABIA_API void tabia_entry_store(TabiaTable *table, TabiaKey key, uint64_t path, TabiaEntry entry);

/* What an entry is worth to the caller: the least leaves. age: generations since it was stored. */
typedef int TabiaPriority(void *context, const TabiaEntry *entry, unsigned age);

/* Stores by the caller's worth, which is asked for every slot of the bucket and for the new entry: whichever is worth
   least leaves, be it the new one. The position's own slot is always taken, and its move kept when the new entry has
   none. */
TABIA_API void tabia_entry_store_by(TabiaTable *table, TabiaKey key, uint64_t path, TabiaEntry entry,
                                    TabiaPriority *priority, void *context);

/* Makes what is known of a position as worthy as if it were stored now: a hit that was of use. Nothing if it is not
   there. Done as copy, change, sign, store: whatever another thread writes meanwhile is either kept whole or lost
   whole. */
TABIA_API void tabia_entry_refresh(TabiaTable *table, TabiaKey key);

/* Takes `plies` from the draft of what is known of a position, down to 0, so that it is searched again and leaves
   sooner. Nothing if it is not there. Written as refresh is. */
TABIA_API void tabia_entry_penalise(TabiaTable *table, TabiaKey key, unsigned plies);

#ifdef __cplusplus
}
#endif
#endif
