/* SPDX-License-Identifier: MIT */
#include "duplicate_table.h"

#include <assert.h>
#include <stdlib.h>

#include "data/reader.h"
#include "rules/zobrist.h"

enum { ZOBRIST_SEED = 40, EMPTY_SLOT = 0 };

struct DuplicateTable {
    uint64_t slots, *keys;
    DataFields fields; /* that the format stores */
    Zobrist zobrist;
};

DuplicateTable *duplicate_table_create(uint64_t slots, const DataFormat *format, TabiaError *error) {
    assert(slots > 0);
    DuplicateTable *t = aligned_alloc(_Alignof(DuplicateTable), sizeof *t);
    if (t) *t = (DuplicateTable){.slots = slots, .fields = format->fields, .keys = calloc(slots, sizeof *t->keys)};
    if (!t || !t->keys) {
        free(t);
        tabia_fail(error, "--dedupe-slots: no memory for %ju keys", (uintmax_t)slots);
        return NULL;
    }
    zobrist_init(&t->zobrist, ZOBRIST_SEED);
    return t;
}

void duplicate_table_destroy(DuplicateTable *t) {
    if (t) free(t->keys);
    free(t);
}

/* The key of what the format stores of a position; never EMPTY_SLOT. */
static uint64_t stored_key(const DuplicateTable *t, const Position *p) {
    const Position stored = position_stored(p, t->fields);
    return zobrist_key(&t->zobrist, &stored)[1] | 1;
}

bool duplicate_table_add(DuplicateTable *t, const Position *p) {
    const uint64_t key = stored_key(t, p);
    uint64_t *slot = &t->keys[(key >> 1) % t->slots];
    const bool is_duplicate = *slot == key;
    assert(key != EMPTY_SLOT);
    *slot = key;
    return is_duplicate;
}

bool duplicate_table_add_file(DuplicateTable *t, const char *path, const DataFormat *format, uint64_t bytes,
                              TabiaError *error) {
    if (!bytes) return true;
    DataReader *r = data_reader_open(path, format, error);
    DataRecord record;
    TabiaError cause = {0};
    DataReadStatus status = DATA_READ_OK;
    if (!r) return false;
    while ((status = data_read(r, &record, &cause)) == DATA_READ_OK) duplicate_table_add(t, &record.position);
    data_reader_close(r);
    return status == DATA_READ_END || tabia_fail(error, "%.100s: %.280s", path, cause.text);
}
