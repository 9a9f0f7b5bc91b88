/* SPDX-License-Identifier: MIT */
/* What a searching thread does from the root. Private to src/search. */
#pragma once
#include "worker.h"

/* Iterative deepening, until a limit or a stop. */
void iterate(Worker *w);
