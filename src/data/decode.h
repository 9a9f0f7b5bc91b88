/* SPDX-License-Identifier: MIT */
/*
 * What readers of single formats work with: bytes in a window that moves over the input, and what they remember between
 * records. For format_*.c and reader.c only.
 */
#pragma once
#include "data/format.h"
#include "data/reader.h"

typedef struct {
    int file; /* descriptor, or -1: all there is lies in the window */
    uint8_t *window;
    size_t at, end, room; /* unread bytes are window[at] to window[end - 1] */
    uint64_t before;      /* bytes of the input in front of the window */
    int error;            /* errno of a read that failed, or 0 */
    bool owned;
} DataInput;

enum { DATA_WINDOW = 1 << 20, DATA_WINDOW_ASK = 1 << 12 /* the most that may be asked for at once */ };

/* How many bytes, at most n, can be read at data_input_here: less only where the input ends, failed (error), or the
   program is asked to stop (base/stop.h), which then looks like an end. */
size_t data_input_have(DataInput *in, size_t n);

INLINE const uint8_t *data_input_here(const DataInput *in) {
    return in->window + in->at;
}
INLINE uint64_t data_input_offset(const DataInput *in) {
    return in->before + in->at;
}

struct DataDecoder {
    DataInput in;
    uint64_t at; /* where the record begins that is being read: `get` sets it */

    bool skipping; /* set with DATA_BAD: before the next record the format's `skip` passes over the rest of this one */

    /* For the formats. */
    bool open;          /* within a game (viri) or a chain (binpack) */
    Position next;      /* the position of its next record */
    int8_t white;       /* its result for white */
    int16_t opening;    /* of its first record */
    int16_t expected;   /* binpack: the score that a difference of 0 means */
    uint16_t ply;       /* of its next record */
    unsigned plies;     /* binpack: still to come in the chain */
    unsigned bits;      /* binpack: bits of the byte at hand that were used */
    uint64_t chunk_end; /* binpack: the offset where the chunk ends */
    uint64_t lines;     /* plain: taken so far */
    size_t line_at;     /* plain: where the last of them begins in the window */
};

/* A fault of the record at hand; always DATA_BAD, or DATA_BROKEN. */
int data_bad(Fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
int data_broken(Fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The input ended `have` bytes into a thing of `need` bytes; or it failed. Always DATA_BROKEN. */
int data_short(const DataDecoder *d, const char *thing, size_t have, size_t need, Fault *fault);

/* Numbers in the order of bytes that most formats have, and the other. */
INLINE uint16_t get16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}
INLINE uint64_t get64(const uint8_t *at) {
    return (uint64_t)get16(at) | (uint64_t)get16(at + 2) << 16 | (uint64_t)get16(at + 4) << 32 |
           (uint64_t)get16(at + 6) << 48;
}
INLINE uint16_t get16_big(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}
INLINE void set16(uint8_t *at, unsigned n) {
    at[0] = (uint8_t)n, at[1] = (uint8_t)(n >> 8);
}
INLINE void set16_big(uint8_t *at, unsigned n) {
    at[0] = (uint8_t)(n >> 8), at[1] = (uint8_t)n;
}
INLINE void set64(uint8_t *at, uint64_t n) {
    for (int i = 0; i < 8; i++) at[i] = (uint8_t)(n >> 8 * i);
}
