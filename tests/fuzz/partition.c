/* SPDX-License-Identifier: MIT */
/*
 * partition COUNT [SEED]: at COUNT positions of random games, for each move, what its owner is found from
 * (rules/owner_key.h) without playing it, by the generator's walk and by the move alone, against the board
 * after it, turned round by position_flipped; and the position as ranks send it to each other
 * (rules/packed_position.h) against itself. Prints what differs; exits 1 if anything did.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "bridge.h"
#include "distributed/perft/partition.h"
#include "rules/movegen.h"
#include "rules/packed_position.h"
#include "starts.h"

enum { FAILURES_MAX = 5, PLIES_MAX = 60 };

typedef struct {
    Position at;
    unsigned n;
    Move move[MOVES_MAX];
    OwnerKey key[MOVES_MAX];
} MoveKeys;

static void note(void *context, UnpackedMove m) {
    MoveKeys *w = context;
    w->key[w->n] = owner_key_after(&w->at, (Colour)w->at.turn, m);
    w->move[w->n++] = move_pack(m);
}

static void walk(MoveKeys *w) {
    MoveSink k = {.visit = note, .context = w};
    w->n = 0;
    if (w->at.turn == WHITE)
        generate(&w->at, &k, WHITE, GEN_VISIT);
    else
        generate(&w->at, &k, BLACK, GEN_VISIT);
}

/* As white sees its own pieces: whose move it was is white when the board is turned so that black is to move. */
static OwnerKey seen_after(const Position *p, Move m) {
    Position after;
    position_make_move(&after, p, m);
    if (after.turn == WHITE) after = position_flipped(&after);
    return (OwnerKey){after.side[WHITE], after.side[WHITE] & after.pawn};
}

static bool same(OwnerKey a, OwnerKey b) {
    return a.pieces == b.pieces && a.pawns == b.pawns;
}

static unsigned failed(const char *what, const Position *p) {
    char fen[REFERENCE_FEN_MAX];
    bridge_fen(p, fen);
    printf("%s: %s\n", what, fen);
    return 1;
}

static unsigned check(const MoveKeys *w) {
    const PackedPosition sent = position_pack(&w->at);
    const Position received = position_unpack(&sent);
    unsigned failures = position_same(&received, &w->at) ? 0 : failed("sent", &w->at);
    for (unsigned i = 0; i < w->n; i++) {
        const OwnerKey seen = seen_after(&w->at, w->move[i]);
        if (same(w->key[i], seen) && same(owner_key_of_move(&w->at, w->move[i]), seen)) continue;
        failures += failed(bridge_move_text(w->move[i]).text, &w->at);
    }
    return failures;
}

int main(int argc, char **argv) {
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, done = 0, moves = 0;
    unsigned failures = 0;
    while (done < count && failures < FAILURES_MAX) {
        MoveKeys w = {.at = random_start(&state)};
        for (unsigned ply = 0; ply < PLIES_MAX && done < count; ply++, done++) {
            walk(&w);
            failures += check(&w);
            moves += w.n;
            if (!w.n) break;
            position_make_move(&w.at, &w.at, w.move[random_below(&state, w.n)]);
        }
    }
    printf("%ju positions, %ju moves: %u wrong\n", (uintmax_t)done, (uintmax_t)moves, failures);
    return failures > 0;
}
