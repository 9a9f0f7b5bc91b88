/* SPDX-License-Identifier: MIT */
/*
 * A stream of 256 bits, the lowest of each byte first: how formats pack a position into 32 bytes.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"
#include "data/decode.h"

enum { STREAM_BITS = 256, STREAM_BYTES = STREAM_BITS / 8 };

/* Reading beyond the end shows in `position`; what is read there means nothing. */
typedef struct {
    uint64_t word[5];
    unsigned position;
} BitStream;

INLINE BitStream bits_load(const uint8_t at[STREAM_BYTES]) {
    return (BitStream){{get64(at), get64(at + 8), get64(at + 16), get64(at + 24), 0}, 0};
}

INLINE void bits_store(const BitStream *s, uint8_t at[STREAM_BYTES]) {
    for (int i = 0; i < 4; i++) set64(at + 8 * i, s->word[i]);
}

/* The next 64 bits; where they reach beyond the end, zeros. */
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
