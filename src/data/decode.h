/* SPDX-License-Identifier: MIT */
/*
 * What the decoders of all formats share: the input (input.h) and the state between two records. Only reader.c and the
 * formats include it.
 */
#pragma once
#include "data/format.h"
#include "data/input.h"
#include "data/reader.h"
#include "records/codec_state.h"

struct DataDecoder {
    DataInput in;
    uint64_t record_offset; /* of the record that is being read, in bytes: the format's `read` sets it */

    bool resync_pending; /* set with DATA_READ_BAD_RECORD: the format's `resync` runs before the next record */

    /* State of the formats. */
    bool in_game;           /* within a game, or what else holds records that follow each other */
    bool derives_next;      /* the next record is made of the one before and its move: it follows */
    Position next_position; /* of the next record in the game */
    int8_t white_result;    /* of the game, relative to white */
    uint16_t next_ply;      /* of the next record in the game */
    uint64_t line_number;   /* plain: of the line read last, from 1 */
    size_t line_start;      /* plain: index of this line in the window */
    FormatDecoderState state;
};

/* Sets the error of the current record. Always DATA_READ_BAD_RECORD, or DATA_READ_ERROR. */
int data_bad_record(TabiaError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
int data_read_error(TabiaError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The input ended or failed after `have` of the `need` bytes of a part of the format. Always DATA_READ_ERROR. */
int data_truncated(const DataDecoder *d, const char *part, size_t have, size_t need, TabiaError *error);

/* The next n bytes, which begin a record, a game or a chunk; sets record_offset. The caller consumes them
   (in.begin += n). Null: *status is DATA_READ_END if the input ends in front of them, else DATA_READ_ERROR. */
INLINE const uint8_t *data_peek_part(DataDecoder *d, const char *part, size_t n, int *status, TabiaError *error) {
    const size_t have = data_input_available(&d->in, n);
    d->record_offset = data_input_offset(&d->in);
    *status = DATA_READ_OK;
    if (UNLIKELY(have < n)) {
        *status = have || data_input_failed(&d->in) ? data_truncated(d, part, have, n, error) : DATA_READ_END;
        return NULL;
    }
    return data_input_bytes(&d->in);
}

/* Integers in little-endian order, which most formats use, and in big-endian order. */
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
INLINE uint64_t get64_big(const uint8_t *at) {
    return __builtin_bswap64(get64(at));
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
INLINE void set64_big(uint8_t *at, uint64_t n) {
    set64(at, __builtin_bswap64(n));
}
