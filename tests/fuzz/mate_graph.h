/* SPDX-License-Identifier: MIT */
/*
 * What the solver of mates is judged by: all positions that checks and answers to them reach, solved backward from the
 * mates, without paths and without a table. And random positions, as boards whose pieces can be changed.
 */
#pragma once
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "game.h"
#include "mate_pieces.h"
#include "notation/fen.h"
#include "rules/checking_moves.h"

enum { UNSOLVED = 0xffff, MATE_SQUARES = MATE_FILES * MATE_FILES, FEN_ROOM = 200 };

/* ---- all positions ---- */

typedef struct {
    Position position;
    Key key;
    unsigned first, edges, open; /* open: moves of the defender that are not known to lose */
    bool attacks;
    uint16_t plies; /* to the mate */
} GraphNode;

typedef struct {
    GraphNode *node;
    unsigned *slot, *edge, *from, *end, *queue;
    unsigned room, nodes, edges;
    bool interposed; /* lengths may leave moves out */
    Zobrist zobrist;
} Graph;

static inline Graph *graph_create(unsigned room) {
    Graph *g = calloc(1, sizeof *g);
    assert(g);
    g->room = room;
    g->node = aligned_alloc(64, (room * sizeof *g->node + 63) / 64 * 64);
    g->slot = calloc(4 * room, sizeof *g->slot);
    g->edge = malloc(32 * room * sizeof *g->edge), g->from = malloc(32 * room * sizeof *g->from);
    g->end = malloc(room * sizeof *g->end), g->queue = malloc(room * sizeof *g->queue);
    assert(g->node && g->slot && g->edge && g->from && g->end && g->queue);
    zobrist_init(&g->zobrist, 1);
    return g;
}

static inline void graph_destroy(Graph *g) {
    free(g->node), free(g->slot), free(g->edge), free(g->from), free(g->end), free(g->queue), free(g);
}

/* The node of a position, which is added if it is not there; NULL: there is no room. */
static inline GraphNode *graph_node(Graph *g, const Position *p, Key key, bool attacks) {
    unsigned at = (unsigned)(key[0] % (4 * g->room));
    for (; g->slot[at]; at = (at + 1) % (4 * g->room))
        if (key_same(g->node[g->slot[at] - 1].key, key)) return &g->node[g->slot[at] - 1];
    if (g->nodes == g->room) return NULL;
    g->node[g->nodes] = (GraphNode){.position = *p, .key = key, .attacks = attacks, .plies = UNSOLVED};
    g->slot[at] = ++g->nodes;
    return &g->node[g->nodes - 1];
}

static inline bool graph_expand(Graph *g, GraphNode *n) {
    Move list[MOVES_MAX];
    const Position *p = &n->position;
    const unsigned moves = n->attacks ? list_checking_moves(p, (Colour)p->turn, list) : game_moves(p, list);
    if (!moves && !n->attacks && game_no_move_loses(p)) n->plies = 0;
    n->first = g->edges, n->edges = n->open = moves;
    if (g->edges + moves > 32 * g->room) return false;
    for (unsigned m = 0; m < moves; m++) {
        Position next;
        game_make_move(&next, p, list[m]);
        g->interposed |= !n->attacks && game_interposes(p, list[m]);
        const GraphNode *to = graph_node(g, &next, game_key_after(&g->zobrist, p, n->key, list[m]), !n->attacks);
        if (!to) return false;
        g->edge[g->edges++] = (unsigned)(to - g->node);
    }
    return true;
}

/* from[end[i - 1] .. end[i]] are the nodes from which a move leads to i. */
static inline void graph_turn_edges(Graph *g) {
    memset(g->end, 0, g->nodes * sizeof *g->end);
    for (unsigned e = 0; e < g->edges; e++)
        if (g->edge[e] + 1 < g->nodes) g->end[g->edge[e] + 1]++;
    for (unsigned i = 1; i < g->nodes; i++) g->end[i] += g->end[i - 1];
    for (unsigned i = 0; i < g->nodes; i++)
        for (unsigned e = 0; e < g->node[i].edges; e++) g->from[g->end[g->edge[g->node[i].first + e]]++] = i;
}

/* Backward from the mates, the shortest first. */
static inline void graph_solve_backward(Graph *g) {
    unsigned queued = 0;
    graph_turn_edges(g);
    for (unsigned i = 0; i < g->nodes; i++)
        if (g->node[i].plies == 0) g->queue[queued++] = i;
    for (unsigned q = 0; q < queued; q++) {
        const unsigned i = g->queue[q];
        for (unsigned e = i ? g->end[i - 1] : 0; e < g->end[i]; e++) {
            GraphNode *n = &g->node[g->from[e]];
            if (n->plies != UNSOLVED || (!n->attacks && --n->open)) continue;
            n->plies = (uint16_t)(g->node[i].plies + 1);
            g->queue[queued++] = g->from[e];
        }
    }
}

/* Builds and solves what a position reaches, whose node is the first; false: it is too large. */
static inline bool graph_solve(Graph *g, const Position *root) {
    memset(g->slot, 0, 4 * g->room * sizeof *g->slot);
    g->nodes = g->edges = 0, g->interposed = false;
    graph_node(g, root, zobrist_key(&g->zobrist, root), true);
    for (unsigned i = 0; i < g->nodes; i++)
        if (!graph_expand(g, &g->node[i])) return false;
    graph_solve_backward(g);
    return true;
}

/* ---- random positions ---- */

typedef struct {
    char square[MATE_SQUARES], hand[40];
} Board;

/* Puts n of the pieces on squares of the first `area` files and rows that are empty. */
static inline void board_put(Board *b, const char *pieces, unsigned n, unsigned area, uint64_t *random) {
    for (unsigned tries = 1000; n && tries; tries--) {
        char *at = &b->square[random_below(random, area) * MATE_FILES + random_below(random, area)];
        if (*at) continue;
        *at = pieces[random_below(random, (unsigned)strlen(pieces))];
        n--;
    }
}

static inline Board board_random(unsigned area, unsigned defenders_max, uint64_t *random) {
    Board b = {.hand = "-"};
    for (const char *king = mate_kings; *king; king++)
        board_put(&b, (char[2]){*king, '\0'}, 1, *king == 'k' ? 2 : area, random); /* in the corner */
    board_put(&b, mate_attackers, 1 + random_below(random, MATE_ATTACKERS_MAX), area, random);
    board_put(&b, mate_defenders, random_below(random, defenders_max + 1), area, random);
    if (MATE_HANDS && random_below(random, 2)) b.hand[0] = mate_drop[random_below(random, (unsigned)strlen(mate_drop))];
    return b;
}

/* Promoted pieces have letters of their own. False: it is no legal position. */
static inline bool board_position(const Board *b, Position *p, char fen[FEN_ROOM]) {
    char *out = fen;
    for (int i = 0; i < MATE_SQUARES; i++) {
        if (i && i % MATE_FILES == 0) *out++ = '/';
        const char *at = b->square[i] ? strchr(mate_promoted, b->square[i]) : NULL;
        if (at) *out++ = '+';
        if (b->square[i])
            *out++ = at ? mate_unpromoted[at - mate_promoted] : b->square[i];
        else if (i % MATE_FILES && out[-1] >= '1' && out[-1] <= '8')
            out[-1]++;
        else
            *out++ = '1';
    }
    *out = '\0';
    strcat(strcat(strcat(fen, mate_turn), b->hand), mate_rest);
    return fen_parse(p, fen, NULL);
}

static inline Board board_of(const char *fen) {
    Board b = {0};
    unsigned i = 0;
    for (bool promoted = false; *fen != ' '; fen++) {
        if (*fen >= '1' && *fen <= '9')
            i += (unsigned)(*fen - '0');
        else if (*fen == '+')
            promoted = true;
        else if (*fen != '/')
            b.square[i++] = promoted ? mate_promoted[strchr(mate_unpromoted, *fen) - mate_unpromoted] : *fen,
            promoted = false;
    }
    sscanf(fen, " %*s %39s", b.hand);
    return b;
}
