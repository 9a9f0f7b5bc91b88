/* SPDX-License-Identifier: MIT */
/*
 * Games in KIF, in UTF-8, as Kifu for Windows and ShogiGUI write them, with the scores that floodgate puts into comments.
 *
 * Threads: no shared state; any thread may call any function, with an encoder or a file of its own.
 */
#pragma once
#include <stdio.h>

#include "data/encode.h"

/* As `write` and `end_game` of a DataFormat. */
void kif_write_record(DataEncoder *e, const DataRecord *r);
void kif_end_game(DataEncoder *e);

/* The solution of a mate problem: a position and the moves to the mate. False only if out of memory; what cannot be written is
   seen by ferror. */
bool kif_write_solution(FILE *file, const Position *p, const Move *moves, unsigned n, TabiaError *error);
