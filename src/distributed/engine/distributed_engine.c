/* SPDX-License-Identifier: MIT */
/* An engine on ranks from its beginning to its end. */
#include "distributed_engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

enum { FIRST_BYTES = 16 << 20 }; /* the option Hash's default */
static const double parting_patience = 2;

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
}

/* ---- what the engine calls ---- */

static bool is_go(const char *line) {
    line += strspn(line, " \t");
    return strncmp(line, "go", 2) == 0 && strchr(" \t\r\n", line[2]);
}

/* The search begins before the others are told, so that what they say of it is understood. */
static void tell(void *context, const char *line) {
    Ensemble *r = context;
    if (is_go(line)) ensemble_search_begins(r);
    if (r->rank) return;
    const size_t n = strcspn(line, "\r\n");
    char *copy = malloc(n + 1);
    if (!copy) abort(); /* the others would do something else than this rank */
    memcpy(copy, line, n);
    copy[n] = '\n';
    ensemble_say(r, copy, n + 1);
    free(copy);
}

static bool resize(void *context, uint64_t bytes, Fault *fault) {
    Ensemble *r = context;
    TabiaReason why;
    if (tabia_cluster_resize(r->cluster, bytes, NULL, &why) == TABIA_OK) return true;
    return tabia_fault(fault, "rank %u: %s", r->rank, why.text);
}

/* ---- beginning ---- */

static bool make_cluster(Ensemble *r, Fault *fault) {
    const TabiaClusterOptions options = {.setup = r->wish.program,
                                         .patience = r->wish.patience,
                                         .linger = r->wish.linger,
                                         .receive = ensemble_receive,
                                         .context = r};
    TabiaReason why;
    if (tabia_table_create(&r->table, &(TabiaOptions){.bytes = FIRST_BYTES, .identity = search_table_identity()},
                           &why) ||
        tabia_cluster_create(&r->cluster, r->wish.transport, r->table, &options, &why))
        return tabia_fault(fault, "%s", why.text);
    r->rank = tabia_cluster_rank(r->cluster), r->ranks = tabia_cluster_ranks(r->cluster);
    return true;
}

static bool make_colleagues(Ensemble *r, Fault *fault) {
    r->colleague = calloc(r->ranks, sizeof *r->colleague);
    for (unsigned i = 0; r->colleague && !r->rank && i < r->ranks; i++)
        if (!(r->colleague[i].answer = calloc(1, sizeof(Answer)))) return tabia_fault(fault, "no memory for the ranks");
    return r->colleague || tabia_fault(fault, "no memory for the ranks");
}

/* All ranks run the same program, and have answered. */
static bool agree(Ensemble *r, Fault *fault) {
    TabiaReason why;
    int verdict;
    while (!(verdict = tabia_cluster_ready(r->cluster, &why))) {
        tabia_cluster_poll(r->cluster);
        rest();
    }
    if (verdict > 0) return true;
    for (int i = 0; i < 100 && !tabia_cluster_flush(r->cluster); i++) rest(); /* the others are told as well */
    return tabia_fault(fault, "%s", why.text);
}

static bool make_engine(Ensemble *r, FILE *out, Fault *fault) {
    r->allies = (EngineAllies){.context = r,
                               .table = r->table,
                               .peers = &r->peers,
                               .follows = r->rank != 0,
                               .line = tell,
                               .resize = resize,
                               .summary = ensemble_summary};
    Engine *e = engine_create(out, &r->allies, fault);
    atomic_store(&r->engine, e);
    return e != NULL;
}

/* ---- the conversation ---- */

/* After this nobody who hears a message stops an engine that is gone: the lock has been free once. */
static void end_engine(Ensemble *r) {
    Engine *e = atomic_exchange(&r->engine, NULL);
    tabia_cluster_alive(r->cluster, r->rank);
    engine_destroy(e);
}

/* The last words, until they have arrived or nobody can be waited for any longer. */
static void part(Ensemble *r) {
    if (!r->rank) {
        const bool alone = atomic_load(&r->alone);
        ensemble_say(r, alone ? "quit alone\n" : "quit\n", alone ? 11 : 5);
    }
    const double until = tabia_cluster_now(r->cluster) + parting_patience;
    while (tabia_cluster_now(r->cluster) < until && !(atomic_load(&r->arrived) && tabia_cluster_flush(r->cluster)))
        rest();
    if (!atomic_load(&r->arrived)) atomic_store(&r->alone, true);
}

static bool converse(Ensemble *r, Fault *fault) {
    FILE *in = r->wish.in, *out = r->wish.out;
    bool good = true;
    if (r->rank) {
        in = fdopen(r->pipe[0], "r");
        out = fopen("/dev/null", "w");
        if (!in || !out) good = tabia_fault(fault, "rank %u: no file to be had", r->rank);
    }
    good = good && make_engine(r, out, fault);
    if (good) engine_converse(atomic_load(&r->engine), in);
    end_engine(r);
    part(r);
    if (r->rank && in) fclose(in);
    if (r->rank && out) fclose(out);
    return good;
}

static void free_all(Ensemble *r) {
    tabia_cluster_destroy(r->cluster);
    tabia_table_destroy(r->table);
    for (unsigned i = 0; r->colleague && i < r->ranks; i++) free(r->colleague[i].answer);
    free(r->colleague);
    free(r);
}

bool ensemble_run(const EnsembleWish *wish, bool *all_well, Fault *fault) {
    Ensemble *r = calloc(1, sizeof *r);
    *all_well = false;
    if (!r) return tabia_fault(fault, "no memory to begin with");
    r->wish = *wish;
    if (r->wish.patience <= 0) r->wish.patience = 30;
    if (r->wish.linger <= 0) r->wish.linger = 500e-6;
    if (!r->wish.store_depth) r->wish.store_depth = 5;
    if (!r->wish.ask_depth) r->wish.ask_depth = 5;
    ensemble_inbox_begin(r);
    ensemble_peers_begin(r); /* before the pump, which adapts them */
    bool good = make_cluster(r, fault) && make_colleagues(r, fault) && agree(r, fault) && ensemble_pump_begin(r, fault);
    if (good) {
        good = converse(r, fault);
        ensemble_pump_end(r);
        *all_well = good && !atomic_load(&r->alone);
    }
    free_all(r);
    return good;
}
