/* SPDX-License-Identifier: MIT */
/* What the formats of shogi remember from one record to the next, beside what those of every game do (data/decode.h,
   data/encode.h). All zero before the first record. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "rules/position.h"

enum { GAME_RECORD_PLIES = 2048 };

/* How far the position is that a game begins with; or it has ended, and its variations are passed over. */
typedef enum { GAME_START_NONE, GAME_START_PLACING, GAME_START_READY, GAME_VARIATIONS } GameStartStage;

/* csa, kif: the game whose records are being read, all of it, because its result stands at its end. */
typedef struct {
    GameStartStage stage;
    Position start, last; /* before its first move, after its last */
    Move move[GAME_RECORD_PLIES];
    uint16_t code[GAME_RECORD_PLIES]; /* pack: moves as they were read */
    int16_t score[GAME_RECORD_PLIES]; /* of the side to move */
    bool has_score[GAME_RECORD_PLIES];
    unsigned count, next; /* moves; the one whose record is read next */
} FormatDecoderState;

/* hcpe3: where the open game begins in the bytes, and how many moves it has. */
typedef struct {
    size_t game_at;
    unsigned moves;
} FormatEncoderState;
