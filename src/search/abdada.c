/* SPDX-License-Identifier: MIT */
/* The claims of the moves being searched (abdada.h). */
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "tabia/claims.h"
#include "worker.h"

/* ---- the table ---- */

static bool make_claims(Search *s, const char *name, TabiaError *error) {
    const TabiaOptions options = {.type = TABIA_CLAIMS,
                                  .bytes = CLAIMS_BYTES,
                                  .threads = 1,
                                  .identity = SEARCH_IDENTITY,
                                  .name = name[0] ? name : NULL};
    TabiaTable *table;
    if (tabia_table_create(&table, &options, error)) return false;
    tabia_table_destroy(s->claims);
    s->claims = table;
    snprintf(s->claims_name, sizeof s->claims_name, "%s", name);
    for (unsigned i = 0; i < s->workers; i++) s->worker[i]->claim_worker = tabia_claim_worker(table);
    return true;
}

bool claims_configure(Search *s, const SearchSettings *settings, TabiaError *error) {
    const char *shared = settings->table_name;
    char name[sizeof s->claims_name] = "";
    if (settings->smp_mode != SMP_ABDADA || (settings->threads == 1 && !shared)) {
        tabia_table_destroy(s->claims);
        s->claims = NULL;
        return true;
    }
    if (shared) snprintf(name, sizeof name, "%.255s.claims", shared);
    return (s->claims && !strcmp(name, s->claims_name)) || make_claims(s, name, error);
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

static void renew_claims(Worker *w, const StackFrame *end, uint64_t now) {
    for (const StackFrame *f = stack_frame(w, 0); f < end; f++)
        if (f->claim_depth) try_claim(w, f, f->claim_depth, now);
    w->claims_renewed_at = now;
}

void claim_move(Worker *w, StackFrame *f, Move m, int depth) {
    const uint64_t now = claim_now();
    assert(depth > 0);
    f->claim = claim_key(f->key, m);
    f->claim_depth = try_claim(w, f, depth, now) ? depth : 0;
    if (now - w->claims_renewed_at > w->search->claim_lease / CLAIM_RENEWALS) renew_claims(w, f, now);
}

void claim_release(Worker *w, StackFrame *f) {
    if (f->claim_depth) tabia_claim_release(w->search->claims, f->claim, w->claim_worker);
    f->claim_depth = 0;
}
