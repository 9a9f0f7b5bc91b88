/* SPDX-License-Identifier: MIT */
/*
 * What bench/table_instructions.py counts instructions in: probes and stores of one table by turns, each of both of the same
 * position, two in five of which were stored before.
 */
#include <stdio.h>

#include "call_table.h"

enum { PAIRS = 200000, REPEATED = 20000, PAIRS_A_GENERATION = 10000 };

static uint64_t call_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Every second position is one of a few that come again. */
static CallKey call_key(unsigned i) {
    uint64_t state = i % 2 ? i / 2 % REPEATED + 1 : (uint64_t)i << 32;
    const uint64_t first = call_random(&state);
    return (CallKey){first, call_random(&state)};
}

int main(int argc, char **argv) {
    unsigned hits = 0;
    call_create(argc > 1 ? argv[1] : "standard");
    for (unsigned i = 0; i < PAIRS; i++) {
        const CallEntry s = {.score = (int16_t)i,
                             .depth = (uint8_t)(i % 30),
                             .bound = (uint8_t)(1 + i % 3),
                             .move = (uint16_t)(i * 7 | 1)};
        hits += counted_pair(call_key(i), s) != 0;
        if (i % PAIRS_A_GENERATION == 0) call_new_generation();
    }
    printf("%u of %u\n", hits, PAIRS);
    return 0;
}
