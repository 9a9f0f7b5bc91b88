/* SPDX-License-Identifier: MIT */
/* What a searching thread says to other processes, and asks them (peers.h). */
#include "worker.h"

/* Nodes between two looks at the clock of messages: some twenty microseconds. */
enum { SERVE_NODES = 32 };

void peers_store(Worker *w, const Frame *f, const TabiaEntry *e, int depth) {
    const SearchPeers *p = w->search->settings.peers;
    if (depth < atomic_load_explicit(&p->store_depth, memory_order_relaxed)) return;
    p->store(p->context, game_table_key(f->key), f->path, *e, depth);
}

bool peers_ask(Worker *w, const Frame *f, const TabiaHit *hit, int depth) {
    const SearchPeers *p = w->search->settings.peers;
    if (depth < p->ask_depth || f->excluded || (hit->score_ok && hit->entry.draft >= depth)) return false;
    p->ask(p->context, game_table_key(f->key), depth);
    return true;
}

void peers_serve(Worker *w) {
    const SearchPeers *p = w->search->settings.peers;
    if (atomic_load_explicit(&w->nodes, memory_order_relaxed) % SERVE_NODES == 0)
        p->serve(p->context, w->search, w->number);
}
