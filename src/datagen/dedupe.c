/* SPDX-License-Identifier: MIT */
#include "dedupe.h"

#include <stdlib.h>

#include "data/reader.h"
#include "rules/zobrist.h"

enum { KEYS_SEED = 40 };

struct Dedupe {
    uint64_t slots, *key;
    DataFields holds;
    Zobrist zobrist;
};

Dedupe *dedupe_create(uint64_t slots, const DataFormat *format, TabiaError *error) {
    Dedupe *d = aligned_alloc(_Alignof(Dedupe), sizeof *d);
    if (d) *d = (Dedupe){.slots = slots, .holds = format->fields, .key = calloc(slots, sizeof *d->key)};
    if (!d || !d->key) {
        free(d);
        tabia_fail(error, "--dedupe-slots: no memory for %ju keys", (uintmax_t)slots);
        return NULL;
    }
    zobrist_init(&d->zobrist, KEYS_SEED);
    return d;
}

void dedupe_destroy(Dedupe *d) {
    if (d) free(d->key);
    free(d);
}

bool dedupe_known(Dedupe *d, const Position *p) {
    Position q = p->turn == BLACK && !(d->holds & DATA_TURN) ? position_flipped(p) : *p;
    if (!(d->holds & DATA_CASTLING)) q.castle[WHITE] = q.castle[BLACK] = 0;
    if (!(d->holds & DATA_EP)) q.ep = 0;
    const uint64_t key = zobrist_key(&d->zobrist, &q)[1] | 1; /* 0: empty */
    uint64_t *slot = &d->key[(key >> 1) % d->slots];
    const bool known = *slot == key;
    *slot = key;
    return known;
}

bool dedupe_read(Dedupe *d, const char *path, const DataFormat *format, uint64_t bytes, TabiaError *error) {
    if (!bytes) return true;
    DataReader *r = data_reader_open(path, format, error);
    DataRecord record;
    TabiaError cause = {0};
    DataReadStatus how = DATA_READ_OK;
    if (!r) return false;
    while ((how = data_read(r, &record, &cause)) == DATA_READ_OK) dedupe_known(d, &record.position);
    data_reader_close(r);
    return how == DATA_READ_END || tabia_fail(error, "%.100s: %.280s", path, cause.text);
}
