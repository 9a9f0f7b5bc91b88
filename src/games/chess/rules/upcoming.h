/* SPDX-License-Identifier: MIT */
/*
 * Upcoming repetitions: is there a move that leads back to an earlier position? The keys of two positions that differ
 * by one reversible move differ by a number that only that move has. All those numbers (3,668 of them for chess) are
 * kept in a hash table (Marcel van Kervinck, "The design and implementation of the Rookie 2.0 chess playing program",
 * 2002). His is a cuckoo hash table, which some Zobrist numbers do not fit in; this one has open addressing.
 */
#pragma once
#include "zobrist.h"

enum { UPCOMING_SLOTS = 8192 };

/* Belongs to one set of Zobrist numbers; constant once initialised. 80 KiB. */
typedef struct {
    uint64_t difference[UPCOMING_SLOTS]; /* of the keys' second words; 0: empty */
    uint16_t squares[UPCOMING_SLOTS];    /* the two squares, 6 bits each */
} UpcomingTable;

/* Fills the table for these Zobrist numbers. */
void upcoming_init(UpcomingTable *u, const Zobrist *z);

/*
 * Could the side to move in p reach, by one pseudo-legal reversible move, a position whose key's second word differs by
 * `difference`? Any thread.
 */
bool upcoming_finds_move(const UpcomingTable *u, const Position *p, uint64_t difference);
