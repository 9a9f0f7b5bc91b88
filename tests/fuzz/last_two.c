/* SPDX-License-Identifier: MIT */
/* last_two COUNT [SEED]: the last two plies of chess (last_two_check.h), and the moves whose replies are wrong. */
#include "bridge.h"
#include "last_two_check.h"
#include "starts.h"
#include "which_moves.h"

static bool by_reference(const Position *p, uint64_t expected, uint64_t *sum) {
    const ReferenceBoard b = reference_from_position(p);
    (void)expected;
    *sum = reference_perft(&b, 2);
    return true;
}

int main(int argc, char **argv) {
    const LastTwoGame chess = {"last_two", 150, random_start, by_reference, print_wrong_moves};
    return last_two_check(&chess, argc, argv);
}
