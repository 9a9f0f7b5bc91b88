/* SPDX-License-Identifier: MIT */
/*
 * Records of the caller's own: N data words for each key, as for pawn structures (Robert Hyatt's pawn table in Crafty
 * has three words beside the signature).
 *
 *     check   [ signature 62 bits | epochs 2 bits ] XOR hash(word 1) XOR ... XOR hash(word N)
 *     data    word 1 ... word N
 *
 * Each word is hashed by itself before it enters the check, differently in each place. XORing the words plainly lets
 * the differences of small fields cancel: up to 4 mixed records in 1,000 were accepted. A line of 64 bytes holds
 * 64 / (8 + 8 N) records, at least one. None of these calls can fail. They must be given a table of this record type, or NULL.
 */
#ifndef TABIA_RECORD_H
#define TABIA_RECORD_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the record of a key into words[0 .. N-1] and returns true; false, with words as they were, if it is not
   there. */
TABIA_API bool tabia_record_probe(const TabiaTable *table, TabiaKey key, uint64_t *words);

/* The same for n keys: the record of keys[i] goes into words[i * N ...], whether there is one into there[i]. Every line
   is asked for while others are looked through. */
TABIA_API void tabia_record_probe_batch(const TabiaTable *table, const TabiaKey *keys, uint64_t *words, bool *there,
                                        size_t n);

/* Stores words[0 .. N-1]: over the record of the same key, else into an empty slot or one from before the last clear,
   else over one that the key chooses. */
TABIA_API void tabia_record_store(TabiaTable *table, TabiaKey key, const uint64_t *words);

#ifdef __cplusplus
}
#endif
#endif
