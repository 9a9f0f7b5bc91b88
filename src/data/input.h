/* SPDX-License-Identifier: MIT */
/*
 * A window that moves over an input: a file, a pipe or memory.
 *
 * Threads: an input belongs to one thread at a time.
 */
#pragma once
#include <assert.h>
#include <stddef.h>

#include "base/bits.h"
#include "data/block_checksums.h"

/* What may stand in front of a text in UTF-8. */
#define data_byte_order_mark "\xef\xbb\xbf"
enum { DATA_BYTE_ORDER_MARK_BYTES = sizeof data_byte_order_mark - 1 };

typedef struct {
    int fd; /* file descriptor, or -1: the window holds all of the input that is left */
    uint8_t *window;
    size_t begin, end, capacity; /* unread bytes are window[begin] to window[end - 1] */
    uint64_t window_offset;      /* offset of window[0] in the input, in bytes */
    int error;                   /* errno of a failed read, or 0 */
    bool owned;
    DataChecksums *checksums; /* owned; of what is handed out from now on; or null */
} DataInput;

enum { DATA_WINDOW_BYTES = 1 << 20, DATA_WINDOW_REQUEST_MAX = 1 << 12 /* the largest usual request */ };

/* The number of bytes, at most n, that can be read at data_input_bytes. It is less than n only at the end of the input,
   after a failure (data_input_failed), or when the program is asked to stop (base/stop.h), which looks like an end.
   n is at most DATA_WINDOW_REQUEST_MAX; where more is needed, which moves what is in the window, DATA_WINDOW_BYTES. */
size_t data_input_available(DataInput *in, size_t n);

/* Hands out only what has these checksums; what the window has is handed out no more if it has not. */
void data_input_verify(DataInput *in, DataChecksums *checksums);

/* Why reading failed. */
const char *data_input_reason(const DataInput *in);

/* At the beginning of a text: consumes a byte order mark. */
void data_skip_byte_order_mark(DataInput *in);

INLINE const uint8_t *data_input_bytes(const DataInput *in) {
    assert(in->begin <= in->end);
    return in->window + in->begin;
}
INLINE bool data_input_failed(const DataInput *in) {
    return in->error != 0;
}
INLINE uint64_t data_input_offset(const DataInput *in) {
    return in->window_offset + in->begin;
}

/* Closes and frees what the input owns. */
void data_input_close(DataInput *in);
