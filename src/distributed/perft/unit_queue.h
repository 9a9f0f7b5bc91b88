/* SPDX-License-Identifier: MIT */
/*
 * The local queue of a rank: units that rank 0 has assigned to it and that it has not begun. First in, first out; all
 * of one depth. Of one thread.
 */
#pragma once
#include "wire.h"

typedef struct {
    WireUnit *unit; /* a ring of `capacity` */
    size_t first, n, capacity;
    int depth; /* of the units, in plies */
} UnitQueue;

/* Appends the n units that a message holds from `bytes` on, aligned or not. False when memory is out: rank 0 assigns
   them again after the timeout. */
bool unit_queue_push(UnitQueue *q, const void *bytes, size_t n, int depth);

/* The oldest unit, of which there must be one. */
WireUnit unit_queue_pop(UnitQueue *q);

void unit_queue_release(UnitQueue *q);
