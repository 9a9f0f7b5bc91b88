/* SPDX-License-Identifier: MIT */
#include "engine_protocol.h"

#include <assert.h>
#include <stddef.h>

/* Openings, middlegames, endgames, mates, Chess960; positions of our own. */
const char *const engine_protocol_bench_positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NBBN2/1P3PPP/R2Q1RK1 b - - 3 13",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "r4rk1/1pp1q1pp/p2b1p2/3Pp3/4P1b1/2N1BN2/PP2QPPP/R4RK1 w - - 0 15",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 1 38",
    "8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 0 45",
    "4r1k1/5ppp/p1Q5/1p6/8/1P3P2/P4q1P/3R3K w - - 2 31",
    "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 w - - 0 1",
    "1k6/1b3p2/pp2p1p1/4P2p/3N1P2/P3K1PP/1P6/8 w - - 0 33",
    "6k1/3R1p1p/6p1/p1p5/P1P1r3/7P/6P1/6K1 b - - 0 36",
    NULL,
};

void engine_protocol_board(const Position *p, char out[PROTOCOL_BOARD_MAX]) {
    char *at = out;
    for (int rank = 7; rank >= 0; rank--) {
        *at++ = (char)('1' + rank), *at++ = ' ';
        for (int file = 0; file < 8; file++) *at++ = ' ', *at++ = piece_character(p, 8 * rank + file);
        *at++ = '\n';
    }
    *at++ = ' ', *at++ = ' ';
    for (int file = 0; file < 8; file++) *at++ = ' ', *at++ = (char)('a' + file);
    *at++ = '\n';
    assert(at == out + PROTOCOL_BOARD_MAX - 1);
    *at = '\0';
}
