/* SPDX-License-Identifier: MIT */
/* The full count in four lanes: half the register, half the work. */
#define LANES 4
#include "general.h"

typedef const uint8_t *List;

Boards lanes_four_white(const Shared *c, List f, List t, List k);
Boards lanes_four_black(const Shared *c, List f, List t, List k);
Boards lanes_four_straight_white(const Shared *c, List f, List t, List k);
Boards lanes_four_straight_black(const Shared *c, List f, List t, List k);

Boards lanes_four_white(const Shared *c, List f, List t, List k) {
    return count_in_full(c, f, t, k, 0, WHITE, true);
}
Boards lanes_four_black(const Shared *c, List f, List t, List k) {
    return count_in_full(c, f, t, k, 0, BLACK, true);
}
Boards lanes_four_straight_white(const Shared *c, List f, List t, List k) {
    return count_in_full(c, f, t, k, 0, WHITE, false);
}
Boards lanes_four_straight_black(const Shared *c, List f, List t, List k) {
    return count_in_full(c, f, t, k, 0, BLACK, false);
}
