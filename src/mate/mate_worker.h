/* SPDX-License-Identifier: MIT */
/*
 * A thread of the solver: the path from the root to the node that it is at, with the moves of each node of it.
 *
 *     frame[0 .. ply]     the path; the attacker moves at even plies
 *     child[0 .. used]    the moves of frame 0, then of frame 1, and so on
 *
 * Frames are a stack of its own, and not calls, since mates are up to thousands of plies long.
 */
#pragma once
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mate.h"
#include "mate_record.h"

enum {
    MATE_PLY_MAX = 4000,
    MATE_FILTER = 1 << 16, /* counters of the boards and of the positions on the path */
    MATE_BUSY = 1 << 16,   /* counters of the nodes that threads are at */
    MATE_PATIENCE = 1 << 9
};

/* A move, and what is known of the position behind it. */
typedef struct {
    Key key;
    uint32_t number[2];
    Move move;
    uint16_t length;
    int16_t ply;     /* of its record, or MATE_PLY_NONE */
    MatePlies hangs; /* a disproof: on which plies of the path; 0: it holds for all paths */
    uint32_t hand;   /* of a result: see hands.c */
    uint16_t last;   /* as `length` of an unsolved record */
    uint16_t after;  /* its turn comes if that child, less one, loses; 0: at once */
    bool overlaps;   /* what is behind it is behind another such child too */
    uint32_t below;  /* of its record: `overlaps` of MateEntry */
    bool interposes; /* a defence that may be left out, in a search with a limit of plies */
    bool is_undo;    /* the attacker undoes one */
} MateChild;

/* What was known of a node when it was entered, from its record, and how many nodes there had been; and which of its first 32
   children overlap. */
typedef struct {
    uint32_t number[2];
    uint16_t last;
    int16_t ply;
    uint32_t overlaps;
    uint64_t nodes;
} MateEntry;

typedef struct {
    Position position;
    Key key, board; /* board: without hands */
    uint64_t path_key;
    unsigned first, children; /* of the array */
    unsigned chosen;          /* the child that is searched */
    unsigned left;            /* one more than the plies to the mate at most; 0: no limit */
    unsigned
        others_left; /* as `left`, for the defences that do not interpose: all are proven to take no longer. After an
                                 interposition those of the parent. 0: not all are proven */
    Move interposition;
    uint32_t number[2], limit[2];
    Move move; /* of a proof */
    uint16_t length;
    uint32_t hand; /* of a result: see hands.c */
    bool attacks;  /* whose turn is it? */
    MatePlies hangs;
    bool by_clock; /* `left` is what the 50-move rule leaves */
    bool extends;  /* the limits give way until a new node is reached */
    MateEntry entry;
} MateFrame;

typedef struct MateRegion MateRegion;
typedef struct MateMemory MateMemory;

typedef struct {
    MateSolver *solver;
    MateRegion *region;
    MateMemory *memory;
    MateFrame *frame;
    MateChild *child;
    unsigned child_room;
    int ply;
    uint64_t nodes;
    uint64_t nodes_said;         /* that the solver knows of */
    bool is_solved;              /* frame[0] has the result */
    bool is_cut;                 /* something was disproven for want of room */
    unsigned window, window_new; /* nodes of late, and those that were not met before */
    unsigned since, since_new;   /* the same since the root was last returned to or looked at for that */
    unsigned patience;           /* how many of them at least */
    uint8_t filter[MATE_FILTER], on_path[MATE_FILTER];
} MateWorker;

struct MateSolver {
    MateSettings settings;
    TabiaTable *table;
    Zobrist *zobrist;
    MateWorker *worker;
    MateLimits limits;
    Position root;
    Key *ended; /* positions that would end the game by occurring once more */
    unsigned ended_n;
    unsigned left;
    bool by_clock;
    bool uses_hands; /* a result says something of the same board with other hands */
    uint64_t nodes_max;
    double began, said;
    atomic_bool ends; /* a worker has the result, or a limit is reached */
    _Atomic uint64_t nodes;
    _Atomic uint8_t busy[MATE_BUSY];
    atomic_bool has_failed; /* for want of memory */
};

INLINE MateFrame *mate_top(MateWorker *w) {
    return &w->frame[w->ply];
}
INLINE MateChild *mate_child(const MateWorker *w, const MateFrame *f, unsigned i) {
    return &w->child[f->first + i];
}
/* By cache lines, as positions are. NULL: there is no memory. */
INLINE void *mate_allocate(size_t bytes) {
    return tabia_aligned_get(64, (bytes + 63) / 64 * 64);
}
/* How many of `each` bytes fit: a power of two, from 1 to max. */
INLINE size_t mate_fit(size_t bytes, size_t each, size_t max) {
    size_t n = 1;
    while (n < max && 2 * n * each <= bytes) n *= 2;
    return n;
}
INLINE bool mate_is_attacker(int ply) {
    return ply % 2 == 0;
}
INLINE bool mate_is_solved(const uint32_t number[2]) {
    return !number[PROOF] || !number[DISPROOF];
}

/* The key without hands. */
INLINE Key mate_board_key(const MateSolver *s, const MateFrame *f) {
    return f->key ^ game_hands_key(s->zobrist, &f->position);
}
/* What the attacker has in hand. */
INLINE uint32_t mate_hand(const Position *p, bool attacks) {
    return game_hand(p, attacks ? p->turn : !p->turn);
}

/* Does the game end before a move can be made in the position of that key? */
INLINE bool mate_has_ended(const MateSolver *s, Key key) {
    for (unsigned i = 0; i < s->ended_n; i++)
        if (key_same(s->ended[i], key)) return true;
    return false;
}

/* Writes the moves that count for the side to move; returns how many. */
unsigned mate_moves(const MateSolver *s, const Position *p, bool is_attacker, Move list[MOVES_MAX]);

/* Lists the moves of the top frame with what is known of each. False if there is no memory. */
bool mate_expand(MateWorker *w);

/* Is a side mated, if interpositions are left out after which nothing else is left either? */
bool mate_is_mated(const Position *p);

/* Begins the frame *n of a child of f. */
void mate_begin_child(const MateFrame *f, const MateChild *c, MateFrame *n);

/* What is known of a child of the top frame: from path and table, or by a look at its moves. */
void mate_look_up(MateWorker *w, MateChild *c);

/* The hand of a node's result: by a child that decides it, and by all children, which are f->children from `child` on. */
uint32_t mate_won_hand(const MateFrame *f, const MateChild *c);
uint32_t mate_lost_hand(const MateFrame *f, const MateChild *child);

/* What is known of the frame's position from other hands, and what its result says of them (hands.c). */
bool mate_probe_hands(const MateSolver *s, const MateFrame *f, MateRecord *r);
void mate_store_hands(MateSolver *s, const MateFrame *f, uint32_t work);

/* Is the root's, or another position's, result known for all paths? */
bool mate_probe(const MateSolver *s, const MateFrame *f, MateRecord *r);

/* Stores what is known of the top frame. */
void mate_store(MateWorker *w);

/* The same of a position of which no more than the result is known, after so much work. */
void mate_store_result(MateSolver *s, const MateFrame *f, uint32_t work);

/* What a thread remembers of unsolved nodes beside the table: memory.c. It takes mate_memory_bytes(max), which is at most `max`
   but for the least that it needs. A reset forgets all. */
size_t mate_memory_bytes(size_t max);
MateMemory *mate_memory_create(size_t max);
void mate_memory_reset(MateMemory *m);
void mate_remember(MateWorker *w); /* the top frame, which is not the root */

/* Raises the numbers of a child to those that are remembered of its board with other hands. */
void mate_raise(const MateWorker *w, const MateFrame *n, MateChild *c);

/* Marks children of the path that overlap, by what is remembered of the child that the top frame is to enter. */
void mate_find_overlap(MateWorker *w, unsigned chosen);

/* Solves all positions that can come of a frame; false: they are more than there is room for, which may grow. The frame, and
   the table, have the results. */
size_t mate_region_bytes(size_t max); /* as of the memory above */
MateRegion *mate_region_create(size_t max);
void mate_region_reset(MateRegion *r); /* as small as at first */
void mate_region_destroy(MateRegion *r);
bool mate_solve_region(MateWorker *w, int ply);
unsigned mate_region_room(const MateWorker *w);
void mate_grow_region(MateWorker *w);

/* Is a limit reached? */
bool mate_is_over(const MateSolver *s);

/* Searches the position of a frame, in which the attacker moves, on the calling thread, until it is solved or the solver ends. */
void mate_run(MateWorker *w, const MateFrame *root);

/* The line of a root that is proven, and its plies, into *solution. False if a limit came first. */
bool mate_find_line(MateWorker *w, MateSolution *solution);
