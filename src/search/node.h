/* SPDX-License-Identifier: MIT */
/* Nodes of the search, and the state of one while it is searched. Private to src/search. */
#pragma once
#include "margins.h"
#include "worker.h"

/* The moves that were searched without a cutoff, the first of them. */
typedef struct {
    Move quiet[64], capture[32];
    unsigned quiets, captures;
} TriedMoves;

typedef struct Node {
    Worker *w;
    StackFrame *f;
    int ply, alpha, beta, depth;
    bool is_pv, cut_node, improving, peers_requested; /* requested: from other processes */
    TabiaHit hit;
    int table_score; /* SCORE_NONE: not usable */
    int estimate;    /* the evaluation, or the table score if that is the better bound */
    int best;
    Move best_move;
    int move_count; /* moves searched so far */
    TriedMoves tried;
    OrderingHints hints;
    MovePicker *picker;
    SplitPoint *split; /* that it is a copy of the node of, or NULL */
} Node;

/* Can the node be pruned without a full search? Then *score is its value. */
bool node_prune(Node *n, int *score);

/* A bonus or malus for the move before, by what it changed in the evaluation (Stockfish, Michael Chaly, 2020). */
void node_update_by_evaluation(const Node *n);
/* At the end: a cutoff is a bonus for its move and a malus for those before it; where every move failed low, the bonus is for the move
   that led here (Stockfish, before 2018). */
void node_update_histories(Node *n);

/* The inputs of the move ordering. */
void node_set_hints(Node *n);
/*
 * Is the move excluded: by a singular search, or at the root not in searchmoves or already the first move of a better
 * line?
 */
bool node_excludes_move(const Node *n, Move m);
/* True: the node is done. Of a split point: with its lock, which is free while the move is searched. */
bool node_search_move(Node *n, Move m, int ordering_score);

/* The value of *f within (alpha, beta), searched to `depth` plies. cut: an expected cut node. */
int node_search(Worker *w, StackFrame *f, int alpha, int beta, int depth, bool cut);
int quiescence_search(Worker *w, StackFrame *f, int alpha, int beta);
