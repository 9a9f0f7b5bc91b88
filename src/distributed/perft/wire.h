/* SPDX-License-Identifier: MIT */
/*
 * The messages between the ranks of a perft. Structures are copied as they lie in memory: all ranks run the same
 * program on the same kind of machine. Every message is a multiple of 8 bytes but for the children of a sibling set,
 * which are filled up to one.
 *
 *     message        from, to          bytes
 *     UNIT_REQUEST   worker -> rank 0  empty; or 8 bytes that are not 0: the partition map is wanted too
 *     PARTITION      rank 0 -> worker  PartitionMap (partition.h), before the first units
 *     UNITS          rank 0 -> worker  depth (8 bytes), then WireUnit of that depth
 *     RESULTS        worker -> rank 0  probes, hits, leaves counted, processor time (8 bytes each), then WireResult;
 *                                      sent without results as a heartbeat
 *     BATCH          asker -> owner    WireBatchHeader, then sibling sets: WireSiblings and moves, filled up to 8 bytes
 *     SUMS           owner -> asker    the batch's WireBatchHeader, then of each set in the same order the sum of its
 *                                      children, one word or two (wire_sum_words)
 *     HEARTBEAT      rank 0 -> all     empty
 *     RANK_DEAD      rank 0 -> all     that rank (8 bytes): it is not waited for
 *     STOP           worker -> rank 0  empty: the user asked this rank to end
 *     FINISH         rank 0 -> all     empty: the count is over
 *     STATS          worker -> rank 0  DistributedPerftStats: the worker's last message
 *     SHUTDOWN       rank 0 -> all     8 bytes, not 0: all ranks came to the end, so all close in an orderly way
 */
#pragma once
#include "distributed_perft.h"
#include "partition.h"
#include "rules/packed_position.h"

typedef enum {
    WIRE_UNIT_REQUEST = 1,
    WIRE_PARTITION,
    WIRE_UNITS,
    WIRE_RESULTS,
    WIRE_BATCH,
    WIRE_SUMS,
    WIRE_HEARTBEAT,
    WIRE_RANK_DEAD,
    WIRE_STOP,
    WIRE_FINISH,
    WIRE_STATS,
    WIRE_SHUTDOWN,
} WireType;

typedef struct {
    uint64_t unit, key[2];
    PackedPosition position;
} WireUnit;

typedef struct {
    uint64_t unit, low, high; /* leaves below the unit, in two halves */
} WireResult;

/* A position and some of its moves; the sum over the children that they lead to is wanted. */
typedef struct {
    PackedPosition position; /* its spare number: how many moves follow */
    uint64_t key[2];
} WireSiblings;

/* An answer repeats the number and the use, so it is to one question alone, however late it comes or how often. */
typedef struct {
    uint64_t use;    /* the asker's, counted up with each batch that it sends */
    uint16_t number; /* of the batch, which is used again and again */
    uint16_t sets;   /* sibling sets in the batch */
    uint16_t depth;  /* plies below each child */
    uint16_t unused; /* 0 */
} WireBatchHeader;

enum {
    WIRE_UNITS_MAX = (TABIA_CLUSTER_BYTES_MAX - 8) / sizeof(WireUnit),
    WIRE_RESULTS_MAX = 640,
    WIRE_BATCH_SETS_MAX = 400,
    WIRE_WORDS_MAX = TABIA_CLUSTER_BYTES_MAX / 8,
};

_Static_assert(sizeof(WireUnit) == sizeof(PackedPosition) + 24 && sizeof(WireSiblings) == sizeof(PackedPosition) + 16 &&
                   sizeof(WireBatchHeader) == 16,
               "no padding");
_Static_assert(sizeof(PartitionMap) <= TABIA_CLUSTER_BYTES_MAX, "a partition map fits one message");

INLINE U128 wire_u128(uint64_t low, uint64_t high) {
    return (U128)high << 64 | low;
}

/* Words of a sum over children of that depth: what lies so far below a position fits one (frontier.h);
   otherwise there are two, the lower half first. */
INLINE unsigned wire_sum_words(unsigned depth) {
    return depth + 1 <= FRONTIER_PLIES_MAX ? 1 : 2;
}

/* Words of a sibling set with that many moves. */
INLINE unsigned wire_siblings_words(unsigned moves) {
    return sizeof(WireSiblings) / 8 + (moves + 3) / 4;
}
