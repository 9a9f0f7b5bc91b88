/* SPDX-License-Identifier: MIT */
/*
 * From records to bytes in memory. Formats whose records are games (viri, binpack) are ended by data_encode_end: after
 * it the bytes are whole, and may be appended to a file behind other whole bytes of the format.
 *
 * The same records with the same ends give the same bytes: nothing depends on time, threads or memory.
 */
#pragma once
#include "data/format.h"

#include <stddef.h>

/* Bytes that grow. */
typedef struct {
    uint8_t *at;
    size_t n, room;
    bool failed; /* no memory: nothing more is appended, and the call of encode.h that finds it says so */
} DataBytes;

/* Room for n more bytes; null if there is no memory. The caller writes them and adds to `n`. */
uint8_t *data_bytes_room(DataBytes *b, size_t n);
void data_bytes_put(DataBytes *b, const void *data, size_t n);
void data_bytes_free(DataBytes *b);

struct DataEncoder {
    const DataFormat *format;
    DataBytes bytes;  /* what was encoded; the caller may take it and set bytes.n = 0 after data_encode_end */
    uint64_t records; /* encoded since data_encode_begin */
    uint64_t games;   /* begun: records marked so, and where games show in the bytes those that did not follow */
    uint64_t unfit[DATA_UNFITS_N]; /* not written, by the reason */
    uint64_t lost[DATA_FIELDS_N];  /* records that lost this field */

    /* The rest is for the formats. */
    DataRecord last; /* the one written last, while `open` */
    bool open;
    size_t chunk;    /* binpack: where the chunk, and in it the count of the chain's plies, begins; */
    size_t plies_at; /* ... SIZE_MAX: none */
    unsigned plies, bits;
    int16_t expected; /* binpack: the score that a difference of 0 means */
};

/* Starts with nothing. All zero but for the format. */
void data_encode_begin(DataEncoder *e, const DataFormat *format);

/* Would the record not continue the open game, or stand alone anyway? Then a block may end before it. */
bool data_encode_may_cut(const DataEncoder *e, const DataRecord *r);

/* Appends a record, unless it is unfit, which is counted. False only without memory. */
bool data_encode(DataEncoder *e, const DataRecord *r, Fault *fault);

/* Ends the open game and chunk, if any: the bytes are whole. False only without memory. */
bool data_encode_end(DataEncoder *e, Fault *fault);

void data_encode_free(DataEncoder *e);
