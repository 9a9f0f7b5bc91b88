/* SPDX-License-Identifier: MIT */
/*
 * What a rank has asked before, it knows without asking: results and answers lie in its own table, in front of the
 * owners'. Kinship hands a rank units that follow each other, so the walk takes a trace as so many ranges of units as
 * ranks do it, and remembers of each key in which range it was asked last.
 *
 *     units  0 1 2 3 4 | 5 6 7 8 9        two ranges
 *     asks   a b a   c |   a   a d        a of unit 6 is asked again, that of unit 8 is known in front
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t key, range; /* range: + 1; 0 is an empty place */
} SimulateFrontPlace;

typedef struct {
    SimulateFrontPlace *place;
    uint64_t mask;
} SimulateFront;

/* For so many asks at most. False when memory is out. simulate_front_free() it in any case. */
bool simulate_front_make(SimulateFront *f, uint64_t asks);
/* Has that range asked for the key already? It has now. */
bool simulate_front_knows(SimulateFront *f, uint32_t key, uint32_t range);
void simulate_front_free(SimulateFront *f);
