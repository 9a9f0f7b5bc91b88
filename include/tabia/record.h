/* SPDX-License-Identifier: MIT */
/*
 * Records of the caller's own: N data words for each key, N = 1 to 7 (the option record_words). A record is what a table
 * of this type stores under a key; a record of training data is another thing (`tabia data`).
 *
 * Caveats first.
 * - A probe writes the words array also on a miss, with the values that it had: no other thread may use it meanwhile,
 *   and it should be initialised.
 * - A false hit returns another key's record: once in 1e18 probes that should miss, with the default 62 signature bits.
 *   Members that become subscripts are to be checked by whoever cannot live with that.
 * - There is no priority among records: a full bucket gives up the slot that the key chooses. With the option
 *   replacement = TABIA_REPLACE_DEPTH_AND_AGE it gives up the one whose last word is the smallest.
 *
 * Layout, in a cache line of 64 bytes that holds 64 / (8 + 8 N) records, at least one:
 *
 *     check   [ signature 62 bits | epochs 2 bits ] XOR hash(word 1) XOR ... XOR hash(word N)
 *     data    word 1 ... word N
 *
 * The idea is the pawn hash table of Crafty (Robert Hyatt), which has three words beside the signature and XORs them
 * plainly. Here each word is hashed before, differently in each place: the plain XOR lets equal differences of small
 * fields cancel, and accepted up to 4 torn records in 1,000.
 *
 * Ownership: words are copied; arrays are the caller's and are not kept.
 * Threads: any number at any time.
 * Memory ordering: as table.h describes it, relaxed.
 * Errors: none of these functions can fail. They need a table of records, or NULL: then a probe misses and nothing is
 * stored.
 *
 * Example:
 *
 *     uint64_t pawns[3] = {0};
 *     if (!tabia_record_probe(table, key, pawns)) tabia_record_store(table, key, evaluate_pawns(position, pawns));
 */
#ifndef TABIA_RECORD_H
#define TABIA_RECORD_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copies the record of a key into words[0 .. N-1] and returns true. Returns false, with words as they were, if it is
 * not there.
 *
 * Errors: none.
 * Threads: any number at any time, each with words of its own. What is returned was stored by one call, whole.
 *
 * Example:
 *
 *     uint64_t words[3] = {0};
 *     if (tabia_record_probe(table, key, words)) printf("%llx\n", (unsigned long long)words[0]);
 */
TABIA_API bool tabia_record_probe(const TabiaTable *table, TabiaKey key, uint64_t *words);

/*
 * Probes for n keys: the record of keys[i] is copied into words[i * N .. i * N + N-1], and there[i] says whether there
 * is one. n may be 0. Buckets are prefetched some 100 keys ahead, so that many reads of memory are under way at once.
 *
 * Ownership: keys and there are n long, words n * N. They are the caller's and do not overlap.
 * Errors: none.
 * Threads: any number at any time. A clear that begins during the call is not seen by it.
 *
 * Example:
 *
 *     const TabiaKey keys[2] = {{1, 2}, {3, 4}};
 *     uint64_t words[2 * 3] = {0};
 *     bool there[2];
 *     tabia_record_probe_batch(table, keys, words, there, 2);
 */
TABIA_API void tabia_record_probe_batch(const TabiaTable *table, const TabiaKey *keys, uint64_t *words, bool *there,
                                        size_t n);

/*
 * Stores words[0 .. N-1]: over the record of the same key, else into an empty slot or one that strict generations have
 * forgotten, else into the slot that the key chooses, or by the option `replacement` into that of the smallest last word.
 *
 * Errors: none.
 * Threads: any number at any time. Of two stores into one bucket at the same time one may be lost.
 *
 * Example:
 *
 *     const uint64_t words[3] = {0x1800, 7, 42};
 *     tabia_record_store(table, key, words);
 */
TABIA_API void tabia_record_store(TabiaTable *table, TabiaKey key, const uint64_t *words);

#ifdef __cplusplus
}
#endif
#endif
