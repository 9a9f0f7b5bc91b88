/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

void datagen_settings_default(DatagenSettings *s) {
    *s = (DatagenSettings){
        .seed = 1,
        .adjudication =
            {.resign_score = 2500, .resign_plies = 4, .draw_score = 4, .draw_plies = 12, .draw_min_ply = 80},
        .table = {.hash_bytes = 1 << 20, .sharing = TABIA_PARTITIONED, .strict_generations = true},
    };
    for (unsigned i = 0; datagen_number(i); i++) *datagen_number_of(s, datagen_number(i)) = datagen_number(i)->initial;
}

/* ---- checks ---- */

static uint64_t random_plies(const DatagenOpening *o) {
    return o->random_max_ply ? o->random_count : 0;
}

static bool check_random_moves(const DatagenOpening *o, uint64_t max_ply, TabiaError *error) {
    const uint64_t plies = o->random_max_ply + 1 - o->random_min_ply;
    if (!random_plies(o)) return true;
    if (o->random_max_ply < o->random_min_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 ": is less than --random-move-min-ply %" PRIu64,
                          o->random_max_ply, o->random_min_ply);
    if (o->random_count > plies)
        return tabia_fail(
            error, "--random-move-count %" PRIu64 ": from ply %" PRIu64 " to %" PRIu64 " there are only %" PRIu64,
            o->random_count, o->random_min_ply, o->random_max_ply, plies);
    if (o->random_max_ply >= max_ply)
        return tabia_fail(error, "--random-move-max-ply %" PRIu64 ": games end at ply %" PRIu64 " (--write-max-ply)",
                          o->random_max_ply, max_ply);
    return true;
}

static bool complete_search(DatagenSearchLimits *l, TabiaError *error) {
    if (!l->depth && !l->nodes && !l->soft_nodes) l->soft_nodes = 5000;
    if (l->soft_nodes && !l->nodes) l->nodes = 8 * l->soft_nodes;
    assert(l->depth || l->nodes);
    if (l->depth2 && l->depth2 < l->depth)
        return tabia_fail(error, "--depth2 %" PRIu64 ": must be at least --depth %" PRIu64, l->depth2, l->depth);
    return !l->depth2 || l->depth || tabia_fail(error, "--depth2: needs --depth D, the lowest depth");
}

static bool check_table(const DatagenTable *t, TabiaError *error) {
    if (t->sharing == TABIA_SHARED && t->strict_generations)
        return tabia_fail(error, "--table shared cannot have strict generations: a search of one thread would make the "
                                 "entries of all others stale; --strict-generation off");
    return true;
}

bool datagen_settings_check(DatagenSettings *s, TabiaError *error) {
    const uint64_t max_ply = s->adjudication.max_ply;
    if (!complete_search(&s->search, error) || !check_random_moves(&s->opening, max_ply, error)) return false;
    if (s->output.min_ply >= max_ply)
        return tabia_fail(error, "--write-min-ply %" PRIu64 ": no game is that long (--write-max-ply %" PRIu64 ")",
                          s->output.min_ply, max_ply);
    return check_table(&s->table, error);
}

bool datagen_settings_check_variety(const DatagenSettings *s, uint64_t start_positions, TabiaError *error) {
    assert(start_positions > 0);
    if (start_positions > 1 || random_plies(&s->opening) || s->search.depth2 > s->search.depth) return true;
    char starts[80] = "";
    for (unsigned i = 1, n = 0; i < STARTS_N; i++)
        n += (unsigned)snprintf(starts + n, sizeof starts - n, "--%s, ", start_name(i));
    return tabia_fail(error,
                      "--random-move-%s 0: without random moves and with one start position every game would be the "
                      "same; %s--book FILE or --depth2 D make games differ",
                      s->opening.random_max_ply ? "count" : "max-ply", starts);
}

/* ---- tables ---- */

TabiaOptions datagen_table_options(const DatagenTable *t, unsigned threads) {
    const bool shared = t->sharing == TABIA_SHARED;
    assert(threads > 0);
    return (TabiaOptions){.bytes = shared ? t->hash_bytes : t->hash_bytes * threads,
                          .sharing = t->sharing,
                          .partitions = shared ? 1 : threads,
                          .strict_generations = t->strict_generations};
}
