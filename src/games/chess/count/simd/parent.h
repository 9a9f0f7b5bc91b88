/* SPDX-License-Identifier: MIT */
/*
 * What all children of one parent share.
 *
 * `A` is the side to move in the parent, `B` the side whose replies are counted. In all children B's pieces stand on
 * the same squares, but for one that was captured, and B's king always does. So whatever depends on a square of B is
 * found once, here, and used in all lanes; only the occupied squares and A's pieces differ from lane to lane.
 *
 *      parent, A to move          children                         counted
 *                          |-- A's move 1: lane 0 --|
 *      B's pieces: common  |-- A's move 2: lane 1 --|        B's replies to each
 *                          |-- ...                --|
 */
#pragma once
#include "bitboard_vector.h"
#include "rules/movegen.h"

/* The piece type, a bit each; a queen has two. Critical squares are marked with the same bits. */
enum { BIT_PAWN = 4, BIT_KNIGHT = 8, BIT_DIAG = 16, BIT_ORTH = 32, BIT_KING = 64, BIT_ANY = 124 };

typedef struct {
    Bits pawn, knight, diag, orth, king, all;
} PieceSets;

/* B's castling toward one side, if a child may allow it; else rook is empty. */
typedef struct {
    Bits rook;
    Bits path; /* must be empty: what king and rook cross and land on, without themselves */
    Bits safe; /* must not be attacked: what the king crosses and lands on */
} ReplyCastling;

typedef struct {
    PieceSets a, b;
    Bits occ;
    int king; /* B's */
    Bits near_king;
    Bits pawn_checks;                        /* from here an A pawn gives check */
    Bits file, rank, diagonal, antidiagonal; /* lines through B's king, without it */
    ReplyCastling castle[2];
    unsigned rays;   /* those from B's king on which a child may have an A slider of the ray's kind */
    bool promotes;   /* B has a pawn on its seventh rank */
    bool kings_meet; /* A's king may come to attack a square that B's king, also when castling, needs */
    bool diagonals;  /* any bishop or queen, of either side, in any child? */
    bool castles;    /* castle[0] or [1] is there */
} ParentContext;

INLINE PieceSets piece_sets(const Position *p, Colour c) {
    const Bits s = p->side[c];
    return (PieceSets){p->pawn & s, p->knight & s, p->diag & s, p->orth & s, p->king & s, s};
}

/* A piece of B on the path stays for good: if it is captured, the capturer stands there. */
INLINE ReplyCastling find_reply_castling(const Position *p, Colour b, int king, bool is_short) {
    const Bits rook = castling_rook(p, b, is_short);
    if (!rook) return (ReplyCastling){0, 0, 0};
    const Bits king_way = squares_between[king][castled_king(b, is_short)];
    const Bits rook_way = squares_between[lsb(rook)][castled_rook(b, is_short)];
    const Bits path = (king_way | rook_way) & ~(rook | bit(king));
    if (path & p->side[b]) return (ReplyCastling){0, 0, 0};
    return (ReplyCastling){rook, path, king_way};
}

/* Sets all but rays and diagonals, which depend on the moves of A (child_list.h). */
INLINE void find_parent_context(ParentContext *c, const Position *p, Colour b) {
    c->a = piece_sets(p, (Colour)!b);
    c->b = piece_sets(p, b);
    c->occ = c->a.all | c->b.all;
    assert(p->turn != b && c->b.king && !more_than_one(c->b.king));
    const int k = c->king = lsb(c->b.king);
    c->near_king = king_attacks[k];
    c->pawn_checks = pawn_attacks[b][k];
    c->file = rays[k][NORTH] | rays[k][SOUTH];
    c->rank = rays[k][EAST] | rays[k][WEST];
    c->diagonal = rays[k][NORTH_EAST] | rays[k][SOUTH_WEST];
    c->antidiagonal = rays[k][NORTH_WEST] | rays[k][SOUTH_EAST];
    c->castles = false;
    c->castle[0] = c->castle[1] = (ReplyCastling){0, 0, 0};
    if (p->castle[b]) {
        c->castle[0] = find_reply_castling(p, b, k, true);
        c->castle[1] = find_reply_castling(p, b, k, false);
        c->castles = (c->castle[0].rook | c->castle[1].rook) != 0;
    }
    c->promotes = (c->b.pawn & pawn_start_rank((Colour)!b)) != 0;
    /* One rank by A's move, one that its king attacks, one that B's king steps. */
    const int apart = rank_of(lsb(c->a.king)) - rank_of(k);
    c->kings_meet = apart >= -3 && apart <= 3;
}
