/* SPDX-License-Identifier: MIT */
/* What the formats of shogi remember from one record to the next, beside what those of every game do (data/decode.h,
   data/encode.h). All zero before the first record. */
#pragma once
#include <stdbool.h>

#include "rules/position.h"

enum { GAME_RECORD_PLIES = 2048 };

/* How far the position is that a game begins with. */
typedef enum { GAME_START_NONE, GAME_START_PLACING, GAME_START_READY } GameStartStage;

/* csa: the game whose records are being read, all of it, because its result stands at its end. */
typedef struct {
    GameStartStage stage;
    Position start, last; /* before its first move, after its last */
    Move move[GAME_RECORD_PLIES];
    int16_t score[GAME_RECORD_PLIES]; /* of the side to move */
    bool has_score[GAME_RECORD_PLIES];
    unsigned count, next; /* moves; the one whose record is read next */
} FormatDecoderState;

typedef struct {
    bool none;
} FormatEncoderState;
