/* SPDX-License-Identifier: MIT */
#include "radix_sort.h"

RadixItem *radix_sort(RadixItem *item, RadixItem *spare, size_t n, uint64_t key_max) {
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < 64 && key_max >> shift; shift += DIGIT_BITS) {
        size_t begin[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++) begin[(item[i].key >> shift) % DIGITS + 1]++;
        for (size_t d = 0; d < DIGITS; d++) begin[d + 1] += begin[d];
        for (size_t i = 0; i < n; i++) spare[begin[(item[i].key >> shift) % DIGITS]++] = item[i];
        RadixItem *sorted = spare;
        spare = item, item = sorted;
    }
    return item;
}
