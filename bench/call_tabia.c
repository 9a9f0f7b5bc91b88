/* SPDX-License-Identifier: MIT */
/* libtabia's calls for bench/table_instructions.py, of its two files (tools/amalgamate.py). */
#include "tabia.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_table.h"

static TabiaTable *table;
static bool one_generation;

void call_create(const char *variant) {
    TabiaError error;
    TabiaOptions options = {.bytes = 1 << 20, .threads = 1};
    if (!strcmp(variant, "user bits")) options.user_bits = 2;
    if (!strcmp(variant, "exact bonus")) options.exact_bonus = 2;
    options.refresh_on_hit = !strncmp(variant, "refresh", 7);
    one_generation = !strcmp(variant, "refresh, none due");
    if (!tabia_table_create(&table, &options, &error)) return;
    fprintf(stderr, "%s\n", error.text);
    exit(1);
}

void call_new_generation(void) {
    if (!one_generation) tabia_table_new_generation(table);
}

uint64_t counted_pair(CallKey key, CallEntry s) {
    const TabiaKey k = {key.first, key.second};
    const TabiaHit hit = tabia_entry_probe(table, k, 0);
    const TabiaEntry e = hit.entry;
    tabia_entry_store(table, k, 0, (TabiaEntry){.score = s.score, .draft = s.depth, .bound = s.bound, .move = s.move});
    return hit.score_ok ? 2 * ((uint64_t)e.move + (uint64_t)e.score + (uint64_t)e.evaluation + e.draft + e.bound) + 1
                        : 0;
}
