/* SPDX-License-Identifier: MIT */
/*
 * Upcoming repetitions: is there a move that leads back to an earlier position? The keys of two positions that differ
 * by one reversible move differ by a number that only that move has. All those numbers (3,668 of them for chess) are
 * kept in a cuckoo table, so that the question costs two look-ups (Marcel van Kervinck, "The design and implementation
 * of the Rookie 2.0 chess playing program", 2002).
 */
#pragma once
#include "zobrist.h"

enum { UPCOMING_SLOTS = 8192 };

/* Belongs to one set of Zobrist numbers; constant once made. */
typedef struct {
    uint64_t difference[UPCOMING_SLOTS]; /* of the keys' second words; 0: empty */
    uint16_t squares[UPCOMING_SLOTS];    /* the two squares, 6 bits each */
} Upcoming;

void upcoming_init(Upcoming *u, const Zobrist *z);

/* Could the side to move in p reach, by one legal-looking reversible move, a position whose key differs by
   `difference`? */
bool upcoming_move(const Upcoming *u, const Position *p, uint64_t difference);
