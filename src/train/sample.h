/* SPDX-License-Identifier: MIT */
/* What a network is trained on: a position, the score of a search and the result of the game. */
#pragma once
#include "data/record.h"
#include "features/network_position.h"

typedef struct {
    NetworkPosition position;
    int16_t score;  /* of the side to move, centipawns */
    int16_t base;   /* likewise: what the network's value is added to */
    uint8_t result; /* of the side to move, in half points: 0, 1, 2 */
} TrainSample;

INLINE TrainSample train_sample(const Position *p, int score, int result) {
    assert(result >= 0 && result <= 2 && score >= INT16_MIN && score <= INT16_MAX);
    return (TrainSample){.position = network_position_pack(p), .score = (int16_t)score, .result = (uint8_t)result};
}
