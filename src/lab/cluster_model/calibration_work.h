/* SPDX-License-Identifier: MIT */
/*
 * Calibration of messages while ranks count: the work between the messages is that of a perft (cluster/calibrate.h).
 */
#pragma once
#include "cluster/calibrate.h"
#include "model.h"
#include "rules/position.h"

/* What ranks do between messages. */
typedef struct {
    const Position *root;         /* a perft of it */
    uint64_t table_bytes;         /* of each rank */
    double positions_per_message; /* that a rank counts from one of its messages to the next */
    unsigned ranks_per_processor; /* 1 where each rank has its own */
} CalibrationWork;

/* Collective: measures what messages cost between ranks 0 and 1 while all ranks do such work. *result: on rank 0. */
bool calibrate_while_counting(TabiaTransport *t, const CalibrationWork *work, Calibration *result, TabiaError *error);

/* Replaces the network's constants of the model by those measured between two ranks, and `apply` by that of this
   machine. A poll interval that is longer already stays. */
bool model_costs_calibrate(ModelCosts *costs, const Calibration *c, TabiaError *error);
