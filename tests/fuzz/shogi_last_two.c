/* SPDX-License-Identifier: MIT */
/* shogi_last_two COUNT [SEED]: the last two plies of shogi (last_two_check.h). */
#include "last_two_check.h"
#include "reference/shogi_reference.h"
#include "shogi_starts.h"

/* Positions with hundreds of moves are left to the other tests of the reference, which is slow. */
static bool by_reference(const Position *p, uint64_t expected, uint64_t *sum) {
    ShogiReferenceBoard b;
    char sfen[FEN_MAX];
    if (expected > 5000) return false;
    fen_write(p, FEN_STANDARD, sfen);
    *sum = shogi_reference_read(&b, sfen) ? shogi_reference_perft(&b, 2) : 0;
    return true;
}

int main(int argc, char **argv) {
    const LastTwoGame shogi = {"shogi_last_two", 200, shogi_random_start, by_reference, NULL};
    return last_two_check(&shogi, argc, argv);
}
