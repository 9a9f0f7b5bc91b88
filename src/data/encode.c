/* SPDX-License-Identifier: MIT */
#include "data/encode.h"

#include <stdlib.h>
#include <string.h>

uint8_t *data_bytes_room(DataBytes *b, size_t n) {
    if (n <= b->room - b->n) return b->at + b->n;
    const size_t room = (b->n + n) * 3 / 2 + 4096;
    uint8_t *bigger = b->failed ? NULL : realloc(b->at, room);
    if (!bigger) {
        b->failed = true;
        return NULL;
    }
    b->at = bigger;
    b->room = room;
    return b->at + b->n;
}

void data_bytes_put(DataBytes *b, const void *data, size_t n) {
    uint8_t *at = data_bytes_room(b, n);
    if (!at) return;
    memcpy(at, data, n);
    b->n += n;
}

void data_bytes_free(DataBytes *b) {
    free(b->at);
    *b = (DataBytes){0};
}

void data_encode_begin(DataEncoder *e, const DataFormat *format) {
    *e = (DataEncoder){.format = format, .chunk = SIZE_MAX, .plies_at = SIZE_MAX};
}

/* Where games show in the bytes, as chains or by replay: it carries on where the last record left the game. */
static bool carries_on(const DataEncoder *e, const DataRecord *r) {
    return e->open && !r->first && (!(e->format->holds & DATA_GAMES) || data_follows(&e->last, r));
}

bool data_encode_may_cut(const DataEncoder *e, const DataRecord *r) {
    DataRecord room;
    return !e->format->end || !carries_on(e, data_fitted(e->format, r, &room));
}

static bool no_memory(Fault *fault) {
    return tabia_fault(fault, "no memory for a block of records");
}

bool data_encode(DataEncoder *e, const DataRecord *given, Fault *fault) {
    const DataUnfit why = data_unfit(e->format, given);
    if (why != DATA_FIT) {
        e->unfit[why]++;
        return true;
    }
    EACH (number, data_lost(e->format, given)) e->lost[number]++;
    DataRecord room;
    const DataRecord *r = data_fitted(e->format, given, &room);
    if (e->open && !carries_on(e, r)) {
        if (e->format->end) e->format->end(e);
        e->open = false;
    }
    e->games += !e->open;
    e->format->put(e, r);
    if (e->format->holds & DATA_GAMES) e->last = *r;
    e->open = true;
    e->records++;
    return !e->bytes.failed || no_memory(fault);
}

bool data_encode_end(DataEncoder *e, Fault *fault) {
    if (e->open && e->format->end) e->format->end(e);
    if (e->format->close) e->format->close(e);
    e->open = e->open && !e->format->end; /* records that stand alone: the next may be of the same game */
    return !e->bytes.failed || no_memory(fault);
}

void data_encode_free(DataEncoder *e) {
    data_bytes_free(&e->bytes);
}
