/* SPDX-License-Identifier: MIT */
/*
 * A set of 128-bit keys, each with the number of paths that lead to it and, where wanted, one of the moves that does:
 * an open hash table that one thread owns. Its slots are probed one after the other from key[1] on.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "rules/zobrist.h"

typedef struct {
    Key key;
    uint64_t paths;  /* 0: an empty slot */
    uint64_t origin; /* the parent's number << 16 | move */
} KeySlot;

typedef struct {
    KeySlot *slot;
    size_t slots; /* a power of two, or 0 */
    size_t used;
    Memory memory; /* what the slots lie in: huge pages where they are to be had */
} KeySet;

/* Adds paths (not 0) to a key. False with an error when memory runs out, or at a request to
   stop (base/stop.h) while the set grows; it is then as before. */
bool key_set_add(KeySet *set, Key key, uint64_t paths, uint64_t origin, TabiaError *error);
void key_set_free(KeySet *set);
