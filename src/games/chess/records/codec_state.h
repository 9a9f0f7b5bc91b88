/* SPDX-License-Identifier: MIT */
/* What the formats of chess remember from one record to the next, beside what those of every game do (data/decode.h,
   data/encode.h). All zero before the first record. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/position.h"

enum { PGN_PLIES = 8192 };

/* pgn: a move of the game whose records are being read. */
typedef struct {
    uint64_t offset, line; /* bytes behind the game's first one; of its comment's end */
    int32_t score;         /* of the side to move */
    Move move;
    bool beyond_range; /* the evaluation is no score */
} PgnMove;

typedef struct {
    int16_t opening_eval;     /* viri: of the first record of the game */
    bool unused;              /* viri: the unused byte of the game's board is set */
    uint8_t castling_rook[4]; /* monty: squares of the rooks that may castle, white's queenside and kingside, black's */
    int16_t expected_score;   /* binpack: the score that a difference of 0 encodes */
    unsigned plies_left;      /* binpack: in the chain */
    unsigned bit_offset;      /* binpack: bits of the current byte that have been read, 0 to 7 */
    uint64_t chunk_end;       /* binpack: offset of the end of the chunk, in bytes */
    PgnMove move[PGN_PLIES];
    unsigned moves, next;  /* pgn: of the game, and the one whose record is read next */
    Position start;        /* pgn: before the first move */
    uint64_t game_offset;  /* pgn: of the first byte of the game */
    int white_score;       /* pgn: of the position of the next move, for white, or DATA_SKIP_SCORE */
    uint64_t skipped_from; /* pgn: where what is neither move nor tag began */
    unsigned line_ends;    /* pgn: line ends before the next character with nothing but blanks between them */
    bool blank_line;       /* pgn: there was one since the tags, outside comments */
    bool in_line;          /* pgn: the last character ended no line */
} FormatDecoderState;

/* All of binpack. */
typedef struct {
    bool in_chunk;
    size_t chunk_start;      /* offset of the open chunk in the encoder's bytes, while in_chunk */
    size_t ply_count_offset; /* likewise of the open chain's ply count, while in a game */
    unsigned ply_count, bit_offset;
    int16_t expected_score; /* the score that a difference of 0 encodes */
    unsigned column;        /* pgn: of the line of moves */
} FormatEncoderState;
