/* SPDX-License-Identifier: MIT */
/*
 * Moves in 16 bits, as formats write them: to in bits 0 to 6, from in bits 7 to 13, of which no program writes 81 or more
 * but for drops. There are three encodings, and files of one are read wrongly by programs that expect another:
 *
 *   YaneuraOu   0x8000 promotes; 0x4000 drops, with P1 L2 N3 S4 B5 R6 G7 in the place of `from`   psv, pack
 *   Apery       0x4000 promotes; drops come from 81 + P0 L1 N2 S3 B4 R5 G6                       hcpe, hcpe3
 *   mixed       0x8000 promotes; drops as Apery's                         psv that some versions of rshogi wrote
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "rules/movegen.h"

typedef enum { MOVE16_YANEURAOU, MOVE16_APERY, MOVE16_MIXED, MOVE16_ENCODINGS } Move16Encoding;

unsigned move16_encode(Move16Encoding encoding, Move m);

/* The legal move that a code means; 0 is no move, and good. False with an error for any other, which says so where the code
   is a legal move in another encoding. */
bool move16_decode(Move16Encoding encoding, const Position *p, unsigned code, Move *m, TabiaError *error);
