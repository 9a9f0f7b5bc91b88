/* SPDX-License-Identifier: MIT */
/*
 * The record type of a search: one entry of 16 bytes for each position.
 *
 * Caveats first.
 * - Test a move from the table before it is played: a probe that should miss finds another position's entry once in
 *   7e13 times with the default options, more often with fewer signature bits.
 * - Mate scores are stored as they are given. An engine that counts them from the root shifts them by the ply.
 * - A draft is 0 to 255; an engine with negative depths (quiescence) adds an offset.
 * - Only the low path_bits bits of a path key are stored. They should be as good as random, or constants.
 *
 * Layout, with the default 16 path bits, and one of 32-bit moves and two user bits (options.h):
 *
 *     check   [ signature 48 bits                         | path 16 bits ] XOR hash(data)
 *     data    [ generation 6 | bound 2 | draft 8 | evaluation 16 | score 16 | move 16 ]
 *
 *     check   [ signature 30 bits | move 16 | user bits 2 | path 16 bits ] XOR hash(data)
 *
 * The calls are the same for all layouts, and what is stored is signed whole. Each bit taken from the signature doubles
 * the rate of false hits: with 30 bits one absent probe in 2.7e8, with 46 (two user bits alone) one in 1.8e13. An
 * engine without path keys takes TABIA_NO_PATH_BITS and gains the 16 bits back, at no cost. Moves of more than 16 bits
 * and user bits cost some instructions more.
 *
 * Two keys. The position key chooses the bucket and gives the signature; the path key says how the position was
 * reached. Both are matched, separately: a hit on the position always gives a move for move ordering, its score may be
 * used only where the path agrees too, because near repetitions and the 50-move limit scores depend on the path. What
 * the path key is made of is the caller's choice: 0 always, the last move, the whole game, or a constant for each
 * range of the halfmove clock. (Wegner, "semi-path-dependent hashing", talkchess.com/forum/viewtopic.php?t=21343.)
 *
 * Replacement. All slots of a bucket are compared. The position's own slot is used if there is one, else an empty slot,
 * else the one of lowest priority: draft - age_weight * age, and exact_bonus more for an exact score, where age is the
 * number of generations since it was stored. The option `replacement` has other rules.
 *
 * Ownership: entries and hits are copies, passed by value.
 * Threads: any number at any time.
 * Memory ordering: as table.h describes it, relaxed.
 * Errors: none of these functions can fail. They need a table of entries, or NULL: then a probe misses and nothing is
 * stored.
 *
 * Example:
 *
 *     const TabiaHit hit = tabia_entry_probe(table, key, 0);
 *     if (hit.move_ok && hit.entry.move) try_first(hit.entry.move);
 *     if (hit.score_ok && hit.entry.draft >= depth && hit.entry.bound == TABIA_BOUND_EXACT) return hit.entry.score;
 */
#ifndef TABIA_ENTRY_H
#define TABIA_ENTRY_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the score says of the position's value. The values are bits, EXACT is UPPER | LOWER, and do not change. */
typedef enum TabiaBound {
    /* Nothing: the entry has a move and an evaluation only. */
    TABIA_BOUND_NONE = 0,
    /* The value is at most the score (fail low, an all node). */
    TABIA_BOUND_UPPER = 1,
    /* The value is at least the score (fail high, a cut node). */
    TABIA_BOUND_LOWER = 2,
    /* The value is the score (a PV node). */
    TABIA_BOUND_EXACT = 3,
} TabiaBound;

/* What is stored of a position. Every value of every member is returned as it was stored, within the bits of the layout. */
typedef struct TabiaEntry {
    /* In the caller's units, seen from either side, as the caller defines it. */
    int16_t score;
    /* The static evaluation, in the caller's units. */
    int16_t evaluation;
    /* Depth of the search below the position, in plies, 0 to 255. */
    uint8_t draft;
    /* A TabiaBound. */
    uint8_t bound;
    /* The caller's own: the low user_bits bits are stored, none by default. */
    uint16_t user;
    /* The caller's encoding, of move_bits bits, 16 by default: more are cut off. 0: no move. */
    uint32_t move;
} TabiaEntry;

/* What a probe found. Without move_ok every other member is 0. */
typedef struct TabiaHit {
    TabiaEntry entry;
    /* The position was found: move and evaluation may be used. */
    bool move_ok;
    /* Its path agrees too, and there is a bound: score, bound and draft may be used. Else they are what was stored. */
    bool score_ok;
    /* In which it was stored, 1 to 63, then 1 again: for tabia_entry_age(). */
    uint8_t generation;
    /* 0. Fills the word. */
    uint8_t unused;
    /* The path bits that were stored: for path keys that can be compared by more than equality, as a clock. */
    uint32_t path;
} TabiaHit;

/*
 * Probes for a position. `path` is the path key; its low path_bits bits are compared.
 *
 * Errors: none; a miss is a TabiaHit of zeros.
 * Threads: any number at any time. What is returned was stored by one call, whole, or by a refresh or penalise of it.
 *
 * Example:
 *
 *     hit = tabia_entry_probe(table, key, path);
 *     if (hit.score_ok && hit.entry.draft >= depth && hit.entry.bound == TABIA_BOUND_EXACT) score = hit.entry.score;
 */
TABIA_API TabiaHit tabia_entry_probe(const TabiaTable *table, TabiaKey key, uint64_t path);

/*
 * Returns the number of generations since what was found was stored or refreshed, 0 to 62 (modulo 63); 0 for a miss.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     hit = tabia_entry_probe(table, key, path);
 *     if (hit.score_ok && tabia_entry_age(table, hit)) tabia_entry_refresh(table, key);
 */
TABIA_API unsigned tabia_entry_age(const TabiaTable *table, TabiaHit hit);

/*
 * Probes for n positions, such as all children of a node: hits[i] is what tabia_entry_probe(table, keys[i], paths[i])
 * would return. paths may be NULL: 0 for all. n may be 0. Buckets are prefetched some 100 keys ahead, so that many
 * reads of memory are under way at once (software prefetching in groups: Shimin Chen, Anastassia Ailamaki, Phillip
 * Gibbons, Todd Mowry, "Improving hash join performance through prefetching", 2004).
 *
 * Ownership: the arrays are the caller's, n long, and are not kept. hits must not overlap the others.
 * Errors: none.
 * Threads: any number at any time. A clear that begins during the call is not seen by it.
 *
 * Example:
 *
 *     const TabiaKey keys[3] = {{1, 2}, {3, 4}, {5, 6}};
 *     TabiaHit hits[3];
 *     tabia_entry_probe_batch(table, keys, NULL, hits, 3);
 */
TABIA_API void tabia_entry_probe_batch(const TabiaTable *table, const TabiaKey *keys, const uint64_t *paths,
                                       TabiaHit *hits, size_t n);

/*
 * Stores an entry with its path key, by the replacement rule above.
 *
 * What is known of the same position is not lost: its move stays where the new entry has none. If it has a bound,
 * all else of it stays too where the new entry is not exact, 4 or more plies shallower (the option keep_margin), and of the same path and
 * generation.
 *
 * Errors: none.
 * Threads: any number at any time. Of two stores into one bucket at the same time one may be lost.
 *
 * Example:
 *
 *     const TabiaEntry entry = {.move = 0x31c, .score = 25, .evaluation = 18, .draft = 7, .bound = TABIA_BOUND_LOWER};
 *     tabia_entry_store(table, key, path, entry);
 */
TABIA_API void tabia_entry_store(TabiaTable *table, TabiaKey key, uint64_t path, TabiaEntry entry);

/*
 * Gives what is known of a position the present generation, as if it were stored now: for a hit that was of use.
 * Nothing happens if the position is not there. (The owner of an entry marks it fresh when it is read: Edward Felten
 * and Steve Otto, "Chess on a hypercube", 1988.)
 *
 * Errors: none.
 * Threads: any number at any time. The slot is copied, changed, signed anew and stored, never changed in place: what
 * another thread stores meanwhile is kept whole or lost whole.
 *
 * Example:
 *
 *     tabia_entry_refresh(table, key);
 */
TABIA_API void tabia_entry_refresh(TabiaTable *table, TabiaKey key);

/*
 * Lowers the draft of what is known of a position by `plies`, to no less than 0, so that the position is searched again
 * and replaced sooner. Nothing happens if it is not there.
 *
 * Errors: none.
 * Threads: as tabia_entry_refresh().
 *
 * Example:
 *
 *     tabia_entry_penalise(table, key, 2);
 */
TABIA_API void tabia_entry_penalise(TabiaTable *table, TabiaKey key, unsigned plies);

#ifdef __cplusplus
}
#endif
#endif
