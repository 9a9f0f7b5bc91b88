/* SPDX-License-Identifier: MIT */
/* The messages of a searching thread to other processes (peers.h). */
#include "peers_calls.h"
#include "worker.h"

/* Nodes between two calls of serve: about 20 microseconds. */
enum { SERVE_NODES = 32 };

void peers_store(Worker *w, const StackFrame *f, const TabiaEntry *e, int depth) {
    const SearchPeers *p = w->search->settings.peers;
    if (depth < p->store_depth) return;
    p->store(p->context, game_table_key(f->key), f->path_key, *e);
}

bool peers_request(Worker *w, const StackFrame *f, const TabiaHit *hit, int depth) {
    const SearchPeers *p = w->search->settings.peers;
    if (depth < p->request_depth || f->excluded || (hit->score_ok && hit->entry.draft >= depth)) return false;
    p->request(p->context, game_table_key(f->key), depth);
    return true;
}

void peers_serve(Worker *w) {
    const SearchPeers *p = w->search->settings.peers;
    if (atomic_load_explicit(&w->nodes, memory_order_relaxed) % SERVE_NODES == 0)
        p->serve(p->context, w->search, w->number);
}
