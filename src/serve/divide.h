/* SPDX-License-Identifier: MIT */
/*
 * A perft, counted below each move while it is watched: event `counts` about five times a second, with the part of the work
 * that is done and the counts so far, and `done` with those of all.
 */
#pragma once
#include "serve/http.h"

enum { DIVIDE_DEPTH_MAX = 20 };

typedef struct DivideTask DivideTask;

/* The table of a count, and its threads. NULL: no memory. */
DivideTask *divide_task_create(uint64_t hash_bytes, unsigned threads);
/* NULL is allowed. */
void divide_task_destroy(DivideTask *d);
/* A route's `answer`: the position, and `depth`. */
void divide_task_answer(void *divide, HttpRequest *request);
