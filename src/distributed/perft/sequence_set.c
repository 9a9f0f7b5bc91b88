/* SPDX-License-Identifier: MIT */
#include "sequence_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool sequence_set_insert(SequenceSet *set, uint32_t sequence, bool last) {
    const size_t word = sequence / 64;
    if (word >= set->words) {
        const size_t words = 2 * word + 4;
        uint64_t *seen = realloc(set->seen, words * sizeof *seen);
        if (!seen) return false;
        memset(seen + set->words, 0, (words - set->words) * sizeof *seen);
        set->seen = seen, set->words = words;
    }
    assert(word < set->words);
    if (set->seen[word] >> sequence % 64 & 1) return false;
    set->seen[word] |= 1ull << sequence % 64;
    set->received++;
    if (last) set->length = (size_t)sequence + 1;
    return true;
}

bool sequence_set_is_complete(const SequenceSet *set) {
    return set->length && set->received == set->length;
}

void sequence_set_release(SequenceSet *set) {
    free(set->seen);
    *set = (SequenceSet){0};
}
