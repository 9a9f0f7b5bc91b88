/* SPDX-License-Identifier: MIT */
/*
 * A divide as other programs print it: how many leaves lie below each move, and their total. Programs differ, so this
 * is read with goodwill:
 *
 *   a move    e2e4: 600     e2e4 600     e2e4 - 600     info string e7e8q = 1
 *   a total   Nodes searched: 13160     perft(3) = 13160 in 0.01 s     13160
 *
 * A total is a line that is no move and has a number. It is certain when one of its numbers is the sum of the counts so far
 * and the line is nothing else or contains one of the words nodes, total, perft, leaf. With such a word and only other
 * numbers it may be the total (of a program that adds wrongly), or mean something else.
 */
#pragma once
#include "base/u128.h"
#include "notation/protocol.h"
#include <stdbool.h>

enum { DIVIDE_MAX = MOVES_MAX + 64 };

typedef struct {
    unsigned n;
    char move[DIVIDE_MAX][UCI_MAX]; /* as protocol_read_move copies them */
    U128 count[DIVIDE_MAX];
    U128 sum;   /* of the counts */
    U128 total; /* as the program says; set by DIVIDE_TOTAL and DIVIDE_MAYBE_TOTAL */
} Divide;

typedef enum {
    DIVIDE_OTHER,
    DIVIDE_MOVE,
    DIVIDE_TOTAL,
    DIVIDE_MAYBE_TOTAL,
    DIVIDE_FULL /* too many moves */
} DivideLine;

/* Reads one line into *d, which was zero at first, and says what it was. */
DivideLine divide_read(Divide *d, const char *line);
