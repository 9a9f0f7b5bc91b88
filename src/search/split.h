/* SPDX-License-Identifier: MIT */
/*
 * Split points: nodes whose moves several threads search. All threads are in the iteration of the first, and search one
 * tree. The first move of a node is searched by one thread alone, since it most often decides what the others are worth
 * (the Young Brothers Wait Concept: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree search", 1989). Then
 * the node is open: a thread without work takes moves of it too. It chooses the highest node of all that are open, so
 * that threads meet seldom.
 *
 * A cutoff ends the work of all threads below the node, and what they leave stores nothing. An owner waits for those
 * that still search its last moves, and meanwhile joins split points below its own (the helpful master).
 */
#pragma once
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "game.h"

typedef struct Worker Worker;
typedef struct Node Node;
typedef struct SplitPoint SplitPoint;

enum {
    SPLIT_DEPTH = 4,   /* the least depth of a node that is shared */
    SPLIT_POINTS = 96, /* of a worker at once */
};

/* The lock guards what is not atomic, the node's results and picker, and the owner's stack down to the node. */
struct SplitPoint {
    _Alignas(64) atomic_bool locked;
    atomic_bool cut;             /* the node is decided */
    atomic_int worth;            /* to a thread without work; 0: none, since no move is left */
    atomic_uint helpers;         /* workers at it, without the owner */
    _Atomic(SplitPoint *) outer; /* the innermost one that the owner was at, or NULL */
    Node *node;                  /* the owner's, with the results of all */
    Worker *owner;
    int iteration, null_ply; /* of the owner */
    int selective_depth;     /* of the helpers */
};

/* Is it time to share the moves of the node that are left? */
bool split_is_due(const Node *n);
/* Searches them, with the workers that have nothing else to do. */
void split_rest(Node *n);
/* The work of all threads but the first, until the search is stopped. */
void split_work(Worker *w);
/* Is a node decided that the worker is below? */
bool split_is_cut(Worker *w);

/* ---- for a node that is searched: *mine is a worker's copy of it ---- */

/* Counts the move that was made, and gives the lock back. */
void split_begin_move(const Node *mine);
/* Takes the lock, and the results of all. */
void split_end_move(Node *mine);
/* Without the lock: another worker may have raised alpha. */
void split_refresh_alpha(Node *mine);

/* ---- the steps of the above ---- */

/* *mine becomes the owner's copy of the node. */
void split_open(Node *n, Node *mine);
/* Waits for the helpers. */
void split_close(Node *mine);
/* Joins one that is below `outer` (NULL: any), and leaves it when its moves are searched. False: there is none. */
bool split_help(Worker *w, const SplitPoint *outer);
/* With the lock: no move is left, or the node is decided. */
void split_end_moves(SplitPoint *p);
void split_cut(SplitPoint *p);
