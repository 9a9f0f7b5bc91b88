/* SPDX-License-Identifier: MIT */
/*
 * The inputs that a position sets, all of them, for a trainer: an engine has those that a move changes (features.h).
 *
 * Threads: no state; any thread may call any function.
 */
#pragma once
#include "features/features.h"

/* From the view of the side to move and of the other, and the output that is asked. */
typedef struct {
    uint16_t input[2][NETWORK_FEATURES_MAX];
    int count, bucket;
} NetworkFeatures;
void network_features(const Position *p, bool mirrored, NetworkFeatures *in);
