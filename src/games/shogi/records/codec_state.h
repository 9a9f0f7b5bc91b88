/* SPDX-License-Identifier: MIT */
/* What the formats of shogi remember from one record to the next, beside what those of every game do (data/decode.h,
   data/encode.h). All zero before the first record. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "rules/position.h"

enum { GAME_RECORD_PLIES = 2048 };

/* How far the lines of a game are: its start position, its moves, its end, variations behind it. */
typedef enum { GAME_START_NONE, GAME_START_PLACING, GAME_START_READY, GAME_ENDED, GAME_VARIATIONS } GameStage;

/* csa, kif: the game whose records are being read, all of it, because its result stands at its end. */
typedef struct {
    GameStage stage;
    unsigned closed;      /* lines that would begin another game: bits of a LinePart (formats/game_record.h) */
    bool has_result;      /* white_result of the decoder is that of the game */
    bool has_illegal;     /* the move read last is illegal and left out: only the loss of its side may follow */
    bool has_doubt;       /* `doubt` is the fault of the game unless a later line resolves it */
    TabiaError doubt;     /* with the number of its line */
    bool has_handicap;    /* kif: `start` is that of a handicap; it counts where no board follows */
    bool has_turn;        /* kif: a line says which side moves first */
    uint8_t turn;         /* kif: that side */
    unsigned ranks;       /* bit r: rank r of a board was read */
    unsigned rest;        /* kif: bit c: colour c has in hand all that is nowhere else */
    unsigned number;      /* kif: of the first move, less one */
    Position start, last; /* before its first move, after its last */
    Move move[GAME_RECORD_PLIES];
    uint16_t code[GAME_RECORD_PLIES]; /* pack: moves as they were read */
    int16_t score[GAME_RECORD_PLIES]; /* of the side to move */
    bool has_score[GAME_RECORD_PLIES];
    unsigned count, next; /* moves; the one whose record is read next */
} FormatDecoderState;

/* hcpe3: where the open game begins in the bytes. hcpe3, csa, kif: how many moves it has. */
typedef struct {
    size_t game_at;
    unsigned moves;
} FormatEncoderState;
