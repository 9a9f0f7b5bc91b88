/* SPDX-License-Identifier: MIT */
/*
 * A game for the solver of mates that is nothing but loops: a position is a node of a small graph, a move an edge, whose number is that of the node behind it and one more. Sides alternate;
 * whoever moves at a node without edges has lost.
 */
#pragma once
#include <stdlib.h>

#include "base/bits.h"
#include "base/random.h"
#include "tabia/table.h"

enum {
    GAME_SQUARES = 1,
    GAME_LEAVES_OUT_INTERPOSITIONS = 0,
    MOVES_MAX = 4,
    GRAPH_NODES = 120,
    GAME_PATH_MAX = 100,
    GAME_OCCURRENCES_MAX = 4
};
typedef uint16_t Move;
typedef unsigned Colour;
typedef uint64_t Key __attribute__((vector_size(16)));
typedef struct {
    uint64_t seed;
} Zobrist;

typedef struct {
    uint8_t edges[GRAPH_NODES], to[GRAPH_NODES][MOVES_MAX];
} GameGraph;

typedef struct {
    const GameGraph *graph;
    uint16_t node;
    uint8_t turn;
} Position;

INLINE uint64_t zobrist_identity(uint64_t seed) {
    return seed;
}
INLINE void zobrist_init(Zobrist *z, uint64_t seed) {
    z->seed = seed;
}
INLINE Key zobrist_key(const Zobrist *z, const Position *p) {
    uint64_t state = z->seed + 1000 * (p->node + 1u) + p->turn;
    const uint64_t first = random_next(&state);
    return (Key){first, random_next(&state)};
}
INLINE TabiaKey game_table_key(Key key) {
    return (TabiaKey){key[0], key[1]};
}
INLINE bool key_same(Key a, Key b) {
    return a[0] == b[0] && a[1] == b[1];
}
INLINE bool position_same(const Position *a, const Position *b) {
    return a->node == b->node && a->turn == b->turn;
}
INLINE unsigned moves_count(const Position *p) {
    return p->graph->edges[p->node];
}
INLINE unsigned game_moves(const Position *p, Move *list) {
    for (unsigned i = 0; i < moves_count(p); i++) list[i] = (Move)(p->graph->to[p->node][i] + 1);
    return moves_count(p);
}
INLINE bool game_has_move(const Position *p) {
    return moves_count(p) != 0;
}
INLINE bool game_is_legal(const Position *p, Move m) {
    for (unsigned i = 0; i < moves_count(p); i++)
        if (p->graph->to[p->node][i] + 1 == m) return true;
    return false;
}
INLINE void game_make_move(Position *n, const Position *p, Move m) {
    *n = (Position){p->graph, (uint16_t)(m - 1), !p->turn};
}
INLINE Key game_key_after(const Zobrist *z, const Position *p, Key key, Move m) {
    Position n;
    (void)key;
    game_make_move(&n, p, m);
    return zobrist_key(z, &n);
}
INLINE bool game_gives_check(const Position *p, Move m) {
    return p->graph && m <= GRAPH_NODES;
}
INLINE bool game_no_move_loses(const Position *p) {
    return p->graph != NULL;
}
INLINE int game_plies_to_draw(const Position *p) {
    return p->graph ? 10000 : 0;
}
INLINE bool game_in_check(const Position *p) {
    return p->graph == NULL;
}
INLINE Move game_mate_in_one(const Position *p) {
    return (Move)(p->turn * 0);
}
#include "games/common/no_hands.h"
/* Nothing is between two others. */
INLINE int game_interposes(const Position *p, Move m) {
    return p->graph ? 0 : m;
}
INLINE Move game_undo_interposition(const Position *p, int square, Position *n) {
    *n = *p;
    return (Move)(square * 0);
}
INLINE int game_target(Move m) {
    return m * 0;
}
