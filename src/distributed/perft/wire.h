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
 *     CHILDREN       any -> owner      WirePlyHeader, then WireParent, its multiplicities and WireChild
 *     PLY_SIZE       any -> rank 0     ply, and how many positions of it the sender owns (8 bytes each)
 *     NEXT_PLY       rank 0 -> all     WirePlyHeader: expand that ply, or (last) send what you own of it
 *     GATHER         any -> rank 0     WirePlyHeader, then of each position: origin, number of multiplicities, these
 *
 * The last four make the frontier: distributed_frontier.h.
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
    WIRE_CHILDREN,
    WIRE_PLY_SIZE,
    WIRE_NEXT_PLY,
    WIRE_GATHER,
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

typedef struct {
    uint32_t id;    /* the asker's; an answer repeats it */
    uint16_t sets;  /* sibling sets in the batch */
    uint16_t depth; /* plies below each child */
} WireBatchHeader;

/* The header of CHILDREN, NEXT_PLY and GATHER: one message of a sequence that is numbered from 0. */
typedef struct {
    uint16_t ply;  /* below the base of the distributed frontier */
    uint16_t last; /* the last message of the sequence; of NEXT_PLY: gather that ply */
    uint32_t sequence;
} WirePlyHeader;

/* A position of the frontier that is expanded: its multiplicities that are not 0 follow (wire_multiplicity), then its
   children of one owner, two in a word. */
typedef struct {
    uint64_t origin; /* its least path below the base: move numbers of MOVE_NUMBER_BITS each */
    uint64_t position[sizeof(Position) / sizeof(uint64_t)];
    uint64_t key[2];
    uint32_t multiplicities, moves;
} WireParent;

typedef struct {
    uint16_t move, number; /* number: in the generator's order */
} WireChild;

enum {
    WIRE_UNITS_MAX = (TABIA_CLUSTER_BYTES_MAX - 8) / sizeof(WireUnit),
    WIRE_RESULTS_MAX = 640,
    WIRE_BATCH_SETS_MAX = 400,
    WIRE_WORDS_MAX = TABIA_CLUSTER_BYTES_MAX / 8,
    WIRE_PATHS_BITS = 64 - MOVE_NUMBER_BITS, /* of a multiplicity; its root move has the others */
};

_Static_assert(sizeof(WireUnit) == sizeof(PackedPosition) + 24 && sizeof(WireSiblings) == sizeof(PackedPosition) + 16 &&
                   sizeof(WirePlyHeader) == 8 && sizeof(WireBatchHeader) == 8 &&
                   sizeof(WireParent) == sizeof(Position) + 32 && sizeof(WireChild) == 4,
               "no padding");
_Static_assert(sizeof(PartitionMap) <= TABIA_CLUSTER_BYTES_MAX, "a partition map fits one message");
_Static_assert(MOVE_NUMBER_BITS *FRONTIER_PLIES_MAX < 64, "a path of the frontier fits a word");

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

/* A multiplicity: a root move, and the number of paths that begin with it. */
INLINE uint64_t wire_multiplicity(uint64_t root, uint64_t paths) {
    return root << WIRE_PATHS_BITS | paths;
}
INLINE uint64_t wire_multiplicity_root(uint64_t multiplicity) {
    return multiplicity >> WIRE_PATHS_BITS;
}
INLINE uint64_t wire_multiplicity_paths(uint64_t multiplicity) {
    return multiplicity & ((1ull << WIRE_PATHS_BITS) - 1);
}
