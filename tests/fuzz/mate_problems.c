/* SPDX-License-Identifier: MIT */
/*
 * Mate problems whose answers are known, made and solved: mate_problems COUNT SEED THREADS. Prints the problems,
 * and in the last line what the solver makes of them. Random positions from which a mate can be forced are changed piece by piece,
 * the ones with the longer mates being kept. All that checks and answers reach is known of each position, and so is its
 * shortest mate. Every position of a line that the solver gives has to be lost for the defender, whatever he plays.
 */
#include "mate/mate.h"
#include "mate_graph.h"

enum {
    ROOM = MATE_ROOM,
    SMALL = 1 << 6,
    POOL = 40,
    IDLE_MAX = 10000,
    MIN_PLIES = 3,
    MAX_PLIES = 31,
    MISSES_MAX = 20000
};

typedef struct {
    Board board;
    char fen[FEN_ROOM];
    unsigned plies;
    double score;
} Member;

/* Replaces the position by that of the longest mate among all it reaches; false: it reaches none, or too many. */
static bool judge(Graph *g, Member *m) {
    Position p;
    const GraphNode *best = NULL;
    unsigned pieces = 0;
    if (!board_position(&m->board, &p, m->fen) || !graph_solve(g, &p)) return false;
    for (const GraphNode *n = g->node; n < g->node + g->nodes; n++)
        if (n->attacks && n->plies != UNSOLVED && (!best || n->plies > best->plies)) best = n;
    if (!best || best->plies > MAX_PLIES) return false;
    fen_write(&best->position, 0, m->fen);
    m->board = board_of(m->fen), m->plies = best->plies;
    for (int i = 0; i < MATE_SQUARES; i++) pieces += m->board.square[i] != 0;
    m->score = m->plies - pieces / 10.0 - g->nodes / 4096.0;
    return true;
}

/* A piece is put on a square, taken away, moved, or becomes another one; kings move only. */
static void change(Board *b, uint64_t *random) {
    char *at = &b->square[random_below(random, MATE_SQUARES)], *to = &b->square[random_below(random, MATE_SQUARES)];
    const char *pieces = random_below(random, 2) ? mate_defenders : mate_attackers;
    const char piece = pieces[random_below(random, (unsigned)strlen(pieces))];
    if (MATE_HANDS && random_below(random, 12) == 0) {
        const bool empty = b->hand[0] == '-';
        b->hand[0] = empty ? mate_hand[random_below(random, (unsigned)strlen(mate_hand))] : '-', b->hand[1] = '\0';
        return;
    }
    if (random_below(random, 2))
        for (int i = 0; i < 300 && !*at; i++) at = &b->square[random_below(random, MATE_SQUARES)];
    if (*at && (strchr("Kk", *at) || random_below(random, 3))) {
        const char moved = *at;
        if (*to && strchr("Kk", *to)) return;
        *at = random_below(random, 2) ? *to : '\0', *to = moved;
    } else {
        *at = *at && random_below(random, 2) ? '\0' : piece;
    }
}

/* Fills the pool with random positions; returns how many there are. */
static unsigned begin(Graph *g, Member pool[POOL], uint64_t *random) {
    unsigned n = 0;
    g->room = SMALL;
    for (unsigned misses = 0; n < POOL && misses < MISSES_MAX; misses++) {
        pool[n].board = board_random(MATE_AREA_MIN + random_below(random, MATE_FILES - MATE_AREA_MIN + 1), 7, random);
        if (judge(g, &pool[n])) n++;
    }
    g->room = ROOM;
    return n;
}

/* A child of the better one of two takes the place of the worst one of four, if it is no worse. */
static const Member *breed(Graph *g, Member *pool, unsigned n, uint64_t *random) {
    const Member *a = &pool[random_below(random, n)], *b = &pool[random_below(random, n)];
    Member child = a->score > b->score ? *a : *b, *worst = &pool[random_below(random, n)];
    for (unsigned i = 1 + random_below(random, 4); i; i--) change(&child.board, random);
    if (!judge(g, &child)) return NULL;
    for (int i = 0; i < 3; i++) {
        Member *other = &pool[random_below(random, n)];
        if (other->score < worst->score) worst = other;
    }
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(pool[i].fen, child.fen)) return NULL;
    if (child.score < worst->score) return NULL;
    *worst = child;
    return worst;
}

/* ---- the solver ---- */

typedef struct {
    MateSolver *solver;
    Graph *graph;
    unsigned wanted, problems, right, shortest, lines, moves, longest;
    uint64_t nodes;
    double seconds;
} Tally;

/* Every move is legal, every one of the attacker is check and forces the mate by the graph, and the end is a mate. */
static bool is_mate_line(Graph *g, const MateSolution *s, Position p) {
    for (unsigned i = 0; i < s->moves; i++) {
        if (!game_is_legal(&p, s->line[i])) return false;
        game_make_move(&p, &p, s->line[i]);
        const GraphNode *n = graph_node(g, &p, zobrist_key(&g->zobrist, &p), i % 2 == 1);
        if (!n || n->plies == UNSOLVED || (i % 2 == 0 && !game_in_check(&p))) return false;
    }
    Move list[MOVES_MAX];
    const unsigned n = game_moves(&p, list);
    for (unsigned i = 0; i < n; i++)
        if (!game_interposes(&p, list[i])) return false;
    return s->moves % 2 == 1 && (GAME_LEAVES_OUT_INTERPOSITIONS || !n);
}

static void solve(Tally *t, const char *fen) {
    Position p;
    const bool good = fen_parse(&p, fen, NULL) && graph_solve(t->graph, &p);
    assert(good);
    const unsigned plies = t->graph->node[0].plies;
    MateSolution *s = mate_solve(t->solver, &p, &(MateLimits){.nodes = 20000000}, NULL);
    assert(s);
    const bool not_shorter = t->graph->interposed || s->plies >= plies, not_longer = !s->shortest || s->plies <= plies;
    const bool right = s->result == MATE_FOUND && not_shorter && not_longer, line = is_mate_line(t->graph, s, p);
    if (!right || !line) fprintf(stderr, "%s: %u plies, and not %u\n", fen, s->plies, plies);
    t->right += right, t->shortest += s->shortest, t->lines += line;
    t->moves += s->moves, t->nodes += s->nodes, t->seconds += s->seconds;
    mate_solution_destroy(s);
}

/* A position that is longer than those before it in its pool. */
static void take(Tally *t, const Member *m) {
    t->problems++;
    if (m->plies > t->longest) t->longest = m->plies;
    puts(m->fen);
    solve(t, m->fen);
}

static void run_pool(Tally *t, uint64_t *random) {
    static Member pool[POOL];
    const unsigned n = begin(t->graph, pool, random);
    unsigned longest = MIN_PLIES - 2;
    for (unsigned idle = 0; n && idle < IDLE_MAX && longest < MAX_PLIES && t->problems < t->wanted; idle++) {
        const Member *m = breed(t->graph, pool, n, random);
        if (!m || m->plies <= longest) continue;
        longest = m->plies, idle = 0;
        take(t, m);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return fputs("usage: mate_problems COUNT SEED THREADS\n", stderr), 2;
    uint64_t random = strtoull(argv[2], NULL, 10);
    const MateSettings settings = {.hash_bytes = 64 << 20, .threads = (unsigned)strtoul(argv[3], NULL, 10)};
    Tally t = {.solver = mate_create(&settings, NULL),
               .graph = graph_create(ROOM),
               .wanted = (unsigned)strtoul(argv[1], NULL, 10)};
    while (t.problems < t.wanted) run_pool(&t, &random);
    graph_destroy(t.graph), mate_destroy(t.solver);
    printf("{\"problems\": %u, \"longest\": %u, \"right\": %u, \"shortest\": %u, \"lines\": %u, \"moves\": %u, ",
           t.problems, t.longest, t.right, t.shortest, t.lines, t.moves);
    printf("\"nodes\": %lu, \"seconds\": %.3f}\n", (unsigned long)t.nodes, t.seconds);
    return t.right < t.problems || t.lines < t.problems;
}
