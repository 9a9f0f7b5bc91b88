/* SPDX-License-Identifier: MIT */
/*
 * A position as a network sees it, in few bytes, and the inputs it sets: what a trainer needs to know of the game.
 *
 * Threads: no state; any thread may call any function.
 */
#pragma once
#include <stddef.h>

#include "features/features.h"

NetworkPosition network_position_pack(const Position *p);
Position network_position_unpack(const NetworkPosition *packed);

/* Writes what it says, without padding, and returns the number of bytes: at most sizeof *packed. */
size_t network_position_bytes(const NetworkPosition *packed, uint8_t *bytes);

/* The inputs that a position sets, from the view of the side to move and of the other, and the output that is asked. */
typedef struct {
    uint16_t input[2][NETWORK_FEATURES_MAX];
    int count, bucket;
} NetworkFeatures;
void network_features(const NetworkPosition *packed, bool mirrored, NetworkFeatures *in);
