/* SPDX-License-Identifier: MIT */
#include "records/fields.h"

DataFields position_fields(const Position *p) {
    DataFields f = DATA_NO_FIELDS;
    if (p->turn == BLACK) f |= DATA_TURN;
    if (p->castle[WHITE] | p->castle[BLACK]) f |= DATA_CASTLING;
    if (p->ep) f |= DATA_EP;
    if (p->halfmove) f |= DATA_HALFMOVE_CLOCK;
    if (p->fullmove != 1) f |= DATA_FULLMOVE_NUMBER;
    return f;
}

DataFields extra_fields(RecordExtra extra) {
    return extra.opening_eval ? DATA_OPENING_EVAL : DATA_NO_FIELDS;
}
