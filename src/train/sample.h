/* SPDX-License-Identifier: MIT */
/* What a network is trained on: a position, the score of a search and the result of the game. */
#pragma once
#include <stddef.h>

#include "data/record.h"
#include "features/features.h"
#include "records/compact.h"

typedef struct {
    int16_t score;                            /* of the side to move, centipawns */
    uint8_t result;                           /* of the side to move, in half points: 0, 1, 2 */
    uint8_t position[COMPACT_POSITION_BYTES]; /* as network_position makes it */
} TrainSample;

INLINE TrainSample train_sample(const Position *p, int score, int result) {
    assert(result >= 0 && result <= 2 && score >= INT16_MIN && score <= INT16_MAX);
    TrainSample sample = {.score = (int16_t)score, .result = (uint8_t)result};
    const Position seen = network_position(p);
    position_to_compact(&seen, sample.position);
    return sample;
}

INLINE Position train_sample_position(const TrainSample *sample) {
    Position p;
    position_from_compact(&p, sample->position);
    return p;
}
