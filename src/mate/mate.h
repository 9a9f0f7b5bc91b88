/* SPDX-License-Identifier: MIT */
/*
 * A solver of mate problems: df-pn, the depth-first form of proof-number search, on threads that share a table of
 * records. It knows its game through game.h only.
 *
 *     MateSolver *s = mate_create(&settings, &error);
 *     MateSolution *found = mate_solve(s, &position, &limits);
 *     mate_solution_destroy(found);
 *     mate_destroy(s);
 *
 * A node has two numbers: how many leaves at least have to be proven so that the attacker mates, and how many so that he
 * does not. A loop is no mate. A disproof that hangs on a loop holds for the path on which it was found alone: it is
 * stored under position and path, all other results under the position.
 *
 * In shogi a defence that only interposes is not counted where that changes nothing: it is undone, by a capture of the checking
 * piece after which what was captured is back in hand, and what then takes no longer than the other defences is left out.
 * This is so in the searches for shorter mates, which have a limit of plies.
 *
 * Ideas: Ayumu Nagai, df-pn, 2002; Akihiro Kishimoto and Martin Mueller, path-dependent disproofs (the graph-history
 * problem), 2004; Kishimoto, thresholds that cannot stand still in loops, 2010; Jakub Pawlewicz and Lukasz Lew, 1 + epsilon,
 * 2007; Tomoyuki Kaneko, threads that avoid each other, 2010; KomoringHeights, captured interpositions that are taken away,
 * drops that wait for each other.
 */
#pragma once
#include "base/error.h"
#include "game.h"

typedef struct MateSolver MateSolver;

typedef struct {
    uint64_t hash_bytes; /* of all: at most a quarter is what the threads remember outside the table */
    unsigned threads;
    bool all_moves;   /* of the attacker; else checks alone */
    bool plain_table; /* for comparison: disproofs by loops are stored as if they held for all paths */
    bool key_chooses; /* for comparison: which record of a full bucket gives way; else that of the least work */
} MateSettings;

/* 0 or NULL: no such limit. */
typedef struct {
    uint64_t nodes;
    double seconds;
    unsigned plies;                                  /* a mate of at most so many */
    bool first_found;                                /* do not look for a shorter mate than the first */
    bool (*is_over)(void *context, uint64_t nodes);  /* true ends the search; called by all threads, every few nodes */
    void (*progress)(void *context, uint64_t nodes); /* called some times a second by one thread */
    void *context;
    /* The game so far: what ends it by occurring once more is no mate. */
    const Position *start;
    const Move *moves;
    unsigned moves_n;
    unsigned root_moves_n; /* 0: all */
    const Move *root_moves;
} MateLimits;

typedef enum { MATE_UNKNOWN, MATE_FOUND, MATE_NONE } MateResult;

/* What was found. A line of moves begins at the position that was asked for and ends with the mate. Of the defender's moves it
   has those whose proofs are longest; it may be shorter than `plies`, since a proof may be longer than its mate. */
typedef struct {
    MateResult result;
    bool shortest;  /* it is proven that there is no shorter mate */
    uint64_t nodes; /* positions whose moves were looked at, by all threads */
    double seconds;
    unsigned hashfull; /* in thousandths */
    unsigned plies;    /* against every defence at most so many */
    unsigned moves;    /* of the line */
    Move *line;
} MateSolution;

/* Each thread has 26 MiB of its own besides the table (memory.c). NULL with an error if there is no memory. */
MateSolver *mate_create(const MateSettings *settings, TabiaError *error);
void mate_destroy(MateSolver *s);

/* In thousandths; any thread. */
unsigned mate_hashfull(const MateSolver *s);

/* Does the side to move mate? NULL if there is no memory. The table is cleared before. */
MateSolution *mate_solve(MateSolver *s, const Position *p, const MateLimits *limits, TabiaError *error);
void mate_solution_destroy(MateSolution *s);

/* What a walk through a proof has found, by the rules alone. */
typedef struct {
    MateResult result;   /* MATE_FOUND: every defence loses; MATE_NONE: one does not; MATE_UNKNOWN: a limit of work,
                          or of the plies to a draw, came first */
    unsigned plies;      /* of the longest defence that was walked, with interpositions that the solver leaves out */
    uint64_t positions;  /* with the attacker to move, each once */
    uint64_t again;      /* of these the table had lost the proof: they were solved again */
    uint64_t interposed; /* the same after an interposition, which the solver may have left out */
} MateWalk;

/* Walks the proof of the mate that mate_solve has found last, without a limit of plies: the attacker plays what the table has, the
   defender everything. Its limit is four times the nodes of the search and 100,000 more, in nodes and in positions; those of
   mate_solve do not count. False if there is no memory. */
bool mate_walk(MateSolver *s, MateWalk *result, TabiaError *error);
