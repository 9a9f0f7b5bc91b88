/* SPDX-License-Identifier: MIT */
/*
 * The graph-history problem: mate_loops COUNT SEED [THREADS]. Random small graphs full of loops, as a game, are solved backward from the
 * mate, which knows neither paths nor a table. The solver has to say the same. With a plain table, in which disproofs by loops
 * hold for all paths, it has to be wrong once in 200 positions, else this test shows nothing.
 *
 * Bits of the records are flipped while a third solver searches: it has to say the same. Compiled without a check of records
 * (mate_loops_unchecked) it has to be wrong at least once. With THREADS none are flipped: they share 32 records, and pause amid stores.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define TABIA_PAUSES
#include "mate/mate_worker.h"
#include "table/table_internal.h"

/* Now and then a thread gives the processor away amid a store. */
static void pause_at(PausePoint point) {
    static _Thread_local unsigned stores;
    if (point == PAUSE_BETWEEN_STORES && ++stores % 37 == 0) sched_yield();
}
#include "../../src/table/record.c"
enum { PLIES_NONE = 0xff };

/* Even nodes are the attacker's, odd ones the defender's, who often has one move only; node 1 is mate. */
static GameGraph random_graph(uint64_t *random) {
    GameGraph g = {0};
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        g.edges[i] = (uint8_t)(i == 1 ? 0 : 1 + (i % 2 ? random_below(random, 3) == 0 : random_below(random, 3)));
        for (unsigned e = 0; e < g.edges[i]; e++)
            g.to[i][e] = (uint8_t)(2 * random_below(random, GRAPH_NODES / 2) + !(i % 2));
    }
    return g;
}

/* Plies to the mate. */
typedef struct {
    uint8_t plies[GRAPH_NODES];
} Answers;

static bool is_won_in(const GameGraph *g, const Answers *a, unsigned node, unsigned plies) {
    bool any = false, all = true;
    for (unsigned e = 0; e < g->edges[node]; e++) {
        const unsigned child = a->plies[g->to[node][e]];
        any |= child < plies;
        all &= child < plies;
    }
    return node % 2 ? all : any;
}

static Answers solve_backward(const GameGraph *g) {
    Answers a;
    memset(&a, PLIES_NONE, sizeof a);
    for (unsigned plies = 0; plies <= GRAPH_NODES; plies++)
        for (unsigned i = 0; i < GRAPH_NODES; i++)
            if (a.plies[i] == PLIES_NONE && is_won_in(g, &a, i, plies)) a.plies[i] = (uint8_t)plies;
    return a;
}

typedef struct {
    unsigned wrong, unknown;
} Faults;

/* Flips bits of records; without a check, of their numbers alone, since their moves would be followed. */
typedef struct {
    TabiaTable *table;
    uint64_t random, flips;
} Damage;

static bool damage(void *context, uint64_t nodes) {
    Damage *d = context;
    (void)nodes;
    Word *word = (Word *)d->table->base;
    const uint64_t words = d->table->buckets * CACHE_LINE_WORDS;
    for (uint64_t i = random_below(&d->random, 64); i < words; i += 1 + random_below(&d->random, 64)) {
        if (!word[i] || (TABIA_CHECK == CHECK_NONE && i % (MATE_RECORD_WORDS + 1) != 1)) continue;
        word[i] ^= (uint64_t)1 << random_below(&d->random, 64);
        d->flips++;
    }
    return false;
}

/* With damage, if it is not NULL. Without a check a wrong mate need not get shorter: the first is enough. */
static void ask(MateSolver *s, const Position *p, unsigned plies, Damage *d, Faults *f) {
    const MateLimits limits = {20000, .first_found = !d && TABIA_CHECK != 0, .is_over = d ? damage : NULL,
                               .context = d};
    MateSolution *found = mate_solve(s, p, &limits, NULL);
    const bool same = found->result == (plies == PLIES_NONE ? MATE_NONE : MATE_FOUND);
    const bool length =
        found->result != MATE_FOUND || (found->shortest ? found->plies == plies : found->plies >= plies);
    f->unknown += found->result == MATE_UNKNOWN;
    f->wrong += found->result != MATE_UNKNOWN && !(same && length);
    mate_solution_destroy(found);
}

int main(int argc, char **argv) {
    if (argc < 3) return fputs("usage: mate_loops COUNT SEED [THREADS]\n", stderr), 2;
    const unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    const unsigned count = (unsigned)strtoul(argv[1], NULL, 10);
    uint64_t random = strtoull(argv[2], NULL, 10);
    MateSolver *ours = mate_create(&(MateSettings){.hash_bytes = 1 << 18, .threads = 1}, NULL);
    MateSolver *plain = mate_create(&(MateSettings){.hash_bytes = 1 << 18, .threads = 1, .plain_table = true}, NULL);
    MateSolver *damaged = mate_create(&(MateSettings){threads > 1 ? 1 << 10 : 1 << 14, .threads = threads}, NULL);
    Damage flips = {.table = damaged->table, .random = random};
    Faults with = {0}, without = {0}, flipped = {0};
    unsigned won = 0, longest = 0;
    for (unsigned i = 0; i < count && !(TABIA_CHECK == CHECK_NONE && flipped.wrong); i++) {
        const GameGraph g = random_graph(&random);
        const Answers a = solve_backward(&g);
        const Position root = {.graph = &g};
        const unsigned plies = a.plies[root.node];
        won += plies != PLIES_NONE;
        if (plies != PLIES_NONE && plies > longest) longest = plies;
        if (TABIA_CHECK != CHECK_NONE) ask(ours, &root, plies, NULL, &with), ask(plain, &root, plies, NULL, &without);
        ask(damaged, &root, plies, threads > 1 ? NULL : &flips, &flipped);
    }
    mate_destroy(ours), mate_destroy(plain), mate_destroy(damaged);
    printf("{\"positions\": %u, \"won\": %u, \"longest\": %u, ", count, won, longest);
    printf("\"wrong\": %u, \"unknown\": %u, \"plain_wrong\": %u, \"plain_unknown\": %u, ", with.wrong, with.unknown,
           without.wrong, without.unknown);
    printf("\"flips\": %lu, \"damaged_wrong\": %u, \"damaged_unknown\": %u}\n", (unsigned long)flips.flips,
           flipped.wrong, flipped.unknown);
    if (TABIA_CHECK == CHECK_NONE) return !flipped.wrong;
    return with.wrong || with.unknown > count / 1000 || without.wrong < count / 200 || flipped.wrong;
}
