/* SPDX-License-Identifier: MIT */
/*
 * Moving what a table knows into another of any size: for resize, save and load.
 *
 * A slot does not say which key it belongs to, only in which bucket of how many its index fell. As a part of all
 * indices, bucket b of B is the piece from b/B to (b+1)/B, and every bucket of the new table that shares some of it may
 * be where the slot belongs:
 *
 *     B = 4     |      0      |      1      |      2      |      3      |
 *     into 2    |             0             |             1             |      two or more meet: those of higher priority stay
 *     into 6    |    0    |    1    |    2    |    3    |    4    |    5    |  0 goes to 0 and 1; 1 to 1 and 2
 *     into 8    |  0   |  1   |  2   |  3   |  4   |  5   |  6   |  7   |      each to two, and all have room
 *
 * So a slot goes to every bucket it may belong to. A copy in a wrong one is a lost slot, never a wrong answer: a key
 * that looks there matches it no more often than any other position's slot, once in 2^signature_bits. When a table
 * grows by a whole factor all is kept; else some new buckets are sought by the slots of two old ones.
 *
 * Slots travel packed, as [ identity, words ... ]: of the identity the signature and, of entries, the path
 * and what lies above it. The epoch tag belongs to the table; it is made anew.
 *
 * The signature is the key's XOR the epoch, and 0 became the top bit (signature_of): a slot whose signature is the top
 * bit matched two keys, and in another epoch these have two signatures. It is put under both, so that it matches what it
 * matched before.
 */
#pragma once
#include "entry_inline.h"

enum { SLOTS_MAX = 4, SLOT_WORDS_MAX = 1 + TABIA_RECORD_WORDS_MAX };

/* One reading of the generation counters, or what a file says of its own. */
typedef struct {
    uint64_t generation, epoch, epoch_tag;
} GenerationSnapshot;

GenerationSnapshot tabia_move_snapshot(const TabiaTable *t);

/* Buckets first to last, both included. */
typedef struct {
    uint64_t first, last;
} BucketSpan;

/* The buckets of a table of `into` buckets where what is in bucket `number` of a table of `of` may belong. Also the
   reverse: the buckets of the old table whose slots may belong in a bucket of the new. */
BucketSpan tabia_move_span(uint64_t number, uint64_t of, uint64_t into);

/* Copies what is alive in a bucket to items[], packed, and returns how many slots that is. items has room for the
   bucket's SLOTS_MAX. Others may store meanwhile; a mixed slot moves as nobody's, or not at all. */
unsigned tabia_move_read(const TabiaTable *t, uint64_t number, const GenerationSnapshot *m, uint64_t *items);

/*
 * Puts n packed slots of a table whose moment was *from into a bucket of t, whose moment is *now. A position that is
 * there already: of entries the one of higher priority stays, with the move of the other if it has none; of counts and records what
 * was there. Else an unused slot, or the least worthy if that is worth less than what comes: entries by the default
 * worth, counts by the count; records never displace each other. Entries keep their ages. Others may probe and store
 * meanwhile. Of two threads that put into the same segment one may lose what the other has put (segment.h).
 */
void tabia_move_write(TabiaTable *t, uint64_t number, const GenerationSnapshot *now, const uint64_t *items, unsigned n,
                      const GenerationSnapshot *from);
