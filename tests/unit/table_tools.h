/* SPDX-License-Identifier: MIT */
/* Tables for tests. */
#pragma once
#include "unit.h"

#include "base/random.h"
#include "tabia/table.h"

static inline TabiaTable *new_table(TabiaOptions options) {
    TabiaTable *t;
    TabiaError error = {0};
    if (tabia_table_create(&t, &options, &error)) fail_msg("%s", error.text);
    return t;
}

static inline TabiaKey random_key(uint64_t *seed) {
    const uint64_t index = random_next(seed);
    return (TabiaKey){index, random_next(seed)};
}

/* Every mode that this machine has, by turns: 0 .. modes()-1. */
static inline TabiaIntegrity mode_at(unsigned i) {
    static const TabiaIntegrity mode[] = {TABIA_XOR, TABIA_LOCKED, TABIA_NONE, TABIA_WIDE};
    return mode[i];
}
bool tabia_wide_is_atomic(void);
static inline unsigned modes(void) {
    return tabia_wide_is_atomic() ? 4 : 3;
}
