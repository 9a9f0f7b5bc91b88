/* SPDX-License-Identifier: MIT */
/* Lifecycle of the distributed engine, and the UCI loop of each rank. */
#include "distributed_engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "distributed_engine_internal.h"

enum { INITIAL_TABLE_BYTES = 16 << 20 }; /* the default of the option Hash */
static const double quit_timeout = 2;    /* seconds */

static void sleep_briefly(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
}

/* ---- hooks of the engine ---- */

static bool is_go(const char *line) {
    line += strspn(line, " \t");
    return strncmp(line, "go", 2) == 0 && strchr(" \t\r\n", line[2]);
}

/* The search begins before the command is broadcast, so that messages about it are accepted. */
static void broadcast_line(void *context, const char *line) {
    DistributedEngine *d = context;
    if (is_go(line)) remote_ranks_search_begins(d);
    if (d->rank) return;
    const size_t n = strcspn(line, "\r\n");
    char *copy = malloc(n + 1);
    if (!copy) abort(); /* without this command the ranks would search different positions */
    memcpy(copy, line, n);
    copy[n] = '\n';
    progress_broadcast(d, copy, n + 1);
    free(copy);
}

/* Empty, as another size makes the table of one process: quit does not wait for what is moved. */
static bool resize(void *context, uint64_t bytes, TabiaError *error) {
    DistributedEngine *d = context;
    TabiaError cause;
    tabia_table_clear(d->table);
    if (tabia_cluster_resize(d->cluster, bytes, NULL, &cause) == TABIA_OK) return true;
    return tabia_fail(error, "rank %u: %s", d->rank, cause.text);
}

/* ---- initialisation ---- */

static bool create_cluster(DistributedEngine *d, TabiaError *error) {
    const uint64_t identity = search_table_identity(EVALUATION_NETWORK, d->options.network);
    /* Memory is provided when it is used: quit does not wait for it, nor does a message, for the lock. */
    const TabiaOptions table = {.bytes = INITIAL_TABLE_BYTES, .identity = identity, .touch = TABIA_TOUCH_LATER};
    if (tabia_table_create(&d->table, &table, error)) return false;
    const TabiaClusterOptions options = {.configuration = d->options.program,
                                         .timeout = d->options.timeout,
                                         .batching_delay = d->options.batching_delay,
                                         .receive = remote_ranks_receive,
                                         .context = d};
    if (tabia_cluster_create(&d->cluster, d->options.transport, d->table, &options, error)) return false;
    d->rank = tabia_cluster_rank(d->cluster), d->ranks = tabia_cluster_ranks(d->cluster);
    return true;
}

/* Waits until all ranks have arrived, and run the same program. */
static bool wait_until_ready(DistributedEngine *d, TabiaError *error) {
    int ready;
    while (!(ready = tabia_cluster_ready(d->cluster, error))) {
        tabia_cluster_poll(d->cluster);
        sleep_briefly();
    }
    if (ready > 0) return true;
    /* The others must receive the verdict. */
    for (int i = 0; i < 100 && !tabia_cluster_flush(d->cluster); i++) sleep_briefly();
    return false;
}

static bool create_engine(DistributedEngine *d, FILE *out, TabiaError *error) {
    d->hooks = (EngineHooks){.context = d,
                             .table = d->table,
                             .peers = &d->peers,
                             .network = d->options.network,
                             .is_follower = d->rank != 0,
                             .command = broadcast_line,
                             .resize = resize,
                             .summary = remote_ranks_summary};
    Engine *e = engine_create(out, &d->hooks, error);
    atomic_store(&d->engine, e);
    return e != NULL;
}

/* ---- the UCI loop ---- */

/* tabia_cluster_silence() takes the lock: after that no thread that receives a message uses the engine any more. */
static void destroy_engine(DistributedEngine *d) {
    Engine *e = atomic_exchange(&d->engine, NULL);
    tabia_cluster_silence(d->cluster, d->rank);
    engine_destroy(e);
}

/* Broadcasts the end, and waits until it has been sent to all, or for quit_timeout. */
static void quit_all(DistributedEngine *d) {
    if (!d->rank) {
        const bool missing = atomic_load(&d->ranks_missing);
        progress_broadcast(d, missing ? "quit alone\n" : "quit\n", missing ? 11 : 5);
    }
    const double until = tabia_cluster_now(d->cluster) + quit_timeout;
    while (tabia_cluster_now(d->cluster) < until &&
           !((d->rank || atomic_load(&d->progress.delivered)) && tabia_cluster_flush(d->cluster)))
        sleep_briefly();
    if (!d->rank && !atomic_load(&d->progress.delivered)) atomic_store(&d->ranks_missing, true);
}

static bool run_uci(DistributedEngine *d, TabiaError *error) {
    FILE *in = d->options.in, *out = d->options.out;
    bool good = true;
    if (d->rank) {
        in = fdopen(d->progress.pipe[0], "r");
        out = fopen("/dev/null", "w");
        if (!in || !out) good = tabia_fail(error, "rank %u: cannot open a file", d->rank);
    }
    good = good && create_engine(d, out, error);
    if (good) engine_loop(atomic_load(&d->engine), in);
    destroy_engine(d);
    quit_all(d);
    if (d->rank && in) fclose(in);
    if (d->rank && out) fclose(out);
    return good;
}

static void distributed_engine_free(DistributedEngine *d) {
    tabia_cluster_destroy(d->cluster);
    tabia_table_destroy(d->table);
    remote_ranks_release(d);
    progress_release(d);
    free(d);
}

static DistributedEngineOptions with_defaults(const DistributedEngineOptions *options) {
    DistributedEngineOptions o = *options;
    if (o.timeout <= 0) o.timeout = 30;
    if (o.batching_delay <= 0) o.batching_delay = 500e-6;
    if (!o.store_depth) o.store_depth = 5;
    if (!o.probe_depth) o.probe_depth = 5;
    return o;
}

bool distributed_engine_run(const DistributedEngineOptions *options, bool *orderly, TabiaError *error) {
    DistributedEngine *d = calloc(1, sizeof *d);
    *orderly = false;
    if (!d) return tabia_fail(error, "no memory to begin with");
    d->options = with_defaults(options);
    progress_init(d);
    remote_ranks_init(d);
    bool good = create_cluster(d, error) && remote_ranks_allocate(d, error) && wait_until_ready(d, error) &&
                progress_thread_start(d, error);
    *orderly = !good && error->code == TABIA_ERROR_FOREIGN; /* all have the verdict */
    if (good) {
        good = run_uci(d, error);
        progress_thread_stop(d);
        if (atomic_load(&d->rank_0_lost))
            good = tabia_fail(error, "rank 0 has been silent for %.3g seconds", d->options.timeout);
        *orderly = good && !atomic_load(&d->ranks_missing);
    }
    distributed_engine_free(d);
    return good;
}
