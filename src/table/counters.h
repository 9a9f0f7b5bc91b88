/* SPDX-License-Identifier: MIT */
/* The counters of a table (tabia/stats.h): nothing is counted where a table has none. */
#pragma once
#include "table_internal.h"

void tabia_count_event(const TabiaTable *t, CounterEvent event);

/* A probe, and whether it found its position. */
static inline void tabia_count_probe(const TabiaTable *t, bool there) {
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_probes);
    if (there) tabia_count_event(t, COUNTED_hits);
}

/* A store, and what became of it. */
static inline void tabia_count_store(const TabiaTable *t, CounterEvent event) {
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}
