/* SPDX-License-Identifier: MIT */
#define TABIA_CHECK CHECK_NONE
#include "bench_unprotected.h"

#include "table/entry_inline.h"

TabiaHit bench_probe_unprotected(const TabiaTable *t, TabiaKey key) {
    return entry_probe_inline(t, slot_ref_of(t, key, 0));
}

void bench_store_unprotected(const TabiaTable *t, TabiaKey key, TabiaEntry e) {
    entry_store_inline(t, slot_ref_of(t, key, 0), e);
}
