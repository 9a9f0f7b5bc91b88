/* SPDX-License-Identifier: MIT */
/* What the network is fitted to: positions as its inputs see them, with result and score, 32 bytes each. */
#pragma once
#include <stddef.h>

#include "data/source.h"
#include "eval/network.h"

typedef struct {
    Bits men;         /* occupied squares */
    uint8_t kind[16]; /* of each in their order, in four bits: owner * 8 + kind */
    int16_t score;    /* of the side to move, centipawns */
    uint8_t turn;
    uint8_t result; /* of the side to move: 0, 1, 2 half points */
    uint32_t unused;
} Board;

typedef struct {
    Board *board;
    size_t n, room;
    uint64_t read; /* records of the files, kept or not */
} Boards;

/* Castlings and clocks are lost on the way. */
Board board_make(const Position *p, int score, int result);
Position board_position(const Board *b);

/* Begin with *b all 0. False: no memory. */
bool boards_add(Boards *b, const Position *p, int score, int result);

/* Reads training data into *b, which needs no beginning, up to the end or a stop. Kept are positions whose evaluation
   is not about to change by force, as for the weights (samples.h), but decided ones too; that there are none is an error
   of the input. Free *b in any case. */
DataOutcome boards_read(Boards *b, DataSource *source, TabiaError *error);
void boards_free(Boards *b);

/* The inputs of a board, for the side to move and for the other. */
typedef struct {
    uint16_t input[2][32];
    int n;
} BoardInputs;
void board_inputs(const Board *b, BoardInputs *in);
