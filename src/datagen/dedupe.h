/* SPDX-License-Identifier: MIT */
/*
 * Positions that were written before, as far as a table of keys remembers: slot = key modulo the number of slots, the
 * newest key stays (the way of YaneuraOu's gensfen). It is asked in the order of the file, so what it says does not
 * depend on threads; and since a position that is known changes nothing, its state follows from the positions in the
 * file alone: a run that goes on reads them again.
 *
 * Two positions are the same if the file's format cannot tell them apart: the clocks never count; where it knows no
 * side to move, a position and its mirror image are one.
 */
#pragma once
#include "settings.h"

typedef struct Dedupe Dedupe;

/* Null with an error: no memory. */
Dedupe *dedupe_create(uint64_t slots, const DataFormat *format, TabiaError *error);
void dedupe_destroy(Dedupe *d); /* null is fine */

/* Is it known? From now on it is. */
bool dedupe_known(Dedupe *d, const Position *p);

/* Adds the positions of the first `bytes` bytes of a file. False with an error. */
bool dedupe_read(Dedupe *d, const char *path, const DataFormat *format, uint64_t bytes, TabiaError *error);
