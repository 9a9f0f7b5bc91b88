/* SPDX-License-Identifier: MIT */
/* Positions of chess whose outcome is known: endings that are solved, and locked ones. */
#include <stddef.h>

#include "path_keys.h"

/* Two from the middle of games, two endings whose halfmove clock has run for a while. */
const char *const path_key_node_positions[] = {
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 61 78",
    "1k6/1b3p2/pp2p1p1/4P2p/3N1P2/P3K1PP/1P6/8 w - - 55 73",
    NULL,
};

/* An ending at two halfmove clocks: mate falls on the 100th ply, and one ply later. */
#define PAIR(board, clock, late) board " w - - " clock " 100; expect win", board " w - - " late " 100; expect draw"

/* The endings are any with an odd number of plies to mate, from 5 to 15. In the last three every pawn stands before another and next to
   none it could take; a king cannot pass, and bishops of the colour of their own pawns can take nothing but each other: nobody ever wins. */
const char *const path_key_built_in[] = {
    PAIR("8/8/8/8/K7/8/1k6/5Q2", "95", "96"),
    PAIR("8/8/8/k7/8/3K4/2Q5/8", "93", "94"),
    PAIR("8/8/Q7/8/2K5/8/8/4k3", "91", "92"),
    PAIR("8/8/8/8/6Q1/2k5/6K1/8", "89", "90"),
    PAIR("8/8/2k5/8/8/Q7/4K3/8", "87", "88"),
    PAIR("3K4/8/7Q/8/8/8/2k5/8", "85", "86"),
    PAIR("7k/8/8/R3K3/8/8/8/8", "95", "96"),
    PAIR("8/8/8/8/K7/3R4/k7/8", "93", "94"),
    PAIR("k7/8/8/8/1K6/8/2R5/8", "91", "92"),
    PAIR("8/8/8/2R5/8/3K4/7k/8", "89", "90"),
    PAIR("8/k7/8/8/8/8/4K3/3R4", "87", "88"),
    PAIR("8/8/8/8/8/R7/3k4/5K2", "85", "86"),
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BK3 w - - 0 60; expect draw",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BKB2 w - - 72 96; expect draw",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1B1BKB2 w - - 88 104; expect draw",
    NULL,
};
