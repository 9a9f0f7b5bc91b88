/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "add_children.h"
#include "count.h"
#include "kinds.h"
#include "mates.h"

static uint64_t last_one(const Position *p) {
    return p->turn == WHITE ? last_one_white(p) : last_one_black(p);
}
static uint64_t last_two(const Position *p) {
    return p->turn == WHITE ? last_two_white(p) : last_two_black(p);
}

extern const PerftKernel KERNEL_SYMBOL;
const PerftKernel KERNEL_SYMBOL = {KERNEL_NAME, count_deep,  keys_listed, prefetch_siblings, count_siblings, last_one,
                                   last_two,    count_mates, count_kinds, add_children,      flush_children};
