/* SPDX-License-Identifier: MIT */
/* The order in which a fit visits its samples: training set, validation set, shuffling, ranges of threads. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Fills order[] with 0 to n - 1: the training set, then the validation set, which consists of one block of neighbouring
   samples in `divisor` blocks. Games are shorter than a block, so that few are in both sets. Returns the size of the
   training set. n is below 2^32. */
size_t validation_split(uint32_t *order, size_t n, unsigned divisor);

/* The range of begin to end - 1 that one of `threads` workers processes. */
void thread_range(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to);

/* Fisher-Yates shuffle. */
void order_shuffle(uint32_t *order, size_t n, uint64_t *seed);
