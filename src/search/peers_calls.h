/* SPDX-License-Identifier: MIT */
/* What a searching thread sends to other processes (peers.h): only where the settings have peers. Private to src/search. */
#pragma once
#include "worker.h"

void peers_store(Worker *w, const StackFrame *f, const TabiaEntry *e, int depth);
/*
 * Requests *f from other processes if `hit` is not enough for a search to `depth` and the node is deep enough. True: it
 * was requested.
 */
bool peers_request(Worker *w, const StackFrame *f, const TabiaHit *hit, int depth);
void peers_serve(Worker *w);
