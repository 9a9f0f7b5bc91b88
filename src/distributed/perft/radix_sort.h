/* SPDX-License-Identifier: MIT */
/* Radix sort of values by one number each, in time linear in their number. (Donald Knuth, "Sorting and Searching",
   1973, 5.2.5.) */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;
    size_t value;
} RadixItem;

/* Sorts by key, the smallest first; equal keys keep their order. No key is larger than key_max. The spare array is as
   long; the result is in one of the two, and is returned. */
RadixItem *radix_sort(RadixItem *item, RadixItem *spare, size_t n, uint64_t key_max);
