/* SPDX-License-Identifier: MIT */
/*
 * The children of a whole ply, each once: a set that all threads fill at the same time. Of the positions of a ply that is
 * only counted it holds keys; of one that is kept the positions, with the paths to each.
 *
 *     key      one word: 61 bits of the check half, and a bit for each definition of "the same position" (ply_position.h)
 *     merged   the position, exactly, and its paths: 32 bytes in chess
 *
 * Into a set comes a part of the key space, some of SLICES, so that a ply may be larger than memory. The set is divided into
 * regions by the first bits of the index half; each is an open hash table of its own, of the size of a few caches, where a
 * slot of zeros is empty. A thread does not add a child at once, but collects children for each region:
 *
 *     parent -> children -> |buffer 0| |buffer 1| ... of the thread
 *                               | full: the region is locked, and gets all of them
 *     set                   |region 0|region 1| ...
 *
 * So a lock is paid for once for hundreds of children, slots are prefetched, and a region's pages are in the TLB.
 *
 * A key is wrong if another one with the same 61 bits stands between its own slot and the first empty one. At three quarters
 * full some 8 slots lie between: n keys lose less than 10 n / 2^61 of them, of 10^10 keys the twenty-millionth part of one.
 */
#pragma once
#include <stdatomic.h>
#include <stddef.h>

#include "base/u128.h"
#include "rules/ply_position.h"

enum { SLICES = 256, DEFINITION_BITS = 3, CHILD_BUFFER_BYTES = 1 << 13 };

typedef struct {
    PlyPosition position;
    uint64_t paths; /* 0: an empty slot */
} MergedPosition;

typedef struct {
    atomic_flag lock; /* on what follows, and the slots */
    uint64_t used;    /* slots */
    uint64_t added[EP_DEFINITIONS];
} __attribute__((aligned(64))) ChildRegion;

typedef struct {
    const Zobrist *zobrist;
    Colour turn;            /* of the parents */
    unsigned definitions;   /* of keys: bits */
    unsigned first, slices; /* part of the key space that is added */
    unsigned region_bits;   /* regions of a slice: a power of two */
    uint64_t region_slots;
    ChildRegion *region;
    uint64_t *key;          /* the slots; or NULL, and then */
    MergedPosition *merged; /* these are */
} ChildSet;

/* What waits to be added. */
typedef struct {
    uint64_t spread, mark; /* the bits that are indexed with; the slot's word */
} BufferedKey;
typedef struct {
    uint64_t spread;
    MergedPosition merged;
} BufferedPosition;

/* A thread's own. */
typedef struct {
    ChildSet *set;
    uint32_t *n;                /* [regions] that wait */
    BufferedKey *key;           /* for each region CHILD_BUFFER_BYTES of them; */
    BufferedPosition *position; /* or of these */
    U128 paths;                 /* to all children, in any part */
    uint64_t used;              /* slots that it filled */
    bool full;                  /* a region had no room: some children were lost */
} ChildBuffer;
