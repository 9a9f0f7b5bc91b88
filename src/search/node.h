/* SPDX-License-Identifier: MIT */
/* What is known of a node while it is searched. Private to node.c and prune.c. */
#pragma once
#include "margins.h"
#include "worker.h"

typedef struct {
    Worker *w;
    Frame *f;
    int ply, alpha, beta, depth;
    bool pv, cut, improving, asked; /* asked: other processes, of this position */
    TabiaHit hit;
    int table_score; /* SCORE_NONE: not usable */
    int estimate;    /* the evaluation, or the table's score where it says more */
    int best;
    Move best_move;
    int tried; /* moves searched */
    Move quiet[64], capture[32];
    unsigned quiets, captures;
    OrderHints hints;
    Picker *picker;
} Node;

/* Is the node so good or so bad that no full search is needed? Then *score is its value. */
bool node_prune(Node *n, int *score);
