/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any bytes that are read as records: no crash, an end, offsets within the bytes, a fault of one
 * line for each bad record, and good records that are good: a valid position, a legal move, a result. Such a record is
 * written and read back the same, as far as the format stores it.
 */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/encode.h"
#include "data/reader.h"
#include "notation/validate.h"

static inline void data_fail(const DataFormat *format, const char *what, const char *more) {
    printf("%s: %s: %s\n", format->name, what, more);
    fflush(stdout);
    abort();
}

static inline void check_record(const DataFormat *format, const DataRecord *r) {
    TabiaError error = {0};
    if (!position_validate(&r->position, &error)) data_fail(format, "a good record has a bad position", error.text);
    if (r->result < -1 || r->result > 1) data_fail(format, "a good record has no result", "");
    if (r->move && move_from_squares(&r->position, move_from(r->move), move_to(r->move),
                                     move_promotes(r->move) ? move_promotion(r->move) : PAWN) != r->move)
        data_fail(format, "a good record has an illegal move", "");
    /* binpack reads castling moves of Chess960, but does not write them. */
    if (data_rejection(format, r) != DATA_ACCEPT && data_rejection(format, r) != DATA_REJECT_castling)
        data_fail(format, "what was read cannot be written", data_rejections[data_rejection(format, r)].words);
}

/* Writes the record and reads it again. */
static inline void check_round_trip(const DataFormat *format, const DataRecord *r) {
    DataEncoder e;
    DataRecord back, normalized;
    if (!format->write || data_rejection(format, r) != DATA_ACCEPT) return;
    TabiaError error = {0};
    data_encoder_init(&e, format);
    if (!data_encode(&e, r, &error) || !data_encoder_finish(&e, &error)) abort();
    DataReader *reader = data_reader_memory(e.bytes.data, e.bytes.size, format, &error);
    if (data_read(reader, &back, &error) != DATA_READ_OK) data_fail(format, "what was written is not read", error.text);
    const bool same = position_same(&back.position, &data_normalized(format, r, &normalized)->position) &&
                      back.move == r->move && back.result == r->result &&
                      (back.score == r->score || data_lost_fields(format, r) & DATA_SCORE);
    if (!same) data_fail(format, "what was written is read as something else", "");
    data_reader_close(reader);
    data_encoder_free(&e);
}

/* Returns status many records were good. */
static inline unsigned data_check(const DataFormat *format, const uint8_t *data, size_t bytes) {
    TabiaError error = {0};
    DataRecord r;
    DataReadStatus status;
    unsigned good = 0, all = 0;
    DataReader *reader = data_reader_memory(data, bytes, format, &error);
    if (!reader) abort();
    do {
        error.text[0] = '\0';
        status = data_read(reader, &r, &error);
        if (data_reader_offset(reader) > bytes) data_fail(format, "read beyond the end", "");
        if (status == DATA_READ_OK) check_record(format, &r);
        if (status == DATA_READ_OK && good++ % 8 == 0) check_round_trip(format, &r);
        if ((status == DATA_READ_BAD_RECORD || status == DATA_READ_ERROR) &&
            (strncmp(error.text, "record ", 7) || strchr(error.text, '\n')))
            data_fail(format, "the fault is no line", error.text);
        if (++all > 2 * bytes + 2) data_fail(format, "there are more records than bits for them", "");
    } while (status == DATA_READ_OK || status == DATA_READ_BAD_RECORD);
    if (status == DATA_READ_END && data_reader_offset(reader) != bytes) data_fail(format, "the end came early", "");
    data_reader_close(reader);
    return good;
}
