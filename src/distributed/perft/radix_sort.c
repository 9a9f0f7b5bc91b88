/* SPDX-License-Identifier: MIT */
#include "radix_sort.h"

RadixItem *radix_sort(RadixItem *keyed, RadixItem *spare, size_t n, uint64_t most) {
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
        size_t begin[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++) begin[(keyed[i].key >> shift) % DIGITS + 1]++;
        for (size_t d = 0; d < DIGITS; d++) begin[d + 1] += begin[d];
        for (size_t i = 0; i < n; i++) spare[begin[(keyed[i].key >> shift) % DIGITS]++] = keyed[i];
        RadixItem *sorted = spare;
        spare = keyed, keyed = sorted;
    }
    return keyed;
}
