/* SPDX-License-Identifier: MIT */
/* The position that a request names: `fen` (missing: the start position), and `moves` played from there. */
#pragma once
#include "rules/movegen.h"
#include "serve/http.h"

enum { SERVED_MOVES_MAX = 1000 };

typedef struct {
    Position start, end;
    Move moves[SERVED_MOVES_MAX];
    unsigned n;
} ServedGame;

/* False: the error says what is wrong with the position or with which move. */
bool served_game_read(ServedGame *game, const HttpRequest *request, TabiaError *error);

/* Answers with that line: the position after each move, and what may be played at its end. A route's `answer`. */
void served_game_answer(void *unused, HttpRequest *request);
