/* SPDX-License-Identifier: MIT */
#include "path.h"

#include "last_two.h"

NOINLINE uint64_t last_one_white(const Position *p) {
    return count_last_one(p, WHITE);
}
NOINLINE uint64_t last_one_black(const Position *p) {
    return count_last_one(p, BLACK);
}
NOINLINE uint64_t last_two_white(const Position *p) {
    return count_last_two(p, WHITE);
}
NOINLINE uint64_t last_two_black(const Position *p) {
    return count_last_two(p, BLACK);
}

static uint64_t last_one(const Position *p) {
    return p->turn == WHITE ? last_one_white(p) : last_one_black(p);
}
static uint64_t last_two(const Position *p) {
    return p->turn == WHITE ? last_two_white(p) : last_two_black(p);
}

extern const PerftPath PATH_SYMBOL;
const PerftPath PATH_SYMBOL = {PATH_NAME, last_one, last_two};
