/* SPDX-License-Identifier: MIT */
#include "rank_monitor.h"

#include <assert.h>
#include <stdlib.h>

#include "outbox.h"

struct RankMonitor {
    const RankContext *rank;
    RankDeadCallback on_dead;
    bool *is_dead;       /* of each rank */
    bool any_died;       /* ever */
    double heartbeat_at; /* seconds */
};

RankMonitor *rank_monitor_create(const RankContext *rank, RankDeadCallback on_dead) {
    RankMonitor *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->rank = rank, m->on_dead = on_dead;
    m->is_dead = calloc(rank->ranks, sizeof *m->is_dead);
    if (m->is_dead) return m;
    rank_monitor_destroy(m);
    return NULL;
}

void rank_monitor_destroy(RankMonitor *m) {
    if (!m) return;
    free(m->is_dead);
    free(m);
}

static void mark_dead(RankMonitor *m, unsigned rank) {
    const RankContext *here = m->rank;
    const uint64_t number = rank;
    assert(rank != here->rank && rank < here->ranks);
    m->is_dead[rank] = m->any_died = true;
    tabia_cluster_mark_dead(here->cluster, rank);
    for (unsigned to = 1; to < here->ranks; to++)
        if (!m->is_dead[to]) outbox_send(here->outbox, to, WIRE_RANK_DEAD, &number, sizeof number);
    m->on_dead.call(m->on_dead.context, rank);
}

void rank_monitor_step(RankMonitor *m) {
    const RankContext *here = m->rank;
    const double interval = here->timeout / 5;
    const bool is_due = here->now - m->heartbeat_at > (interval < 1 ? interval : 1);
    for (unsigned rank = 1; rank < here->ranks; rank++) {
        const double silence = tabia_cluster_silence(here->cluster, rank);
        if (is_due && !m->is_dead[rank]) outbox_send(here->outbox, rank, WIRE_HEARTBEAT, NULL, 0);
        if (!m->is_dead[rank] && silence > here->timeout)
            mark_dead(m, rank);
        else if (m->is_dead[rank] && silence < here->timeout / 2)
            m->is_dead[rank] = false;
    }
    if (is_due) m->heartbeat_at = here->now;
}

bool rank_monitor_is_dead(const RankMonitor *m, unsigned rank) {
    return m->is_dead[rank];
}

bool rank_monitor_none_died(const RankMonitor *m) {
    return !m->any_died;
}
