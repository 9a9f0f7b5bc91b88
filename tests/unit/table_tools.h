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
