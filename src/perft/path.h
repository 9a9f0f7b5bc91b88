/* SPDX-License-Identifier: MIT */
/*
 * A counting path: the hot text of perft, compiled for one kind of CPU. The same source, path.c, becomes avx512, avx2,
 * scalar and portable by compiler flags; perft_path_best() chooses at start-up.
 */
#pragma once
#include "base/u128.h"
#include "table/counts_text.h"
#include "zobrist.h"

/* What one thread counts with. The table and the stop flag are shared; the rest is the thread's own. */
typedef struct {
    const Zobrist *zobrist;  /* needed with a table only */
    const TabiaTable *table; /* NULL: nothing is remembered */
    const atomic_bool *stop; /* once true, counts end soon and mean nothing */
    uint64_t probes, hits;   /* of the table, below seven plies */
} CountContext;

typedef struct {
    const char *name;
    /* Leaves `depth` plies below p, whose key is given when there is a table. Any depth; any thread with its own c. */
    U128 (*count)(CountContext *c, const Position *p, Key key, int depth);
    /* The keys of the positions that n moves of p lead to, of which children() will be asked soon: what the table keeps
       of them `depth` plies deep is brought into the caches meanwhile. p's key is given. With a table only. */
    void (*expect)(const CountContext *c, const Position *p, Key key, const Move *list, unsigned n, int depth,
                   Key *keys);
    /* Leaves below these positions, `depth` plies each, 3 or more. */
    U128 (*children)(CountContext *c, const Position *p, const Move *list, const Key *keys, unsigned n, int depth);
    /* Legal moves of p, and the sum of the legal replies to all of them: what count() is built on. */
    uint64_t (*last_one)(const Position *p);
    uint64_t (*last_two)(const Position *p);
} PerftPath;

/* The paths this program was built with that this CPU can run, fastest first; NULL after the last. */
const PerftPath *perft_path_at(unsigned i);
/* The one of that name, or NULL if it is unknown or cannot run here. NULL for a name means the fastest. */
const PerftPath *perft_path_named(const char *name);
