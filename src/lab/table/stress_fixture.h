/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a stress run share: a table of a few lines, the keys that want them, and the payloads.
 *
 *     key k  --version v-->  payload[k][v]    its data words; the lowest bits of the first name v
 *
 * Payloads of different keys differ. So whoever finds words under a key looks up, by the version that they name, what
 * they ought to be, and compares: a word of another key, or of another version of the same key, shows.
 *
 * Entries of even versions are stored for one path, of odd versions for another.
 */
#pragma once
#include <assert.h>

#include "stress.h"
#include "table/table_internal.h"

enum { STRESS_VERSIONS = 8, STRESS_PATHS = 2, STRESS_DRAFT_MIN = 40, STRESS_ROUND = 64 };

/* All of it constant while the threads run. */
typedef struct {
    TabiaTable *table;
    StressCase what;
    unsigned keys, pause;
    TabiaKey key[STRESS_KEYS_MAX];
    unsigned depth[STRESS_KEYS_MAX];
    uint64_t path[STRESS_PATHS];
    SlotRef place[STRESS_KEYS_MAX][STRESS_PATHS]; /* record types without paths: twice the same */
    uint64_t payload[STRESS_KEYS_MAX][STRESS_VERSIONS][TABIA_RECORD_WORDS_MAX];
} StressFixture;

/* A thread's own. */
typedef struct {
    uint64_t seed;
    StressResult sum;
} StressWorker;

/* Fills all of it; the table stays the caller's, and must not be cleared from now on. */
void stress_fixture_fill(StressFixture *f, TabiaTable *table, const StressCase *what, const StressJob *job);

/* So many rounds of one store and STRESS_ROUND probes, by each of the ways. */
typedef void StressRounds(const StressFixture *f, StressWorker *worker, unsigned rounds);
StressRounds stress_rounds_paused, stress_rounds_calls, stress_rounds_plain, stress_rounds_none;
