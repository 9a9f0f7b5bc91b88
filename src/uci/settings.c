/* SPDX-License-Identifier: MIT */
/* From the values of the options to the search: its settings, its network, and the limits that options lower. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine_state.h"
#include "table/options.h"

SearchSettings engine_settings_from_options(const EngineOptions *o) {
    assert(o->hash > 0 && o->threads > 0 && o->path_key < PATH_KEY_FORMS);
    return (SearchSettings){.hash_bytes = (uint64_t)o->hash << 20,
                            .threads = (unsigned)o->threads,
                            .smp_mode = (SmpMode)o->smp_mode,
                            .path_key = (PathKeyForm)o->path_key,
                            .evaluation = (EvaluationType)o->evaluation,
                            .network = o->network,
                            .replacement = replacement_rules[o->replacement],
                            .table_name = o->table_name[0] ? o->table_name : NULL};
}

SearchSettings engine_search_settings(const Engine *e) {
    SearchSettings s = engine_settings_from_options(&e->options);
    if (e->hooks) s.table = e->hooks->table, s.peers = e->hooks->peers, s.table_name = NULL;
    s.watch = &e->watch;
    return s;
}

/* A distributed table is resized by the hooks. Before quit nothing uses it. */
static bool resize_distributed(Engine *e, const EngineOptions *before, TabiaError *error) {
    if (!e->hooks || e->options.hash == before->hash || atomic_load(&e->quits)) return true;
    return e->hooks->resize(e->hooks->context, (uint64_t)e->options.hash << 20, error);
}

void engine_configure(Engine *e, const EngineOptions *before) {
    TabiaError error;
    const SearchSettings settings = engine_search_settings(e);
    if (resize_distributed(e, before, &error) && search_configure(e->search, &settings, &error)) {
        if (e->options.hash != before->hash || e->options.threads != before->threads ||
            strcmp(e->options.table_name, before->table_name) != 0)
            e->resources_reported = false;
        if (e->options.eval_scale != before->eval_scale && e->network &&
            !engine_load_network(e, e->network_file, &error))
            engine_print(e, "info string EvalFile: %s\n", error.text);
        return;
    }
    e->options = *before;
    const SearchSettings old = engine_search_settings(e);
    search_configure(e->search, &old, NULL);
    engine_print(e, "info string %s; everything stays as it was\n", error.text);
}

/* With hooks the table is distributed: each process clears its part. */
void engine_clear(Engine *e) {
    if (e->mates) engine_end_mates(e);
    search_clear(e->search);
    if (e->hooks) tabia_table_clear(search_table(e->search));
}

bool engine_load_network(Engine *e, const char *file_name, TabiaError *error) {
    const int scale = (int)e->options.eval_scale;
    Network *network = file_name[0] ? evaluation_network_read(file_name, scale, error) : NULL;
    if (file_name[0] && !network) return false;
    SearchSettings settings = engine_search_settings(e);
    settings.network = network;
    if (!search_configure(e->search, &settings, error)) return tabia_aligned_free(network), false;
    tabia_aligned_free(e->network); /* no search uses it any more */
    e->options.network = e->network = network;
    if (file_name != e->network_file) snprintf(e->network_file, sizeof e->network_file, "%s", file_name);
    return true;
}

void engine_limit_strength(Engine *e, SearchLimits *l) {
    const EngineOptions *o = &e->options;
    if (o->limit_strength) {
        const uint64_t nodes = (uint64_t)(30 * pow(2, (double)(o->elo - 1000) / 170));
        if (!l->nodes || nodes < l->nodes) l->nodes = nodes;
    }
    if (o->nodes_time && limits_are_timed(l)) { /* the time is in nodes: this many for a millisecond */
        const int us = search_root(e->search)->turn;
        const int64_t allotment =
            l->move_time ? l->move_time : time_with_ponder(l, l->time[us] / 24 + l->increment[us] * 3 / 4) + l->byoyomi;
        const uint64_t nodes = (uint64_t)(allotment ? allotment * o->nodes_time : 1);
        if (!l->nodes || nodes < l->nodes) l->nodes = nodes;
        l->time[0] = l->time[1] = l->increment[0] = l->increment[1] = l->byoyomi = l->move_time = 0;
    }
}
