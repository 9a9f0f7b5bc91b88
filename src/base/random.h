/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine: splitmix64 (Guy Steele, Doug Lea, Christine Flood, 2014). */
#pragma once
#include "base/bits.h"

/* The next number of the sequence that *state stands in. Any state is good, 0 too. */
INLINE uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* A number below n, which is not 0. */
INLINE unsigned random_below(uint64_t *state, unsigned n) {
    return (unsigned)((random_next(state) >> 32) * n >> 32);
}
