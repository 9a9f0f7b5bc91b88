/* SPDX-License-Identifier: MIT */
/* The legal moves, as a game's generator (rules/movegen.h) gives them, and its instances without constants. */
#pragma once
#include "rules/position.h"
#include "rules/zobrist.h"

typedef enum { GEN_COUNT, GEN_LIST, GEN_VISIT, GEN_SETS } GenMode;

/* Called for each move in the mode GEN_VISIT. */
typedef void MoveVisitor(void *context, UnpackedMove m);

/* In chess alone, where rules/movegen.h says what a set is: in the mode GEN_SETS this is called for each set of moves, and
   `visit` for the moves that are in none. */
typedef struct MoveSet MoveSet;
typedef void MoveSetVisitor(void *context, const MoveSet *moves);

typedef struct {
    unsigned n;         /* GEN_COUNT: counted so far */
    Move *next;         /* GEN_LIST: where the next move is written */
    MoveVisitor *visit; /* a constant */
    MoveSetVisitor *visit_set;
    void *context;
} MoveSink;

/* Writes the legal moves to list (room for MOVES_MAX) and returns their number. */
unsigned moves_list(const Position *p, Move *list);
/* The number of legal moves. */
unsigned moves_count(const Position *p);
/* Only captures, and promotions (in chess: to a queen), capturing or not; and only the others. */
unsigned moves_list_captures(const Position *p, Move *list);
unsigned moves_list_quiets(const Position *p, Move *list);
/* Is m, which may be any 16 bits, among the legal moves? Found without listing them. */
bool move_is_legal(const Position *p, Move m);
/* Writes to *n the position after a legal move; n may be p. */
void position_make_move(Position *n, const Position *p, Move m);
/* The key of that position, given the key of *p. */
Key position_key_after(const Position *p, Key key, Move m, const Zobrist *z);
