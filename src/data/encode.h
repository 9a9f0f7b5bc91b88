/* SPDX-License-Identifier: MIT */
/*
 * An encoder turns records into bytes in memory. Formats whose records form games need
 * data_encoder_finish: after it the bytes are complete, and may be appended to a file behind other complete bytes of the
 * format.
 *
 * The same records with the same calls of data_encoder_finish give the same bytes; they depend on no time, thread or
 * address. Threads: an encoder belongs to one thread at a time.
 */
#pragma once
#include "data/format.h"
#include "records/codec_state.h"

#include <stddef.h>

/* A byte buffer that grows. */
typedef struct {
    uint8_t *data;
    size_t size, capacity;
    bool failed; /* out of memory: nothing more is appended, and the next call of encode.h fails */
} DataBuffer;

/* Reserves n bytes behind the last; null if out of memory. The caller writes them and adds to `size`. */
uint8_t *data_buffer_reserve(DataBuffer *b, size_t n);
void data_buffer_append(DataBuffer *b, const void *data, size_t n);
/* Appends at most 255 bytes of text. */
void data_buffer_print(DataBuffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void data_buffer_free(DataBuffer *b);

struct DataEncoder {
    const DataFormat *format;
    DataBuffer bytes; /* the encoded bytes; the caller may take them and set bytes.size = 0 after data_encoder_finish */
    uint64_t records; /* encoded since data_encoder_init */
    uint64_t games;   /* started: records that start a game, and in formats of games those that did not follow */
    uint64_t rejected[DATA_REJECTIONS_N]; /* records not written, by reason */
    uint64_t lost[DATA_FIELDS_N];         /* records that lost this field */

    /* State of the formats. */
    DataRecord last; /* the record written last, while in_game */
    bool in_game;
    FormatEncoderState state;
};

/* Sets all members to 0 but the format. */
void data_encoder_init(DataEncoder *e, const DataFormat *format);

/* True if a block may end before the record: it does not continue the open game, or the format has no games. */
bool data_encoder_can_split(const DataEncoder *e, const DataRecord *r);

/* Appends a record; one that is rejected is counted instead. False only if out of memory. */
bool data_encode(DataEncoder *e, const DataRecord *r, TabiaError *error);

/* Ends the open game and chunk, if any: the bytes are complete. False only if out of memory. */
bool data_encoder_finish(DataEncoder *e, TabiaError *error);

void data_encoder_free(DataEncoder *e);
