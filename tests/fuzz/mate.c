/* SPDX-License-Identifier: MIT */
/*
 * The mate solver against all positions that checks and answers to them reach: mate.c COUNT SEED. The graph of a random
 * position is built whole and solved backward from the mates, which knows no path and no table. The solver has to say the
 * same, with a table that is large, with one that is full, and on two threads; and its line has to be a mate of that length.
 *
 * With disproofs by loops stored for all paths (plain_table) it may be wrong; the last line says how often. Where the graph is too
 * large a plain search of few plies has to agree. Each proof is walked; with false records planted, the walk must find it out.
 */
#include "mate/mate_worker.h"
#include "mate_graph.h"

enum { GRAPH_MAX = 2000, PLIES_MAX = 90, PLAIN_PLIES = 5 };

static bool random_position(uint64_t *random, Position *p, char *fen) {
    const Board b = board_random(MATE_AREA_MIN + random_below(random, 3), MATE_DEFENDERS_MAX, random);
    return board_position(&b, p, fen);
}

/* ---- where the graph is too large ---- */

/* Strictly, an interposition is left out if its mate takes no longer than that of the other defences; else than plies. */
typedef enum { STRICTLY, LENIENTLY } Counting;

static bool mates_plainly(const Position *p, unsigned plies, Counting how);
/* Is a defence answered within so many plies, or, if it interposes, once it is undone within `others`? Every move is tried. */
static bool is_answered(const Position *p, Move m, unsigned plies, unsigned others, Counting how);

/* Do all defences that interpose, or all others, lose? */
static bool is_mated_by(const Position *p, unsigned plies, bool interpose, unsigned others, Counting how) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; i < n; i++)
        if ((game_interposes(p, list[i]) != 0) == interpose && !is_answered(p, list[i], plies, others, how))
            return false;
    return n || game_no_move_loses(p);
}

static bool is_mated_plainly(const Position *p, unsigned plies, Counting how) {
    unsigned others = how == STRICTLY ? 0 : plies;
    if (!is_mated_by(p, plies, false, 0, how)) return false;
    while (others < plies && !is_mated_by(p, others, false, 0, how)) others += 2;
    return is_mated_by(p, plies, true, others, how);
}

static bool is_answered(const Position *p, Move m, unsigned plies, unsigned others, Counting how) {
    Position next, after;
    game_make_move(&next, p, m);
    if (plies && mates_plainly(&next, plies - 1, how)) return true;
    return game_interposes(p, m) && game_undo_interposition(&next, game_target(m), &after) &&
           is_mated_plainly(&after, others, how);
}

static bool mates_plainly(const Position *p, unsigned plies, Counting how) {
    Move list[MOVES_MAX];
    const unsigned n = list_checking_moves(p, (Colour)p->turn, list);
    for (unsigned i = 0; i < n; i++) {
        Position next;
        game_make_move(&next, p, list[i]);
        if (is_mated_plainly(&next, plies - 1, how)) return true;
    }
    return false;
}

/* The plies to a mate of at most PLAIN_PLIES; UNSOLVED: there is none. */
static unsigned plies_plainly(const Position *p, Counting how) {
    for (unsigned plies = 1; plies <= PLAIN_PLIES; plies += 2)
        if (mates_plainly(p, plies, how)) return plies;
    return UNSOLVED;
}

/* ---- the solver ---- */

enum { SOLVER_LARGE, SOLVER_FULL, SOLVER_THREADS, SOLVER_PLAIN, SOLVERS };

typedef struct {
    unsigned positions, mates, deep, longest, plainly, wrong_plain, shorter, walked, planted, refuted;
} Counts;

static void fail(const char *fen, const char *what, unsigned ours, unsigned right) {
    printf("%s: %s: %u, and not %u\n", fen, what, ours, right);
    exit(1);
}

static void check_line(Graph *g, const char *fen, const MateSolution *s, Position p, Counts *counts) {
    for (unsigned i = 0; i < s->moves; i++) {
        if (!game_is_legal(&p, s->line[i])) fail(fen, "an illegal move at ply", i, s->plies);
        game_make_move(&p, &p, s->line[i]);
        if (i % 2 == 0 && !game_in_check(&p)) fail(fen, "no check at ply", i, s->plies);
        if (g && graph_node(g, &p, zobrist_key(&g->zobrist, &p), i % 2 == 1)->plies == UNSOLVED)
            fail(fen, "no mate from ply", i, s->plies);
    }
    counts->shorter += game_has_move(&p);
    if (!is_mated_plainly(&p, 0, STRICTLY)) fail(fen, "no mate after moves", s->moves, s->plies);
}

static void check_walk(MateSolver *solver, const char *fen, const Graph *g, Counts *counts) {
    MateWalk walk;
    const bool good = mate_walk(solver, &walk, NULL) && walk.result != MATE_NONE;
    if (!good || (g && walk.result != MATE_FOUND)) fail(fen, "walked", walk.result, MATE_FOUND);
    if (g && walk.plies < g->node[0].plies) fail(fen, "a walk ends early, plies", walk.plies, g->node[0].plies);
    counts->walked += walk.result == MATE_FOUND;
}

static MateResult ask(MateSolver *solver, Graph *g, const char *fen, const Position *p, Counts *counts) {
    const unsigned plies = g->node[0].plies;
    MateSolution *s = mate_solve(solver, p, &(MateLimits){.nodes = 1000000}, NULL);
    if (!s) fail(fen, "no memory", 0, 0);
    const MateResult result = s->result;
    if (result == MATE_FOUND && plies == UNSOLVED) fail(fen, "a false proof, plies", s->plies, 0);
    if (result == MATE_FOUND && ((s->shortest && s->plies > plies) || (!g->interposed && s->plies < plies)))
        fail(fen, "plies to the mate", s->plies, plies);
    if (result == MATE_FOUND) check_line(g, fen, s, *p, counts), check_walk(solver, fen, g, counts);
    mate_solution_destroy(s);
    return result;
}

/* The root of the graph has no mate; it and some other such positions get false proofs. */
static void check_planted(MateSolver *solver, const Graph *g, const char *fen, Counts *counts) {
    uint64_t random = g->edges;
    MateWalk walk;
    for (const GraphNode *n = g->node; n < g->node + g->nodes; n++) {
        MateFrame at = {.position = n->position, .attacks = n->attacks, .number = {0, MATE_NUMBER_MAX}};
        Move list[MOVES_MAX];
        if (n->plies != UNSOLVED || (n > g->node && random_below(&random, 4))) continue;
        at.key = zobrist_key(solver->zobrist, &n->position), at.length = (uint16_t)(2 - n->attacks);
        if (n->attacks && n->edges)
            list_checking_moves(&n->position, (Colour)n->position.turn, list), at.move = list[0];
        mate_store_result(solver, &at, 1);
    }
    mate_walk(solver, &walk, NULL);
    if (walk.result == MATE_FOUND) fail(fen, "a walk believes what is planted, plies", walk.plies, 0);
    counts->planted++, counts->refuted += walk.result == MATE_NONE;
}

static bool is_stopped(void *context, uint64_t nodes) {
    return nodes >= *(const uint64_t *)context;
}

/* A mate that was found before a stop is not lost, wherever the search for a shorter one is. */
static void check_stops(MateSolver *solver) {
    Position p;
    if (!fen_parse(&p, mate_found_late, NULL)) fail(mate_found_late, "no position", 0, 0);
    MateSolution *first = mate_solve(solver, &p, &(MateLimits){.first_found = true}, NULL);
    for (uint64_t stop = first->nodes; stop < 3 * first->nodes; stop += first->nodes / 20 + 1) {
        MateSolution *s = mate_solve(solver, &p, &(MateLimits){.is_over = is_stopped, .context = &stop}, NULL);
        if (s->result != MATE_FOUND || !s->moves || s->plies > first->plies)
            fail(mate_found_late, "lost by a stop, plies", s->plies, first->plies);
        mate_solution_destroy(s);
    }
    mate_solution_destroy(first);
}

static void check_plainly(MateSolver *solver, const char *fen, const Position *p, const MateSolution *s,
                          Counts *counts) {
    const unsigned plies = plies_plainly(p, STRICTLY);
    if (plies != UNSOLVED && s->result == MATE_NONE) fail(fen, "no mate is found, plies", 0, plies);
    if (plies != UNSOLVED && s->shortest && s->plies > plies) fail(fen, "plies to the mate", s->plies, plies);
    if (s->result == MATE_FOUND && s->plies <= PLAIN_PLIES && s->plies < plies &&
        s->plies < plies_plainly(p, LENIENTLY))
        fail(fen, "a false proof, plies", s->plies, plies);
    if (s->result == MATE_FOUND) check_line(NULL, fen, s, *p, counts), check_walk(solver, fen, NULL, counts);
    counts->plainly++;
}

static void check(Graph *g, MateSolver *const solver[SOLVERS], uint64_t *random, Counts *counts) {
    Position p;
    char fen[FEN_ROOM];
    if (!random_position(random, &p, fen)) return;
    MateSolution *first = mate_solve(solver[SOLVER_LARGE], &p, &(MateLimits){.nodes = 1000}, NULL);
    if (!first) fail(fen, "no memory", 0, 0);
    const bool is_small = first->plies != 1 && graph_solve(g, &p);
    if (!is_small) check_plainly(solver[SOLVER_LARGE], fen, &p, first, counts);
    mate_solution_destroy(first);
    const unsigned plies = g->node[0].plies;
    if (!is_small || g->nodes < 20 || (plies > PLIES_MAX && plies != UNSOLVED)) return;
    const MateResult right = plies == UNSOLVED ? MATE_NONE : MATE_FOUND;
    for (int i = 0; i < SOLVER_PLAIN; i++) {
        const MateResult found = ask(solver[i], g, fen, &p, counts);
        if (found != right) fail(fen, (const char *[]){"found", "with a full table", "on threads"}[i], found, right);
    }
    if (right == MATE_NONE) check_planted(solver[SOLVER_LARGE], g, fen, counts);
    counts->wrong_plain += ask(solver[SOLVER_PLAIN], g, fen, &p, counts) != right;
    counts->positions++, counts->mates += right == MATE_FOUND;
    counts->deep += right == MATE_FOUND && plies >= 5;
    if (right == MATE_FOUND && plies > counts->longest) counts->longest = plies;
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: mate COUNT SEED\n", stderr), 2;
    Graph *g = graph_create(GRAPH_MAX);
    Counts counts = {0};
    uint64_t random = strtoull(argv[2], NULL, 10);
    const unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
    const MateSettings settings[SOLVERS] = {
        [SOLVER_LARGE] = {.hash_bytes = 4 << 20, .threads = 1},
        [SOLVER_FULL] = {.hash_bytes = 16 << 10, .threads = 1},
        [SOLVER_THREADS] = {.hash_bytes = 4 << 20, .threads = 2},
        [SOLVER_PLAIN] = {.hash_bytes = 4 << 20, .threads = 1, .plain_table = true}};
    MateSolver *solver[SOLVERS];
    for (int i = 0; i < SOLVERS; i++) solver[i] = mate_create(&settings[i], NULL);
    check_stops(solver[SOLVER_LARGE]);
    while (counts.positions + counts.plainly < n) check(g, solver, &random, &counts);
    for (int i = 0; i < SOLVERS; i++) mate_destroy(solver[i]);
    graph_destroy(g);
    printf("{\"plain\": %u, \"graphs\": %u, \"mates\": %u, \"deep\": %u, \"longest\": %u, ", counts.plainly,
           counts.positions, counts.mates, counts.deep, counts.longest);
    printf("\"interposed\": %u, \"wrong\": 0, \"plain_wrong\": %u, ", counts.shorter, counts.wrong_plain);
    printf("\"walked\": %u, \"planted\": %u, \"refuted\": %u}\n", counts.walked, counts.planted, counts.refuted);
    return n >= 1000 && !counts.refuted;
}
