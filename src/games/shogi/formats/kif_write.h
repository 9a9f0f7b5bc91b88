/* SPDX-License-Identifier: MIT */
/*
 * Solutions of mate problems as games in KIF, in UTF-8, as Kifu for Windows and ShogiGUI write them.
 *
 * Threads: no shared state; any thread may call it, with a file of its own.
 */
#pragma once
#include <stdio.h>

#include "rules/position.h"

/* A position and the moves to the mate. What cannot be written is seen by ferror. */
void kif_write_solution(FILE *file, const Position *p, const Move *moves, unsigned n);
