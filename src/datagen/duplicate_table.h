/* SPDX-License-Identifier: MIT */
/*
 * The positions written so far, as far as a direct-mapped table of keys holds them: slot = key modulo the number of
 * slots, a new key replaces the old one (as in YaneuraOu's gensfen). Positions are looked up in the order of the file,
 * so the result does not depend on threads. A duplicate changes nothing, so the state follows from the positions in the
 * file alone, and a run that resumes reads them again.
 *
 * Two positions are equal if the file's format stores no difference between them: the clocks never count; where the
 * format stores no side to move, a position and its mirror image are equal.
 *
 * Threads: a table belongs to one thread at a time.
 */
#pragma once
#include "settings.h"

typedef struct DuplicateTable DuplicateTable;

/* Null with an error: out of memory. */
DuplicateTable *duplicate_table_create(uint64_t slots, const DataFormat *format, TabiaError *error);
void duplicate_table_destroy(DuplicateTable *t); /* null is allowed */

/* Adds the position. True if the table held it already. */
bool duplicate_table_add(DuplicateTable *t, const Position *p);

/* Adds the positions of a file; a file of 0 bytes is not read. False with an error. */
bool duplicate_table_add_file(DuplicateTable *t, const char *path, const DataFormat *format, uint64_t bytes,
                              TabiaError *error);
