/* SPDX-License-Identifier: MIT */
/*
 * A search whose lines are sent as they come. One at a time: another request takes it over, and it ends when nobody reads it
 * any more. All functions belong to the server's thread.
 *
 *     event line    a principal variation: number, depth, score (of the side to move, in centipawns) or mate (in plies),
 *                   chances, nodes, milliseconds, hashfull, moves
 *     event ready   how the search is made: threads, bytes of the table
 *     event done    the search has ended by itself, or (stopped) another took its place
 */
#pragma once
#include "serve/http.h"

typedef struct Analysis Analysis;

/* The table is made when the first search begins. NULL: no memory. */
Analysis *analysis_create(uint64_t hash_bytes, unsigned threads);
/* Ends the search, and frees everything. NULL is allowed. */
void analysis_destroy(Analysis *a);
/* Ends a search that nobody reads. Called whenever the server has worked. */
void analysis_look_after(Analysis *a);
/* A route's `answer`: the position, `lines`, how many are wanted, and `nodes`, after which it ends (else it does not). */
void analysis_answer(void *analysis, HttpRequest *request);
/* A route's `answer`: does a search run? */
void analysis_answer_state(void *analysis, HttpRequest *request);
