/* SPDX-License-Identifier: MIT */
/* The search stack, from the root to the current node: moves, draws, table access, evaluation. Private to src/search. */
#pragma once
#include "order.h"
#include "score.h"
#include "tabia/entry.h"

typedef struct Worker Worker;

/* A ply of the search stack. */
typedef struct {
    Position position;
    Key key;
    uint64_t path_key;
    Visit visit;
    Move move;       /* the move being searched; 0: none, or a null move */
    Move excluded;   /* excluded by the singular extension's search */
    Threats threats; /* to the side to move, once its moves are ordered */
    int evaluation;  /* corrected; SCORE_NONE in check */
    int raw_evaluation;
    Corrections corrections;
    bool in_check;
    PieceTo *continuation; /* of `move` */
    int piece, target;     /* of `move` */
    Move pv[PLY_MAX + 1];
    unsigned pv_length;
} StackFrame;

/* The scores above alpha and below beta are exact. */
typedef struct {
    int alpha, beta;
} SearchWindow;

/* Makes a move from *f into the next frame. */
void stack_make_move(Worker *w, StackFrame *f, Move m);
void stack_make_null_move(Worker *w, StackFrame *f);
/*
 * Has the game ended here by a rule, as by repetition, the 50-move rule or for want of material? Then *score is the
 * result. That there is no legal move is not looked for.
 */
bool stack_is_decided(Worker *w, const StackFrame *f, int *score);
/* Has the side to move a mate in one that the game finds? It is then the principal variation, and stored. For positions
   that the table does not hold. */
bool stack_mates_in_one(Worker *w, StackFrame *f, int *score);
/* Can the side to move repeat a position with its next move, and so draw at least? */
bool stack_has_upcoming_repetition(const Worker *w, const StackFrame *f);
/*
 * Does a search of `depth` plies reach a draw by the 50-move rule in every line? Then the static evaluation does not
 * predict its result, and nothing is pruned by it.
 */
bool depth_reaches_draw(const StackFrame *f, int depth);
/* The value of *f where the stack ends, at PLY_MAX. */
int stack_end_value(Worker *w, const StackFrame *f);
/* Before tt_probe: evaluates *f while its line of the table is on the way, unless that takes longer. */
void stack_evaluate_early(Worker *w, StackFrame *f);
/* Evaluates *f if stack_evaluate_early has not, or takes the evaluation of the table entry. Not in check. */
void stack_evaluate(Worker *w, StackFrame *f, const TabiaHit *hit);
/* The table entry of *f, restricted to what holds on this path. Score and evaluation are in range; the move may be illegal. */
TabiaHit tt_probe(Worker *w, const StackFrame *f);
/*
 * The bound that an entry implies at another path key, where path keys count plies. With fewer plies left a score is
 * no further from the draw score, on the same side of it: an upper bound from a lower count holds if it is not below
 * the draw, a lower bound from a higher one if it is above, and so for the other side. Sets score_ok if a bound
 * remains. Mates are left out: their distance tells whether they hold.
 */
void tt_transfer_bound(TabiaHit *hit, uint64_t path_key);
/* The score of the entry relative to the root; SCORE_NONE if it does not hold for this path key. */
int tt_score(const Worker *w, const StackFrame *f, const TabiaHit *hit);
/* Does that score cut off a search to `depth` with this window? */
bool tt_cutoff(const StackFrame *f, const TabiaHit *hit, int score, int depth, SearchWindow window);
void tt_store(Worker *w, const StackFrame *f, Move m, int score, int bound, int depth);
/* The inputs of the ordering of the moves of *f. */
OrderingHints stack_ordering_hints(const Worker *w, const StackFrame *f, Move table, Threats threats);
/* The principal variation of f becomes this move followed by that of the next frame, its own or another worker's. */
void pv_update(StackFrame *f, Move m, const StackFrame *next);
