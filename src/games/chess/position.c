/* SPDX-License-Identifier: MIT */
#include "position.h"

#include <stddef.h>
#include <string.h>

bool position_same(const Position *a, const Position *b) {
    return memcmp(a, b, offsetof(Position, halfmove)) == 0;
}
