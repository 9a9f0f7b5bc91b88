/* SPDX-License-Identifier: MIT */
/* A position of a unit group's leaf-parent ply: the last ply that a group expands. The children of its positions are
   counted whole by the ranks that own them. */
#pragma once
#include <stdint.h>

#include "rules/zobrist.h"

/* Which position a sum belongs to. */
typedef struct {
    uint32_t group, position;
} LeafParentRef;

typedef struct {
    LeafParentRef ref;
    int child_depth; /* plies below each child */
    const Position *position;
    Key key;
} LeafParent;
