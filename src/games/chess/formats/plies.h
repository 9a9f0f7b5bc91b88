/* SPDX-License-Identifier: MIT */
/* What games in viriformat and Monty's format have in common: four bytes for each ply, of which four zeros end the game. */
#pragma once
#include "data/decode.h"

enum { PLY_BYTES = 4 };

INLINE bool plies_end(const uint8_t *at) {
    return !(at[0] | at[1] | at[2] | at[3]);
}

/* Skips the rest of a game that cannot be decoded. */
static inline int resync_game(DataDecoder *d, TabiaError *error) {
    bool ended = false;
    (void)error;
    while (!ended && data_input_available(&d->in, PLY_BYTES) == PLY_BYTES) {
        ended = plies_end(data_input_bytes(&d->in));
        d->in.begin += PLY_BYTES;
    }
    return DATA_READ_OK;
}

/* The next ply of a game, null at its end: *status is DATA_READ_OK there, or says why there is none. */
static inline const uint8_t *next_ply(DataDecoder *d, int *status, TabiaError *error) {
    const size_t have = data_input_available(&d->in, PLY_BYTES);
    d->record_offset = data_input_offset(&d->in);
    *status = DATA_READ_OK;
    if (have < PLY_BYTES) {
        *status = data_truncated(d, "a move, or of the zeros that end a game", have, PLY_BYTES, error);
        return NULL;
    }
    const uint8_t *at = data_input_bytes(&d->in);
    d->in.begin += PLY_BYTES;
    return plies_end(at) ? NULL : at;
}
