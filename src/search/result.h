/* SPDX-License-Identifier: MIT */
/* Root moves, and the result that is reported of them. Private to src/search. */
#pragma once
#include "search.h"

typedef struct Worker Worker;

/* A root move and its result. */
typedef struct {
    Move move;
    int score, previous_score;
    TabiaBound bound;
    int depth, selective_depth;
    uint64_t nodes;
    Move pv[PLY_MAX + 1];
    unsigned pv_length;
} RootMove;

/* After the search: reports the result to the listener. */
void result_announce(Search *s);

/* Reports the worker's principal variation with that number, from 0, if the listener wants reports. */
void worker_report(const Worker *w, unsigned number, int depth);
/* Reports the root move that is searched next; before it `searched` others of this iteration were. */
void worker_report_move(const Worker *w, Move m, int searched);
