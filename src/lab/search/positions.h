/* SPDX-License-Identifier: MIT */
/* Files of positions to measure on, one a line, and lists that hold what was read. */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "rules/position.h"

/* Takes a position and what follows it on its line; false with *error where it cannot be used. */
typedef bool PositionsTake(void *context, const Position *p, const char *operations, TabiaError *error);

/* Reads a file of FEN or EPD; blank lines and those that begin with '#' are passed over. False with an error that names
   the line where reading ended. */
bool positions_read(const char *path, PositionsTake *take, void *context, TabiaError *error);

/* Room for one more behind n items of `size` bytes, aligned to cache lines as a Position is. Grows at powers of two, so
   the list must have grown by this function alone. The list, which may have moved; NULL with an error, and the list as
   it was, if there is no memory. */
void *positions_room(void *list, unsigned n, size_t size, TabiaError *error);
