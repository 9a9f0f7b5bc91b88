/* SPDX-License-Identifier: MIT */
/*
 * The number of a record's move where its format does not store it: a record that follows from the one before it gets the
 * next number, any other 1.
 */
#pragma once
#include "data/decode.h"

/* Sets number and ply of a record that has all else, and remembers the position after its move. */
INLINE void number_move(DataDecoder *d, DataRecord *r) {
    const bool goes_on =
        d->in_game && position_same(&d->next_position, &r->position) && d->white_result == data_white_result(r);
    if (goes_on) r->position.ply = d->next_position.ply;
    r->ply = move_counters_ply(&r->position);
    d->in_game = r->move != 0;
    d->white_result = data_white_result(r);
    if (r->move) position_make_move(&d->next_position, &r->position, r->move);
}
