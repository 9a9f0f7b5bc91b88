/* SPDX-License-Identifier: MIT */
/*
 * Positions on their way to the homes of their children, and what comes back.
 *
 *     asker                                          home
 *     draft: family, family, ... --- families --->   a queue; each child: from its own table, or counted and stored
 *     letter under way           <--- sums -------   one sum for each family
 *
 * A letter whose home died, or that is not answered for very long, is taken back: the asker counts what it asked
 * for. So a sum is added once, whatever is lost, doubled or late. At most LETTERS_A_HOME are under way to one home, and
 * who has no letter left does other work first.
 */
#pragma once
#include "unit_group.h"
#include "wire.h"

enum { LETTERS = 2048, LETTERS_A_HOME = 1024 };

/* Whose child counts a family's sum is part of. */
typedef struct {
    uint32_t group, position;
} FamilyOf;

typedef struct {
    bool busy, sent;
    uint16_t round;
    unsigned home, n, words; /* words: of the message so far */
    double at;
    FamilyOf of[WIRE_BATCH_SETS_MAX];
    union {
        WireBatchHeader head;
        uint64_t word[TABIA_CLUSTER_BYTES_MAX / 8];
        Move move[TABIA_CLUSTER_BYTES_MAX / sizeof(Move)];
    } message;
} Letter;

/* Letters received, and how far each is counted: families are laid out one after the other, counted in any order. */
typedef struct Task {
    struct Task *next;
    unsigned from, families, begun, done;
    size_t at, n;                          /* bytes: where the next family begins, of the message */
    uint64_t sum[2 * WIRE_BATCH_SETS_MAX]; /* as they travel: wire_sum_words() of each */
    uint64_t word[TABIA_CLUSTER_BYTES_MAX / 8];
} Task;

typedef struct {
    Letter *letter; /* LETTERS; from letter[used] on none was ever begun, and its memory is not there yet */
    unsigned used;
    uint16_t *draft; /* of each home: its letter + 1, or 0 */
    unsigned *under_way;
    uint16_t *instead;   /* of each home: it, or this rank, if it is dead */
    Move **next;         /* of each home, while a position is sent: where its next move is written, or NULL */
    Task *first, **last; /* those not counted yet */
    Task *open;          /* of these, the first with families to lay out */
    Task *spare;         /* those that are counted, for letters to come */
} Families;

bool families_begin(Families *f, unsigned ranks, Fault *fault);
void families_free(Families *f);
