/* SPDX-License-Identifier: MIT */
/*
 * A kernel: the hot text of perft, compiled for one kind of CPU. The same source, kernel.c, becomes avx512, avx2
 * and portable by compiler flags; perft_kernel_at() chooses at start-up.
 */
#pragma once
#include "base/u128.h"
#include "child_set.h"
#include "count/kinds.h"
#include "rules/zobrist.h"
#include "table/counts_inline.h"

/* What one thread counts with. The table and the stop flag are shared; the rest is the thread's own. */
typedef struct {
    const Zobrist *zobrist;  /* needed with a table only */
    const TabiaTable *table; /* NULL: nothing is remembered */
    const atomic_bool *stop; /* once true, counts end soon and mean nothing */
    uint64_t probes, hits;   /* of the table, as far up as sums fit 64 bits */
    uint64_t leaves_counted; /* with a table: not known from it, but counted by the last two plies */
    U128 kinds[KINDS];       /* of the leaves, by kinds() */
} KernelContext;

/* Some children of one position, as their owner rank counts them. */
typedef struct {
    const Position *p;
    const Move *move;
    const Key *key; /* of what each move leads to */
    unsigned n;
    int depth; /* of each, 3 or more */
} Siblings;

typedef struct {
    const char *name;
    /* Leaves `depth` plies below p, whose key is given when there is a table. Any depth; any thread with its own c. */
    U128 (*count)(KernelContext *c, const Position *p, Key key, int depth);
    /* The keys of the positions that n moves of p lead to. p's own key is given. */
    void (*keys)(const Zobrist *z, const Position *p, Key key, const Move *list, unsigned n, Key *keys);
    /* Brings what the table keeps of them into the caches: of those that children() will probe next. With a
       table only. */
    void (*prefetch)(const KernelContext *c, const Siblings *s);
    /* Leaves below them, `depth` plies each. */
    U128 (*children)(KernelContext *c, const Siblings *s);
    /* Legal moves of p, and the sum of the legal replies to all of them: what count() is built on. */
    uint64_t (*last_one)(const Position *p);
    uint64_t (*last_two)(const Position *p);
    /* As count(), the leaves that are mate. The table is one that count() does not use. */
    U128 (*mates)(KernelContext *c, const Position *p, Key key, int depth);
    /* As count(), without a table; adds the kinds of the moves that lead to the leaves. */
    U128 (*kinds)(KernelContext *c, const Position *p, int depth);
    /* Adds the children of n positions of one ply to a set by way of a buffer, which any thread has of its own; and what is
       left in the buffer. */
    void (*add_children)(ChildBuffer *b, const MergedPosition *parents, size_t n);
    void (*flush_children)(ChildBuffer *b);
} PerftKernel;

/* The kernels this program was built with that this CPU can run, fastest first; NULL after the last. */
const PerftKernel *perft_kernel_at(unsigned i);
/* The one of that name, or NULL if it is unknown or cannot run here. NULL for a name means the fastest. */
const PerftKernel *perft_kernel_named(const char *name);
