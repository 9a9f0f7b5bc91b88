/* SPDX-License-Identifier: MIT */
/*
 * Records as text, as YaneuraOu's and Stockfish's tools write them. A record is six lines, score and result for the side
 * to move:
 *
 *   fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
 *   move e2e4
 *   score 10
 *   ply 0
 *   result 1
 *   e
 *
 * The lines of a record may be in any order, with blank lines and carriage returns, but each once. The lengths of lines,
 * of records and of what is skipped are limited, so that reading ends for any input. The game's format plain is made of
 * this.
 */
#pragma once
#include "data/decode.h"
#include "data/encode.h"

/* What differs between games; each has its own. */
typedef struct {
    const char *position, *no_move; /* "fen", and the move of a record without one */
    unsigned first_ply;             /* as the text counts it, of the start position; a record's is 0 */
    bool (*parse)(Position *p, const char *text, TabiaError *error);
} PlainVariant;
extern const PlainVariant plain_variant;

/* As `read`, `resync` and `write` of a DataFormat. */
int plain_read(DataDecoder *d, DataRecord *r, TabiaError *error);
int plain_resync(DataDecoder *d, TabiaError *error);
void plain_write(DataEncoder *e, const DataRecord *r);
