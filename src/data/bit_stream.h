/* SPDX-License-Identifier: MIT */
/*
 * A stream of 256 bits, the lowest of each byte first: how formats pack a position into 32 bytes.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"

enum { STREAM_BITS = 256, STREAM_BYTES = STREAM_BITS / 8 };

/* Reading beyond the end gives zeros and shows in `position`. */
typedef struct {
    uint64_t word[5];
    unsigned position;
} BitStream;

/* The next 64 bits, zeros beyond the end. */
INLINE uint64_t bits_peek(const BitStream *s) {
    const unsigned w = s->position / 64 & 3, shift = s->position % 64;
    return s->word[w] >> shift | (shift ? s->word[w + 1] << (64 - shift) : 0);
}

/* n is at most 31. */
INLINE unsigned bits_read(BitStream *s, unsigned n) {
    const uint64_t both = bits_peek(s);
    s->position += n;
    return (unsigned)(both & ((1u << n) - 1));
}

INLINE void bits_write(BitStream *s, unsigned n, unsigned value) {
    assert(s->position + n <= STREAM_BITS && value >> n == 0);
    const unsigned w = s->position / 64, shift = s->position % 64;
    s->word[w] |= (uint64_t)value << shift;
    if (shift + n > 64) s->word[w + 1] |= (uint64_t)value >> (64 - shift);
    s->position += n;
}
