/* SPDX-License-Identifier: MIT */
/* Streams for tests. */
#pragma once
#include "unit.h"

#include "lab/table/stream.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#define KIWI "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

static inline Stream new_stream(StreamJob job, const char *fen) {
    Stream s;
    TabiaError error = {0};
    if (!fen_parse(&job.root, fen ? fen : fen_start, &error)) fail_msg("%s", error.text);
    job.keys_seed = 1;
    if (!stream_make(&s, &job, &error)) fail_msg("%s", error.text);
    return s;
}

/* A game of three moves, each position with depths 3 and 4: eight perfts of four generations. */
static inline Stream new_game(void) {
    static const char *const text[] = {"e4", "c5", "Nf3"};
    Move move[3];
    Position p;
    TabiaError error;
    assert_true(fen_parse(&p, fen_start, &error));
    for (unsigned i = 0; i < 3; i++) {
        move[i] = move_from_text(&p, text[i], &error);
        position_make_move(&p, &p, move[i]);
    }
    return new_stream((StreamJob){.depth = 4, .threads = 2, .game = move, .plies = 3, .deepen = true}, NULL);
}
