/* SPDX-License-Identifier: MIT */
#include "records/fields.h"

#include <stdio.h>

#include "records/move_counters.h"

DataFields position_fields(const Position *p) {
    DataFields f = DATA_NO_FIELDS;
    if (p->turn == WHITE) f |= DATA_TURN;
    if (p->ply != 1) f |= DATA_MOVE_NUMBER;
    return f;
}

DataFields extra_fields(RecordExtra extra) {
    (void)extra;
    return DATA_NO_FIELDS;
}

const char *move_counters_text(const Position *p, char out[MOVE_COUNTERS_TEXT_MAX]) {
    snprintf(out, MOVE_COUNTERS_TEXT_MAX, "%u", p->ply);
    return out;
}

bool move_counters_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error) {
    (void)p, (void)fields, (void)ply, (void)error;
    return true;
}

const char *position_ending(const Position *p, int *result) {
    if (moves_count(p)) return NULL;
    *result = -1;
    return in_check(p) ? "mate" : "no legal move";
}
