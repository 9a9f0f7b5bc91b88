/* SPDX-License-Identifier: MIT */
/*
 * What ranks say to each other during a perft. Words are copied as they are, so each begins at a multiple of 8.
 *
 *     want      worker to rank 0: give me units; 8 bytes that are not 0: and the map of homes
 *     homes     rank 0: which rank is home to what (home.h), before the first units
 *     units     rank 0: here are some, as positions with their keys; those of a message are of one depth
 *     done      worker: what units counted, and how much it has done; every so often without any, as a sign of life
 *     families  to a home: positions, and which of their children are yours
 *     sums      back: what those children counted together, in the same order, of each family one word or two
 *     alive     rank 0 to all: a sign of life
 *     dead      rank 0 to all: do not wait for this rank
 *     part      rank 0 to all: the count is over; parted: the worker's last word;
 *     bye       rank 0 to all: whether all were there, so that they may part in an orderly way
 *     stop      worker to rank 0: somebody asked this rank to end
 *     children  to an owner: positions of the frontier (owners.h); owned: to rank 0, how many an owner has of a ply;
 *     next      rank 0 to all: go on to that ply, or send what you have of it; harvest: to rank 0, some of it
 */
#pragma once
#include "distributed_perft.h"

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
} WireKind;

/* A position under way: where the kings stand is a byte each, and what no count asks for, how many moves it has seen,
   is left out. */
typedef struct {
    Bits side[2], pawn, knight, diag, orth;
    uint8_t king[2], castle[2], ep, turn;
    uint16_t moves; /* of a family: so many follow */
} WirePosition;

typedef struct {
    uint64_t unit, key[2];
    WirePosition position;
} WireUnit;

typedef struct {
    uint64_t unit, low, high; /* leaves in two halves */
} WireResult;

/* A family under way: its moves follow, filled up to 8 bytes. */
typedef struct {
    WirePosition position;
    uint64_t key[2];
} WireSiblings;

typedef struct {
    uint32_t id;
    uint16_t families;
    uint16_t depth; /* of the children */
} WireBatchHeader;

/* The head of children, next and harvest: one of several messages, numbered from 0. */
typedef struct {
    uint16_t ply;  /* below the base */
    uint16_t last; /* of next: harvest it */
    uint32_t sequence;
} WirePlyHeader;

enum {
    WIRE_UNITS_MAX = (TABIA_CLUSTER_BYTES_MAX - 8) / sizeof(WireUnit),
    WIRE_RESULTS_MAX = 640,
    WIRE_BATCH_SETS_MAX = 400,
};

_Static_assert(sizeof(WireUnit) == 80 && sizeof(WireSiblings) == 72 && sizeof(WirePlyHeader) == 8 &&
                   sizeof(WireBatchHeader) == 8,
               "no holes");

INLINE WirePosition wire_position(const Position *p) {
    return (WirePosition){.side = {p->side[WHITE], p->side[BLACK]},
                          .pawn = p->pawn,
                          .knight = p->knight,
                          .diag = p->diag,
                          .orth = p->orth,
                          .king = {(uint8_t)king_square(p, WHITE), (uint8_t)king_square(p, BLACK)},
                          .castle = {p->castle[WHITE], p->castle[BLACK]},
                          .ep = p->ep,
                          .turn = p->turn};
}

INLINE Position wire_position_read(const WirePosition *t) {
    return (Position){.side = {t->side[WHITE], t->side[BLACK]},
                      .pawn = t->pawn,
                      .knight = t->knight,
                      .diag = t->diag,
                      .orth = t->orth,
                      .king = bit(t->king[WHITE] % 64) | bit(t->king[BLACK] % 64),
                      .castle = {t->castle[WHITE], t->castle[BLACK]},
                      .ep = t->ep,
                      .turn = t->turn,
                      .fullmove = 1};
}

INLINE U128 wire_u128(uint64_t low, uint64_t high) {
    return (U128)high << 64 | low;
}

/* The words of a family's sum, of children so deep: what lies up to seven plies below a position fits one (frontier.h),
   else it is two, the lower half first. */
INLINE unsigned wire_sum_words(unsigned depth) {
    return depth + 1 <= FRONTIER_PLIES_MAX ? 1 : 2;
}

/* Of a family with its moves. */
INLINE unsigned wire_siblings_words(unsigned moves) {
    return sizeof(WireSiblings) / 8 + (moves + 3) / 4;
}
