/* SPDX-License-Identifier: MIT */
/*
 * What ranks say to each other during a perft. Words are copied as they are, so each begins at a multiple of 8.
 *
 *     want      worker to rank 0: give me units; 8 bytes that are not 0: and the map of homes
 *     homes     rank 0: which rank is home to what (home.h), before the first units
 *     units     rank 0: here are some, as positions with their keys; those of a message are of one depth
 *     done      worker: what units counted, and how much it has done; every so often without any, as a sign of life
 *     families  to a home: positions, and which of their children are yours
 *     sums      back: what those children counted together, in the same order
 *     alive     rank 0 to all: a sign of life
 *     dead      rank 0 to all: do not wait for this rank
 *     part      rank 0 to all: the count is over; parted: the worker's last word;
 *     bye       rank 0 to all: whether all were there, so that they may part in an orderly way
 *     stop      worker to rank 0: somebody asked this rank to end
 *     children  to an owner: positions of the frontier (owners.h); owned: to rank 0, how many an owner has of a ply;
 *     next      rank 0 to all: go on to that ply, or send what you have of it; harvest: to rank 0, some of it
 */
#pragma once
#include "ranks.h"

typedef enum {
    TALK_WANT = 1,
    TALK_HOMES,
    TALK_UNITS,
    TALK_DONE,
    TALK_FAMILIES,
    TALK_SUMS,
    TALK_ALIVE,
    TALK_DEAD,
    TALK_STOP,
    TALK_PART,
    TALK_PARTED,
    TALK_BYE,
    TALK_CHILDREN,
    TALK_OWNED,
    TALK_NEXT,
    TALK_HARVEST,
} Talk;

typedef struct {
    uint64_t unit, key[2];
    Bits position[sizeof(Position) / sizeof(Bits)];
} TalkUnit;

typedef struct {
    uint64_t unit, low, high; /* leaves in two halves */
} TalkDone;

/* A family under way: its moves follow, filled up to 8 bytes. */
typedef struct {
    Bits position[sizeof(Position) / sizeof(Bits)];
    uint64_t key[2];
    uint32_t moves, unused;
} TalkFamily;

typedef struct {
    uint32_t id;
    uint16_t families;
    uint16_t depth; /* of the children */
} TalkFamilies;

typedef struct {
    uint64_t low, high;
} TalkSum;

/* The head of children, next and harvest: one of several messages, numbered from 0. */
typedef struct {
    uint16_t ply;  /* below the base */
    uint16_t last; /* of next: harvest it */
    uint32_t sequence;
} TalkPart;

enum {
    TALK_UNITS_MAX = (TABIA_CLUSTER_BYTES_MAX - 8) / sizeof(TalkUnit),
    TALK_DONE_MAX = 640,
    TALK_FAMILIES_MAX = 248,
};

_Static_assert(sizeof(TalkUnit) == 88 && sizeof(TalkFamily) == 88 && sizeof(TalkPart) == 8 && sizeof(TalkFamilies) == 8,
               "no holes");

INLINE U128 talk_u128(uint64_t low, uint64_t high) {
    return (U128)high << 64 | low;
}

/* Of a family with its moves. */
INLINE unsigned talk_family_words(unsigned moves) {
    return sizeof(TalkFamily) / 8 + (moves + 3) / 4;
}
