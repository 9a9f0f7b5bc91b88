/* SPDX-License-Identifier: MIT */
/*
 * Upcoming repetitions: is there a move that leads back to an earlier position? The keys of two positions that differ
 * by one reversible move differ by a number that only that move has. All those numbers (3,668 of them for chess) are
 * kept in a cuckoo hash table, so that the question costs two look-ups (Marcel van Kervinck, "The design and
 * implementation of the Rookie 2.0 chess playing program", 2002).
 */
#pragma once
#include "zobrist.h"

enum { CUCKOO_SLOTS = 8192 };

/* Belongs to one set of Zobrist numbers; constant once initialised. 80 KiB. */
typedef struct {
    uint64_t difference[CUCKOO_SLOTS]; /* of the keys' second words; 0: empty */
    uint16_t squares[CUCKOO_SLOTS];    /* the two squares, 6 bits each */
} CuckooTable;

/* Fills the table for these Zobrist numbers. */
void cuckoo_init(CuckooTable *u, const Zobrist *z);

/*
 * Could the side to move in p reach, by one pseudo-legal reversible move, a position whose key's second word differs by
 * `difference`? Any thread.
 */
bool cuckoo_finds_move(const CuckooTable *u, const Position *p, uint64_t difference);
