/* SPDX-License-Identifier: MIT */
/* Sorting what many things stand for by one number each, in time that grows as their number does. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;
    size_t what;
} RadixItem;

/* The smallest key first, equal ones in the order that they had. Keys are at most `most`. The spare array is as long;
   either holds the result. (Digits from the lowest up: Donald Knuth, "Sorting and Searching", 1973, 5.2.5.) */
RadixItem *radix_sort(RadixItem *keyed, RadixItem *spare, size_t n, uint64_t most);
