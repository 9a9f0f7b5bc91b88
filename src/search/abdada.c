/* SPDX-License-Identifier: MIT */
/* The claims of the moves being searched (abdada.h). */
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "tabia/claims.h"
#include "worker.h"

const char *smp_mode_name(SmpMode mode) {
    static const char *const names[SMP_MODES] = {[SMP_LAZY] = "lazy",
                                                 [SMP_ABDADA] = "abdada",
                                                 [SMP_BOTH] = "both",
                                                 [SMP_TABLE] = "table",
                                                 [SMP_SPLIT] = "split"};
    assert(mode < SMP_MODES);
    return names[mode];
}

/* ---- the table ---- */

uint16_t claim_worker_number(const Search *s, unsigned thread) {
    const SearchPeers *p = s->claim_peers;
    return p ? p->claim_worker(p->context, thread) : tabia_claim_worker(s->claims);
}

static void number_workers(const Search *s) {
    for (unsigned i = 0; i < s->workers; i++) s->worker[i]->claim_worker = claim_worker_number(s, i);
}

void claims_destroy(Search *s) {
    if (!s->claim_peers) tabia_table_destroy(s->claims);
    s->claims = NULL;
    s->claim_peers = NULL;
}

static bool make_claims(Search *s, const char *name, TabiaError *error) {
    const TabiaOptions options = {.type = TABIA_CLAIMS,
                                  .bytes = CLAIMS_BYTES,
                                  .threads = 1,
                                  .identity = SEARCH_IDENTITY,
                                  .name = name[0] ? name : NULL};
    TabiaTable *table;
    if (tabia_table_create(&table, &options, error)) return false;
    claims_destroy(s);
    s->claims = table;
    snprintf(s->claims_name, sizeof s->claims_name, "%s", name);
    number_workers(s);
    return true;
}

static void take_peers_claims(Search *s, const SearchPeers *peers) {
    claims_destroy(s);
    s->claims = peers->claims, s->claim_peers = peers;
    number_workers(s);
}

bool claims_configure(Search *s, const SearchSettings *settings, TabiaError *error) {
    const char *shared = settings->table_name;
    char name[sizeof s->claims_name] = "";
    const bool wanted = smp_claims_moves(settings->smp_mode), have_peers = settings->peers && settings->peers->claims;
    if (wanted && have_peers) return take_peers_claims(s, settings->peers), true;
    if (!wanted || (settings->threads == 1 && !shared)) return claims_destroy(s), true;
    if (shared) snprintf(name, sizeof name, "%.255s.claims", shared);
    const bool have = s->claims && !s->claim_peers && !strcmp(name, s->claims_name);
    return have || make_claims(s, name, error);
}

/* ---- claims ---- */

uint64_t claim_now(void) {
    return (uint64_t)(tabia_clock_wall() * 1e6);
}

bool claim_is_taken(const Worker *w, const StackFrame *f, Move m) {
    const Search *s = w->search;
    const TabiaClaim c = tabia_claim_check(s->claims, claim_key(f->key, m), claim_now(), s->claim_lease);
    return c.worker && c.worker != w->claim_worker;
}

static bool try_claim(const Worker *w, const StackFrame *f, int depth, uint64_t now) {
    const Search *s = w->search;
    return tabia_claim_try(s->claims, f->claim, (unsigned)depth, w->claim_worker, now, s->claim_lease);
}

static void tell_claim(const Worker *w, StackFrame *f) {
    const SearchPeers *p = w->search->claim_peers;
    f->claim_told =
        p && f->claim_depth >= p->claim_depth && p->claim(p->context, f->claim, f->claim_depth, w->claim_worker);
}

static void renew_claims(Worker *w, StackFrame *end, uint64_t now) {
    for (StackFrame *f = stack_frame(w, 0); f < end; f++) {
        if (f->claim_depth) try_claim(w, f, f->claim_depth, now);
        if (f->claim_told) tell_claim(w, f);
    }
    w->claims_renewed_at = now;
}

void claim_move(Worker *w, StackFrame *f, Move m, int depth) {
    const uint64_t now = claim_now();
    assert(depth > 0);
    f->claim = claim_key(f->key, m);
    f->claim_depth = try_claim(w, f, depth, now) ? depth : 0;
    tell_claim(w, f);
    if (now - w->claims_renewed_at > w->search->claim_lease / CLAIM_RENEWALS) renew_claims(w, f, now);
}

void claim_release(Worker *w, StackFrame *f) {
    const Search *s = w->search;
    if (f->claim_depth) tabia_claim_release(s->claims, f->claim, w->claim_worker);
    if (f->claim_told) s->claim_peers->release(s->claim_peers->context, f->claim, w->claim_worker);
    f->claim_depth = 0, f->claim_told = false;
}
