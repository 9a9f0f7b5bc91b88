/* SPDX-License-Identifier: MIT */
/* Files of positions, one a line, and growing lists. */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "rules/position.h"

/* Receives a position and the rest of its line; false with an error if it cannot be used. */
typedef bool PositionCallback(void *context, const Position *p, const char *operations, TabiaError *error);

/* Reads a file of FEN or EPD; blank lines and those that begin with '#' are passed over. False with an error that names
   the line where reading ended. */
bool positions_read(const char *path, PositionCallback *take, void *context, TabiaError *error);

/*
 * Reserves room for one more element behind n of `size` bytes, aligned to cache lines as a Position is. Grows at powers
 * of two, so that the list must have grown by this function alone. Returns the list, which may have moved; NULL with an
 * error, and the list as it was, if there is no memory.
 */
void *position_list_reserve(void *list, unsigned n, size_t size, TabiaError *error);
