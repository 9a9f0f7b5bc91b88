/* SPDX-License-Identifier: MIT */
#include "records/fields.h"

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
