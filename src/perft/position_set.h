/* SPDX-License-Identifier: MIT */
/*
 * The positions of a ply, each once, numbered in the order in which they were first met:
 *
 *     number      0     1     2     3
 *     position  | p0  | p1  | p2  | p3  |
 *     key       | k0  | k1  | k2  | k3  |
 *     slot      | . 3 . 1 4 . . 2 . . . |     an open hash table by key: number + 1, or 0
 *
 * A frontier and the plies of a unit group are made by position_set_expand() alone. What
 * belongs to a position besides (multiplicities, counts, edges) lies in arrays of the caller's, by the same number.
 *
 * Of one thread.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "rules/zobrist.h"

/* {0} is an empty set. */
typedef struct {
    size_t n, capacity;
    Position *position; /* [capacity] */
    Key *key;           /* [capacity] */
    uint32_t *slot;     /* NULL once the set is complete */
    size_t slots;       /* a power of two; the set grows when three quarters would be used */
    bool is_multiset;   /* the caller's to set while the set is empty: every position that is added gets a number */
} PositionSet;

/* Makes room for n positions in all. False with an error when memory is out; the set is then as before. */
bool position_set_reserve(PositionSet *set, size_t n, TabiaError *error);
/* Empties the set and keeps its memory. */
void position_set_clear(PositionSet *set);
/* No more will be added: frees the slots. */
void position_set_complete(PositionSet *set);
void position_set_free(PositionSet *set);

/* The number of the position with that key. If there is none, or in a multiset, that of a new one (*is_new), whose
   position the caller is to write. False with an error when memory is out. */
bool position_set_add(PositionSet *set, Key key, size_t *number, bool *is_new, TabiaError *error);

typedef struct {
    unsigned n;
    uint32_t number[MOVES_MAX];
} ChildNumbers;

/* Adds the children of a position. *children: their numbers, in the order of its moves. False with an error when memory
   is out. */
bool position_set_expand(PositionSet *set, const Position *parent, Key key, const Zobrist *z, ChildNumbers *children,
                         TabiaError *error);
