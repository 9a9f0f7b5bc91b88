/* SPDX-License-Identifier: MIT */
#include "which_moves.h"

#include <stdio.h>

#include "bridge.h"
#include "last_two.h"

void print_wrong_moves(const Position *p, const Move *moves, unsigned move_count) {
    for (unsigned i = 0; i < move_count; i++) {
        Position child;
        position_play(&child, p, moves[i]);
        const uint64_t expected = moves_count(&child), got = count_last_one(&child, (Colour)child.turn);
        if (got != expected)
            printf("  after %s: got %ju, expected %ju\n", bridge_move_text(moves[i]).text, (uintmax_t)got,
                   (uintmax_t)expected);
    }
}
