/* SPDX-License-Identifier: MIT */
/*
 * The training set of the network: positions as its inputs see them, with result and score, 32 bytes each. Clocks,
 * castling rights and en passant squares are no inputs and are not kept.
 *
 * Threads: constant once read; any number of threads may read a set.
 */
#pragma once
#include <stddef.h>

#include "data/source.h"
#include "eval/network.h"

typedef struct {
    Bits occupied;
    uint8_t pieces[16]; /* on each occupied square, in order, 4 bits: colour * 8 + piece type */
    int16_t score;      /* of the side to move, centipawns */
    uint8_t turn;
    uint8_t result; /* of the side to move, in half points: 0, 1, 2 */
    uint32_t unused;
} TrainPosition;

typedef struct {
    TrainPosition *position;
    size_t count, capacity;
    uint64_t records_read; /* quiet or not */
} TrainPositions;

TrainPosition train_position_pack(const Position *p, int score, int result);
Position train_position_unpack(const TrainPosition *packed);

/* Appends a position to a set that began as all 0. False: out of memory. */
bool train_positions_add(TrainPositions *set, const Position *p, int score, int result);

/* Reads training data into *set, which needs no initialization, to the end of the source or a stop. Keeps quiet
   positions (quiet_record.h) with scores below 3000; a source without any is DATA_BAD_INPUT. The caller frees *set in
   any case. */
DataOutcome train_positions_read(TrainPositions *set, DataSource *source, TabiaError *error);
void train_positions_free(TrainPositions *set);

/* The active features (network inputs) of a position, from the view of the side to move and of the opponent. */
typedef struct {
    uint16_t input[2][32];
    int count;
} TrainFeatures;
void train_position_features(const TrainPosition *packed, NetworkShape shape, TrainFeatures *in);
