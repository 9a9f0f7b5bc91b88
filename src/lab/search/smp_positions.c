/* SPDX-License-Identifier: MIT */
/* The positions of the measurement: fifty of our own, or a file's. */
#include <stdlib.h>

#include "game.h"
#include "notation/fen.h"
#include "position_list.h"
#include "smp_speedup.h"

/* From games that the engine played against itself from random openings, by 3,000 nodes a move: at most two of each
   game, at plies from 4 to 100, where its score was within five pawns. */
static const char *const built_in[] = {
    "rq2k2r/1ppbn1b1/p2p3p/N2Pppp1/6n1/1QP1B1P1/PP2PPBP/R4RNK b k - 3 16",
    "rnb1kbnr/1pp2ppp/5q2/p2pp2P/8/2P1P3/PP1P1PP1/RNBQKBNR w Qkq - 0 7",
    "rnbqk1nr/pp1pp1b1/5pp1/1Pp4p/2B1P3/2N3P1/P1PP1P1P/R1BQK1NR w KQkq - 2 7",
    "r3kbnr/1b2qpp1/p1pp4/1pn1p2p/2P5/2NP1NPP/PPQ1PPB1/R1B1K2R b KQkq - 5 12",
    "rnbqkbnr/ppp3pp/4p3/3p1pN1/PP1P4/8/R1P1PPPP/1NBQKB1R w K - 2 7",
    "r2qkbnr/pbpppp1p/n5p1/1p6/3PP3/2P5/P3NPPP/R1BQKBNR w KQkq - 1 7",
    "rnbqkbnr/1pp2p2/3p3p/1p2p1p1/2PP4/4P3/PB3PPP/RN1QKBNR w KQkq - 0 7",
    "1r1qkbnr/1bpp1ppp/np6/4p3/8/N2P3P/1PP1PPP1/R1BQKBNR w KQk - 1 7",
    "1nbq1b1r/1p2nQp1/2k1pp1p/r1pp4/7N/P1NPP3/2PB1PPP/R3KB1R w KQ - 6 12",
    "2bq1bnr/r1p2k1p/p1n5/1p1p1pp1/3P4/2N1BPP1/PPP1NK1P/R2Q1B1R w - - 0 12",
    "r2qkb1r/ppp1pppp/5n2/8/1np1P3/1PN4Q/P1PP1PPP/R1B1K1NR w KQkq - 2 7",
    "rnbqkb1r/4pppp/p4N2/1pp5/4P2Q/8/PPPP1PPP/1RB1KBNR b Kkq - 0 7",
    "rnb1kbnr/3pppp1/2p5/qp5p/8/4PN2/P1PP1PPP/RNBQKBR1 b Qkq - 1 7",
    "rn1qkbr1/3pp2p/2p2ppn/p7/1p1P1P2/4PN2/PPPB2PP/RN1Q1RK1 w q - 2 12",
    "rnb2rk1/ppq1p1bp/2pp2p1/7n/4PP2/P4N2/1PP1N1PP/R1BKQB1R b - - 2 12",
    "r1bqkb1r/ppp3p1/4pnPp/5p2/3PP2P/P1N5/1PPQP3/R1B1K1NR b KQ - 0 12",
    "1r1qk1nr/ppp1ppbp/3p2p1/7b/2P4P/P2P1N2/2P1PP2/1RBQKBR1 b k - 0 12",
    "r1bqk2r/pp3pb1/n5pp/2pp3n/4PP2/B1N3P1/P1PK2BP/R2Q2NR w kq - 0 12",
    "1r1q1rk1/1b2bpp1/p3pn1p/1p1p4/3P3P/2PNP1P1/1PQB1PB1/R4RK1 b - - 2 20",
    "r1b1qrk1/1p4pp/p1np1n2/5p2/5Q1P/2N2N2/PPP1PPP1/1K1R1B1R b - - 2 12",
    "2b1kb1r/2pq1pp1/r1n1p3/7p/1p1P3P/Pp2P1P1/1B1NQPB1/R4RK1 w - - 0 20",
    "r3k2r/2p1bppp/p1n1b3/1p1q1p2/1P1P4/P3PN2/4B1PP/1RBQ1RK1 w kq - 0 16",
    "rn1q4/p1p1rkpp/1p2b3/2bp1p2/8/1QNB3P/PBPP1PP1/R4K1R w - - 6 16",
    "2k1rb1r/pbp1q1pp/4pn2/1Pn5/2B1pB2/1QN5/P3NPPP/3R1RK1 w - - 8 16",
    "2b2rk1/rpp2p2/p1nq1n2/3p2p1/3Pp1P1/P1P5/1P1NBP1N/R2Q1RK1 w - - 0 16",
    "r3kb1r/pbp2p2/1p4p1/7p/3Np3/1PqP2PP/P1N1KP2/R2Q1BR1 b kq - 1 16",
    "3k1bnr/1b4q1/r1n2p2/1Np1pBp1/2N1P2p/3P3P/1B3PP1/R2Q1KR1 b - - 10 25",
    "2r1b2r/1p3kpp/pnpBpn2/5p2/PP1P4/1BN1qPP1/2R5/3Q1RK1 w - - 0 25",
    "r4bnk/1b5p/p1n5/1pppp1PR/4P3/P2P1N2/1PP2PP1/R1B1K3 w Q - 0 16",
    "2b1k3/1pppqpp1/8/4P2p/1bP1PBP1/1nNK4/1Q4PP/r4BNR b - - 1 20",
    "r1b2rk1/4n2p/2Pb2pP/ppn5/5p2/1PN1BN1R/1P2B1P1/R5K1 w - - 1 25",
    "r3k2r/2pp1ppp/pp6/1P6/PbP5/4PP2/2QN1KPP/q4B1R b kq - 1 16",
    "rn2r1k1/p4ppp/1n6/1Ppp2P1/7P/1P2PNb1/1B1P4/R2K1B1R w - - 0 20",
    "2rrqnk1/1b3pp1/p3p3/1p1p2Q1/4P2P/2P2PB1/1P4B1/R2R2K1 b - - 2 33",
    "r3kb1r/6pp/p2qB3/2p5/Pn6/2Qb1PNP/1B1P1PK1/4R1R1 b q - 6 25",
    "r1b1k3/2q2p2/ppn2b2/2p4p/4P2P/P1P5/1P1N1P2/R2Q1RK1 b q - 0 20",
    "1rr5/Rbpk2bp/1p1pp1p1/1N6/5B2/1NP2P1P/6P1/4R1K1 w - - 4 25",
    "6kr/5pbp/b5p1/1N1n4/P1r5/2p1BN2/5PPP/2R1K2R w K - 8 25",
    "4rrk1/p4pp1/1p5p/2p2Q2/P2q4/2NP4/2PK2PP/1RB5 w - - 3 25",
    "3q1k1r/1Q2p1b1/1N2Bppn/1P2p3/4P3/3p2P1/2P4P/5RK1 w - - 2 25",
    "4r1k1/p2nr1p1/1n4Pp/1Pp2B2/3p1R2/BP2P3/3PK3/R7 w - - 2 33",
    "4k2r/p2p3p/bp3p1p/3P4/7P/8/PP1N1PP1/R3K3 w k - 1 20",
    "1r2R1k1/6bp/2B3p1/1P3n2/p1p4P/P7/R1P2r2/1KN5 b - - 3 40",
    "2b1k3/5p2/2p3nB/3p4/1q3P2/4PQ1p/r3BP2/3R1K2 w - - 0 25",
    "3r2k1/3p2b1/1qp3p1/2NnP3/2Q3P1/1P3N2/P7/5RK1 w - - 1 40",
    "4b3/2b4R/5p2/3n3p/1n1kP1pN/6P1/5PBP/6K1 w - - 0 40",
    "8/3p1k1p/4bp1p/p7/3r3P/P1N3P1/1K2RP2/8 w - - 2 33",
    "8/2p5/k1P5/4p1p1/1r5p/1pR1KP1P/6P1/8 w - - 2 55",
    "4r1k1/3Q1bp1/8/8/4p3/P3q3/1PP5/1K3R2 b - - 1 40",
    "6k1/5q2/1p1B2r1/6P1/1n6/p5Q1/P2R4/6K1 b - - 2 55",
};

static bool append_position(SmpPositions *p, const Position *at, TabiaError *error) {
    Position *all = position_list_reserve(p->all, p->n, sizeof *all, error);
    if (!all) return false;
    p->all = all;
    all[p->n++] = *at;
    return true;
}

void smp_positions_free(SmpPositions *p) {
    free(p->all);
    *p = (SmpPositions){0};
}

bool smp_positions_built_in(SmpPositions *p, TabiaError *error) {
    *p = (SmpPositions){0};
    bool good = true;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in && good; i++) {
        Position at;
        good = fen_parse(&at, built_in[i], error) && append_position(p, &at, error);
    }
    if (!good) smp_positions_free(p);
    return good;
}

static bool on_position(void *positions, const Position *at, const char *operations, TabiaError *error) {
    (void)operations;
    if (!game_has_move(at)) return tabia_fail(error, "no legal move, so nothing to search");
    return append_position(positions, at, error);
}

bool smp_positions_read(SmpPositions *p, const char *path, TabiaError *error) {
    *p = (SmpPositions){0};
    const bool good =
        positions_read(path, on_position, p, error) && (p->n || tabia_fail(error, "%s has no position", path));
    if (!good) smp_positions_free(p);
    return good;
}
