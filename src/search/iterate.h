/* SPDX-License-Identifier: MIT */
/* What a searching thread does from the root. Private to src/search. */
#pragma once
#include "worker.h"

/* Iterative deepening, until a limit or a stop. */
void iterate(Worker *w);
/* The same for a mate by checks, on the first worker alone. */
void mate_search(Worker *w);
