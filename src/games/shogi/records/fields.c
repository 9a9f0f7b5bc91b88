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
    return extra.has_deeper_score ? DATA_DEEPER_SCORE : DATA_NO_FIELDS;
}

bool extra_take_deeper_score(RecordExtra *extra, DataFields stored, int32_t score) {
    if (!(stored & DATA_DEEPER_SCORE)) return false;
    extra->deeper_score = (int16_t)(score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score);
    return extra->has_deeper_score = true;
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
