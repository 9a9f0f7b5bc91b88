/* SPDX-License-Identifier: MIT */
/*
 * A counting path: the hot text of perft, compiled for one kind of CPU. The same source, path.c, becomes avx512, avx2,
 * scalar and portable by compiler flags; paths.c chooses one at start-up.
 */
#pragma once
#include "position.h"

typedef struct {
    const char *name;
    /* Legal moves of p, and the sum of the legal replies to all of them. No table, no state: any thread. */
    uint64_t (*last_one)(const Position *p);
    uint64_t (*last_two)(const Position *p);
} PerftPath;
