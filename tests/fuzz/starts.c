/* SPDX-License-Identifier: MIT */
/* Random boards of chess have up to sixteen pieces of any type a side, kings and rooks on castling squares or anywhere. */
#include "starts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bridge.h"

const unsigned short_game_plies = 12;

static const char *const fens[] = {
    /* openings and middlegames */
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r3k2r/ppqnbppp/2p1pn2/3p1b2/3P1B2/2N1PN2/PPQ1BPPP/R3K2R w KQkq - 0 9",
    "r1b2rk1/pp1nbppp/1q2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 9",
    "2r2rk1/1b2bppp/p2qpn2/1p6/3BP3/P1NB1P2/1P2Q1PP/3R1R1K b - - 0 19",
    "r2qr1k1/1p1bbppp/p1np1n2/4p3/P2NP3/1BN1BP2/1PPQ2PP/R4RK1 w - - 0 14",
    "3r1rk1/pp3ppp/2n1b3/q2pP3/1b1P4/2NB1N2/PP1Q2PP/R4RK1 w - - 2 17",
    "r3kb1r/1bqn1ppp/p2ppn2/1p4B1/3NPP2/2N2Q2/PPP3PP/2KR1B1R w kq - 0 11",
    "rnbq1rk1/pp2ppbp/6p1/2p5/2BPP3/2P1B3/P3NPPP/R2QK2R b KQ - 3 9",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    /* pins, discovered checks and batteries */
    "4r1k1/5ppp/8/q2b4/4N3/2B1R3/5PPP/4K2R w K - 0 1",
    "3rk3/8/3q4/8/1b1R1n2/2N5/3K1B2/3R4 w - - 0 1",
    "r3k2r/8/4q3/2B5/4N3/b7/4Q3/R3K2R w KQkq - 0 1",
    "k2r3r/1q6/2b5/3p4/4P3/5B2/1R4Q1/3R2K1 b - - 0 1",
    "q6k/1b4r1/2r5/3n1N2/4P3/2R1Q3/1B4R1/K5Q1 w - - 0 1",
    "7k/2r2q2/8/1b1N4/2n1B3/3Q4/5rR1/K1R4b b - - 0 1",
    "4k3/4r3/8/4B3/1q2N2R/8/4R3/4K3 w - - 0 1",
    "2b1r1k1/8/1q3n2/8/3N4/4B3/5R2/r2Q2K1 w - - 0 1",
    /* en passant: open ranks, lines and diagonals, two takers */
    "8/8/8/KPp4r/8/8/8/7k w - c6 0 1",
    "8/2p5/8/KP5r/1R3p1k/8/4P3/8 w - - 0 1",
    "4k3/8/8/2pPpP2/8/8/8/B3K3 w - c6 0 1",
    "7b/8/5k2/8/2pPp3/8/1B6/4K2R b - d3 0 1",
    "3r4/1p1p1p1p/k7/P1P1P1P1/1p1p1p1p/7K/P1P1P1P1/3R4 w - - 0 1",
    "rnbqkb1r/p1p1pp1p/8/1pPp2pP/1P1pP3/8/P2P1P2/RNBQKBNR w KQkq g6 0 9",
    "1q5b/2p1p3/8/1P1P1P2/2pKp2r/8/1k1P1P2/4B2R w - - 0 1",
    /* promotion races */
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "r1n1b3/1P1P1P2/8/4k3/8/4K3/2p1p1p1/1B1R1N2 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/PPP1P1PP/8/8/8/8/ppp1p1pp/R3K2R w KQkq - 0 1",
    "2r1kr2/1P2P1P1/8/2q5/5Q2/8/1p1p2p1/R3K2R w KQ - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
    "7k/1P3P2/2n5/8/8/5N2/2p3p1/1K6 w - - 0 1",
    /* endings */
    "8/5pk1/6p1/7p/1P5P/2r5/5PP1/2R3K1 w - - 0 1",
    "8/2p5/1p1p4/p2P1k2/P1P5/1P3K2/8/8 b - - 0 1",
    "8/8/4k3/3n1p2/1B1K4/6P1/8/8 w - - 0 1",
    "8/1R6/5k2/5p2/r4P2/4K3/8/8 w - - 0 1",
    "8/8/8/2k5/4Q3/8/1r6/3K4 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "8/8/1n1b4/3k4/8/3K4/1B1N4/8 b - - 0 1",
    /* many queens, bishops, knights, rooks */
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3qk3/qq2q2q/8/2q2q2/2Q2Q2/8/Q2Q2QQ/3QK3 w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    "bbbbkbbb/pppp1ppp/8/8/8/8/PPPP1PPP/BBBBKBBB w - - 0 1",
    "1b1bk1b1/b1b1b3/1p1p1p2/8/8/2P1P1P1/3B1B1B/1B1BK1B1 b - - 0 1",
    "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1",
    "n1n1k1n1/3n1n2/n1n5/5n2/2N5/5N1N/2N1N3/1N1NKN1N w - - 0 1",
    "rrrrkrrr/8/8/3p4/3P4/8/8/RRRRKRRR w HAha - 0 1",
    "1r1rk1r1/1n1q1b1q/2b3n1/1Q3q2/2N2Q1B/1B1Q2R1/3R1N2/R3K2R w KQ - 0 1",
    /* castling, attacked and shielded */
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "rn2k2r/2p1p1b1/8/1N1B4/6n1/2n1P3/3P1P2/R3K1NR w KQkq - 0 1",
    "2r1k2r/Pb4p1/8/1R1Q4/5q1b/8/1p4P1/R3K2R w KQk - 0 1",
    /*
     * former bugs: a slider behind the only attacker, a castling path that several pieces attack, a pawn that screens
     * the line it moves on
     */
    "b5b1/2r2q1k/6R1/8/1N4R1/1B6/1K1n4/8 w - - 0 1",
    "r4rk1/1pp2ppp/p1npqn2/2b1p1B1/2B1P1b1/P1NP1NP1/1PP1QPKP/R4R2 b - - 2 11",
    "r5kr/6bN/6N1/n5N1/8/3B1b2/1n6/R3K2R w Hah - 0 1",
    "3k4/R6p/1R4pP/4Rr2/2P5/8/5pR1/RKR3RR w AG - 2 3",
    /* Chess960: one arrangement for both */
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w CAca - 0 1",
    "nrkbqrbn/pp1ppppp/2p5/8/8/5P2/PPPPP1PP/NRKBQRBN w FBfb - 0 2",
    "1rqkr3/p1pp1p1p/2n3pB/8/2P1b3/P2N1n2/1P1PPP1P/BRQKR2N w EBeb - 0 10",
    "rk5r/p1ppbppp/1p2p3/8/8/1P2P3/P1PPBPPP/RK5R b HAha - 0 9",
    "r1k4r/8/8/2q5/5Q2/8/8/R1K4R w HAha - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "6kr/8/8/8/4b3/4B3/8/6KR w Hh - 0 1",
    "rk6/8/2n5/8/8/5N2/8/RK6 b Aa - 0 1",
    "5rkr/5ppp/8/3q4/4Q3/8/5PPP/5RKR w HFhf - 0 1",
    /* the castling rook stands before an enemy in the corner */
    "4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1",
    "2kr3R/8/8/8/8/8/8/qR1K1R1r w FB - 0 1",
    "Qr2k1rQ/p6p/8/8/8/8/P6P/qR2K1Rq b GBgb - 0 1",
    /* double Chess960: the sides differ */
    "rkr5/pppppppp/8/8/8/8/PPPPPPPP/2R2K1R w HCca - 0 1",
    "1rk4r/p1pp2p1/8/1b1q4/4B1Q1/8/1P1P1P1P/R4KR1 w GAhb - 0 1",
    "bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/RKNBBQNR w HAec - 0 1",
    "qrbkrnnb/pp2pp1p/2p3p1/3p4/3P4/2P3P1/PP2PP1P/NRNBKBRQ b GBeb - 0 5",
    "3rk1r1/8/2n5/5B2/1b6/6N1/8/RK5R b HAgd - 0 1",
};

enum { START_COUNT = sizeof fens / sizeof *fens };

static Position listed_start(uint64_t *state) {
    const char *fen = fens[random_below(state, START_COUNT)];
    ReferenceBoard b;
    if (!reference_read(&b, fen) || reference_in_check(&b, !b.black_to_move)) {
        fprintf(stderr, "the listed start \"%s\" is not legal\n", fen);
        exit(2);
    }
    return position_from_reference(&b);
}

static bool one_in(uint64_t *state, unsigned n) {
    return random_below(state, n) == 0;
}

/*
 * A king anywhere, or on its back rank with rooks that may castle on one or both sides. Nothing if its square is
 * taken.
 */
static void place_king(ReferenceBoard *b, bool black, uint64_t *state) {
    const bool on_back_rank = !one_in(state, 3), standard = one_in(state, 2);
    const int row = black ? 56 : 0, file = standard ? 4 : (int)random_below(state, 8);
    const int king = on_back_rank ? row + file : (int)random_below(state, 64);
    if (b->piece[king] != '.') return;
    b->piece[king] = black ? 'k' : 'K';
    if (!on_back_rank) return;
    for (int right = 0; right < 2; right++) {
        const int squares = right ? 7 - file : file;
        if (squares == 0 || one_in(state, 4)) continue;
        const int distance = standard ? squares : 1 + (int)random_below(state, (unsigned)squares);
        const int rook = king + (right ? distance : -distance);
        if (b->piece[rook] != '.') continue;
        b->piece[rook] = black ? 'r' : 'R';
        b->rook_may_castle[rook] = !one_in(state, 4);
    }
}

/* Pieces of random types, as frequent as in `types`, on random empty squares, until the side has `pieces`. */
static void place_pieces(ReferenceBoard *b, bool black, const char *types, unsigned pieces, uint64_t *state) {
    unsigned placed = 0;
    for (int s = 0; s < 64; s++) placed += b->piece[s] != '.' && (b->piece[s] >= 'a') == black;
    for (; placed < pieces; placed++) {
        const int s = (int)random_below(state, 64);
        const char type = types[random_below(state, (unsigned)strlen(types))];
        if (b->piece[s] != '.' || (type == 'P' && (s < 8 || s >= 56))) continue;
        b->piece[s] = black ? (char)(type | 32) : type;
    }
}

static Position random_board_start(uint64_t *state) {
    static const char *const mixes[] = {"PPPNBR", "PPPPPPNNBBRRQ", "PNBRQ", "PPNBRQQQ", "PPPNNN", "PBBB",
                                        "PQ",     "NNB",           "PRR"};
    for (;;) {
        ReferenceBoard b = {.passed = -1, .fullmove = 1, .black_to_move = one_in(state, 2)};
        memset(b.piece, '.', sizeof b.piece);
        place_king(&b, false, state);
        place_king(&b, true, state);
        const char *types = mixes[random_below(state, sizeof mixes / sizeof *mixes)];
        const unsigned limit = one_in(state, 4) ? 16 : 12;
        for (int black = 0; black < 2; black++) place_pieces(&b, black, types, 1 + random_below(state, limit), state);
        const bool both_kings = memchr(b.piece, 'K', 64) && memchr(b.piece, 'k', 64);
        if (both_kings && !reference_in_check(&b, !b.black_to_move)) return position_from_reference(&b);
    }
}

Position random_start(uint64_t *state) {
    return one_in(state, 2) ? listed_start(state) : random_board_start(state);
}

void add_kinds(const Position *p, Move m, const Position *child, unsigned replies, uint64_t kinds[KINDS]) {
    const Colour us = (Colour)p->turn;
    const Bits own = p->side[us], after = child->side[us], to = bit(move_to(m));
    const Bits captured = p->side[!us] & ~child->side[!us];
    const Bits checkers = attackers(child, us, king_square(child, (Colour)!us), occupied(child));
    const Bits arrived = after & (~own | (child->orth & ~p->orth)); /* also a rook, where its king stood */
    kinds[KIND_CAPTURE] += captured != 0;
    kinds[KIND_EN_PASSANT] += captured && captured != to;
    kinds[KIND_CASTLING] += (own & to) != 0;
    kinds[KIND_PROMOTION] += popcount(child->pawn & after) != popcount(p->pawn & own);
    kinds[KIND_CHECK] += checkers != 0;
    kinds[KIND_DOUBLE] += popcount(checkers) > 1;
    kinds[KIND_DISCOVERED] += popcount(checkers) == 1 && !(checkers & arrived);
    kinds[KIND_MATE] += checkers && !replies;
}

bool reference_replies(const Position *p, uint64_t expected, uint64_t *replies) {
    const ReferenceBoard b = reference_from_position(p);
    (void)expected;
    *replies = reference_perft(&b, 2);
    return true;
}
