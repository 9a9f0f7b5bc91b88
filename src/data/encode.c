/* SPDX-License-Identifier: MIT */
#include "data/encode.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *data_buffer_reserve(DataBuffer *b, size_t n) {
    assert(b->size <= b->capacity);
    if (n <= b->capacity - b->size) return b->data + b->size;
    const size_t capacity = (b->size + n) * 3 / 2 + 4096;
    uint8_t *larger = b->failed ? NULL : realloc(b->data, capacity);
    if (!larger) {
        b->failed = true;
        return NULL;
    }
    b->data = larger;
    b->capacity = capacity;
    return b->data + b->size;
}

void data_buffer_append(DataBuffer *b, const void *data, size_t n) {
    uint8_t *at = data_buffer_reserve(b, n);
    if (!at) return;
    memcpy(at, data, n);
    b->size += n;
}

void data_buffer_print(DataBuffer *b, const char *format, ...) {
    char text[256];
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    assert(n >= 0 && n < (int)sizeof text);
    data_buffer_append(b, text, (size_t)n);
}

void data_buffer_free(DataBuffer *b) {
    free(b->data);
    *b = (DataBuffer){0};
}

void data_encoder_init(DataEncoder *e, const DataFormat *format) {
    *e = (DataEncoder){.format = format};
}

/* Is it the next record of a source, which follows unless it starts a game? A record that was changed for its format has
   no number. */
static bool is_next(const DataRecord *last, const DataRecord *r) {
    const bool next = last->number && r->number == last->number + 1;
    assert(!next || r->starts_game || data_follows(last, r));
    return next;
}

/* True if the record continues the open game. In formats that store game boundaries it must follow from the last. */
static bool continues_game(const DataEncoder *e, const DataRecord *r) {
    return e->in_game && !r->starts_game &&
           (!(e->format->fields & DATA_GAME_STARTS) || is_next(&e->last, r) || data_follows(&e->last, r));
}

/* The record as its format stores it. */
static const DataRecord *normalized_record(const DataEncoder *e, const DataRecord *r, DataRecord *normalized) {
    const DataRecord *stored = data_normalized(e->format, r, normalized);
    if (stored == normalized) normalized->number = 0;
    return stored;
}

bool data_encoder_can_split(const DataEncoder *e, const DataRecord *r) {
    DataRecord normalized;
    return !e->format->end_game || !continues_game(e, normalized_record(e, r, &normalized));
}

static bool no_memory(TabiaError *error) {
    return tabia_fail(error, "out of memory for a block of records");
}

bool data_encode(DataEncoder *e, const DataRecord *original, TabiaError *error) {
    const DataRejection reason = data_rejection(e->format, original);
    if (reason != DATA_ACCEPT) {
        e->rejected[reason]++;
        return true;
    }
    EACH (number, data_lost_fields(e->format, original)) e->lost[number]++;
    DataRecord normalized;
    const DataRecord *r = normalized_record(e, original, &normalized);
    if (e->in_game && !continues_game(e, r)) {
        if (e->format->end_game) e->format->end_game(e);
        e->in_game = false;
    }
    e->games += !e->in_game;
    assert(e->games <= e->records + 1);
    assert(!(e->format->requires & DATA_MOVE) || r->move);
    e->format->write(e, r);
    if (e->format->fields & DATA_GAME_STARTS) e->last = *r;
    e->in_game = true;
    e->records++;
    return !e->bytes.failed || no_memory(error);
}

bool data_encoder_finish(DataEncoder *e, TabiaError *error) {
    if (e->in_game && e->format->end_game) e->format->end_game(e);
    if (e->format->end_chunk) e->format->end_chunk(e);
    e->in_game = e->in_game && !e->format->end_game; /* independent records: the next may be of the same game */
    return !e->bytes.failed || no_memory(error);
}

void data_encoder_free(DataEncoder *e) {
    data_buffer_free(&e->bytes);
}
