/* SPDX-License-Identifier: MIT */
/* How threads divide a range. */
#pragma once
#include <assert.h>
#include <stddef.h>

#include "base/bits.h"

/* The part of begin to end - 1 that one of `threads` workers processes. */
INLINE void thread_range(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to) {
    assert(begin <= end && worker < threads);
    const size_t n = end - begin;
    *from = begin + n * worker / threads, *to = begin + n * (worker + 1) / threads;
}
