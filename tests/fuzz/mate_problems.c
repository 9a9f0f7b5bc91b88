/* SPDX-License-Identifier: MIT */
/*
 * Mate problems whose answers are known, made and solved: mate_problems COUNT SEED THREADS. Prints the problems, as many of each
 * length, and in the last line what the solver makes of them: with room, and in tables far too small, where the least work or the key
 * chooses the record that gives way. A random position is changed piece by piece, and a change is kept that makes the mate longer, by a
 * solver with few nodes. Then a plain search (mate_plain.h) judges: it has to find the mate against all defences, and none that is
 * shorter even if the defender never interposes. It also judges every position of the solver's line.
 */
#include <ctype.h>

#include "mate/mate.h"
#include "mate_plain.h"

enum {
    MIN_PLIES = 3,
    MAX_PLIES = MATE_LONGEST,
    SHORT_PLIES = 15,
    IDLE_MAX = 400,
    JUDGE_NODES = 12000,
    SMALL_BYTES = 1 << 11,
    PLAIN_ROOM = 1 << 19
};

typedef struct {
    Board board;
    char fen[FEN_ROOM];
    unsigned plies, nodes;
    double score;
} Member;

typedef struct {
    MateSolver *judge, *solver, *small[2];
    Plain *plain;
    Member *problem;
    uint64_t random;
    unsigned wanted, of_length[MAX_PLIES + 1], problems, right, shortest, lines, moves, longest, small_right[2];
    uint64_t nodes, small_nodes[2], small_wrong;
    double seconds;
} Run;

/* Is there a set of shogi with these pieces? */
static bool is_of_one_set(const Board *b) {
    unsigned left[128] = {['R'] = 2, ['B'] = 2, ['G'] = 4, ['S'] = 4, ['N'] = 4, ['L'] = 4, ['P'] = 18, ['K'] = 2};
    for (int i = 0; i < MATE_SQUARES; i++) {
        const char *promoted = b->square[i] ? strchr(mate_promoted, b->square[i]) : NULL;
        const int piece = toupper(promoted ? mate_unpromoted[promoted - mate_promoted] : b->square[i]);
        if (piece && !left[piece]--) return false;
    }
    for (const char *c = b->hand; *c; c++)
        if (*c != '-' && !left[toupper(*c)]--) return false;
    return true;
}

/* False: it is no position, or no mate whose shortest length is known after so many nodes, or one that is too long. */
static bool judge(Run *r, Member *m, unsigned nodes) {
    Position p;
    if ((MATE_HANDS && !is_of_one_set(&m->board)) || !board_position(&m->board, &p, m->fen)) return false;
    MateSolution *s = mate_solve(r->judge, &p, &(MateLimits){.nodes = nodes < JUDGE_NODES ? nodes : JUDGE_NODES}, NULL);
    assert(s);
    const bool good = s->result == MATE_FOUND && s->shortest && s->plies >= MIN_PLIES && s->plies <= MAX_PLIES;
    unsigned pieces = (unsigned)strlen(m->board.hand);
    for (int i = 0; i < MATE_SQUARES; i++) pieces += m->board.square[i] != 0;
    m->plies = s->plies, m->nodes = (unsigned)s->nodes;
    m->score = s->plies - pieces / 10.0 - (double)s->nodes / 4000;
    mate_solution_destroy(s);
    return good;
}

static char any_of(const char *pieces, uint64_t *random) {
    return pieces[random_below(random, (unsigned)strlen(pieces))];
}

/* A piece more in hand, or one less. */
static void change_hand(Board *b, uint64_t *random) {
    const unsigned n = b->hand[0] == '-' ? 0 : (unsigned)strlen(b->hand);
    if (n && random_below(random, 2))
        b->hand[random_below(random, n)] = b->hand[n - 1], b->hand[n - 1] = '\0';
    else if (n + 1 < sizeof b->hand)
        b->hand[n] = any_of(mate_drop, random), b->hand[n + 1] = '\0';
    if (!b->hand[0]) strcpy(b->hand, "-");
}

/* A piece is put on a square, taken away, moved, or becomes another one; kings move only. */
static void change(Board *b, uint64_t *random) {
    char *at = &b->square[random_below(random, MATE_SQUARES)], *to = &b->square[random_below(random, MATE_SQUARES)];
    const char piece = any_of(random_below(random, 2) ? mate_defenders : mate_attackers, random);
    if (MATE_HANDS && random_below(random, 5) == 0) {
        change_hand(b, random);
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

/* Is the mate of that length the shortest? False: interpositions or a want of room hide it. The program ends if it is wrong. */
static bool is_exact(Plain *plain, const Position *p, const Member *m) {
    const Key key = zobrist_key(&plain->zobrist, p);
    plain_begin(plain, false);
    const bool is_least = !plain_mates(plain, p, key, m->plies - 2), is_mate = plain_mates(plain, p, key, m->plies);
    if (plain_is_full(plain)) return false;
    plain_begin(plain, true);
    const bool is_whole = plain_mates(plain, p, key, is_least ? m->plies : m->plies - 2);
    if (plain_is_full(plain)) return false;
    if (is_mate && (is_least || !is_whole)) return is_least && is_whole;
    fprintf(stderr, "%s: wrong: %u plies\n", m->fen, m->plies);
    exit(1);
}

/* Every move is legal, every one of the attacker is check and keeps the mate, and the end is a mate. */
static bool is_mate_line(Plain *plain, const MateSolution *s, Position p) {
    for (unsigned i = 0; i < s->moves; i++) {
        if (!game_is_legal(&p, s->line[i])) return false;
        game_make_move(&p, &p, s->line[i]);
        if (i % 2) continue;
        if (!game_in_check(&p) || !plain_loses(plain, &p, zobrist_key(&plain->zobrist, &p), 2 * MAX_PLIES))
            return false;
    }
    Move list[MOVES_MAX];
    const unsigned n = game_moves(&p, list);
    for (unsigned i = 0; i < n; i++)
        if (!game_interposes(&p, list[i])) return false;
    return s->moves % 2 == 1 && (GAME_LEAVES_OUT_INTERPOSITIONS || !n);
}

static void solve(Run *r, const Position *p, const Member *m) {
    MateSolution *s = mate_solve(r->solver, p, &(MateLimits){.nodes = 20000000}, NULL);
    assert(s);
    const bool right = s->result == MATE_FOUND && s->plies == m->plies, line = is_mate_line(r->plain, s, *p);
    if (!right || !line) fprintf(stderr, "%s: %u plies, and not %u\n", m->fen, s->plies, m->plies);
    r->right += right, r->shortest += s->shortest, r->lines += line;
    r->moves += s->moves, r->nodes += s->nodes, r->seconds += s->seconds;
    mate_solution_destroy(s);
    for (int i = 0; i < 2; i++) {
        s = mate_solve(r->small[i], p, &(MateLimits){.nodes = 16 * JUDGE_NODES, .first_found = true}, NULL);
        r->small_right[i] += s->result == MATE_FOUND && s->plies >= m->plies, r->small_nodes[i] += s->nodes;
        r->small_wrong += s->result == MATE_NONE || (s->result == MATE_FOUND && s->plies < m->plies);
        mate_solution_destroy(s);
    }
}

/* Are there too few problems of that length? The same number is wanted of all short ones, and of all long ones half of it or less. */
static bool is_wanted(const Run *r, unsigned plies) {
    enum { SHORT = (SHORT_PLIES - MIN_PLIES) / 2 + 1, LONG = (MAX_PLIES - SHORT_PLIES) / 2 };
    const unsigned each_long = r->wanted / (2 * (SHORT + LONG)), rest = r->wanted - LONG * each_long;
    const unsigned i = (plies - MIN_PLIES) / 2;
    return r->of_length[plies] < (plies > SHORT_PLIES ? each_long : (i + 1) * rest / SHORT - i * rest / SHORT);
}

/* False: its length is not certain. It becomes a problem if that length is wanted. */
static bool take(Run *r, const Member *m) {
    Position p;
    if (!is_wanted(r, m->plies)) return true;
    if (!fen_parse(&p, m->fen, NULL) || !is_exact(r->plain, &p, m)) return false;
    for (unsigned i = 0; i < r->problems; i++)
        if (!strcmp(r->problem[i].fen, m->fen)) return true;
    r->of_length[m->plies]++, r->problem[r->problems++] = *m;
    if (m->plies > r->longest) r->longest = m->plies;
    puts(m->fen);
    solve(r, &p, m);
    return true;
}

/* A position to begin with: random; or one of the problems or a long mate, with some changes. */
static Member begin(Run *r) {
    uint64_t *random = &r->random;
    const unsigned how = random_below(random, r->problems ? 4 : 3);
    Member m;
    do {
        if (how < 2)
            m.board = board_random(MATE_AREA_MIN + random_below(random, 3), MATE_DEFENDERS_MAX, random);
        else if (how == 2)
            m.board = board_of(mate_long);
        else
            m.board = r->problem[random_below(random, r->problems)].board;
        for (unsigned i = how < 2 ? 0 : 1 + random_below(random, 3); i; i--) change(&m.board, random);
    } while (!judge(r, &m, how < 2 ? JUDGE_NODES / 4 : JUDGE_NODES) || !take(r, &m));
    return m;
}

/* Changes a position until nothing makes its mate longer. Takes one problem of a length at most. */
static void climb(Run *r) {
    Member m = begin(r), child;
    uint64_t taken = 0;
    for (unsigned idle = 0; idle < IDLE_MAX && r->problems < r->wanted; idle++) {
        child = m;
        for (unsigned i = 1 + random_below(&r->random, 3); i; i--) change(&child.board, &r->random);
        if (!judge(r, &child, 300 + 4 * m.nodes)) continue;
        const bool is_longer = child.plies > m.plies;
        if (is_longer || (child.plies > SHORT_PLIES && !(taken >> child.plies & 1) && is_wanted(r, child.plies))) {
            if (!take(r, &child)) {
                idle += IDLE_MAX / 20; /* to find that out takes long */
                continue;
            }
            taken |= (uint64_t)1 << child.plies;
        }
        if (child.score < m.score) continue;
        if (is_longer) idle = 0;
        m = child;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return fputs("usage: mate_problems COUNT SEED THREADS\n", stderr), 2;
    const MateSettings judging = {.hash_bytes = 1 << 20, .threads = 1};
    const MateSettings settings = {.hash_bytes = 64 << 20, .threads = (unsigned)strtoul(argv[3], NULL, 10)};
    Run r = {.wanted = (unsigned)strtoul(argv[1], NULL, 10),
             .judge = mate_create(&judging, NULL),
             .solver = mate_create(&settings, NULL),
             .small = {mate_create(&(MateSettings){SMALL_BYTES, .threads = 1}, NULL),
                       mate_create(&(MateSettings){SMALL_BYTES, .threads = 1, .key_chooses = true}, NULL)},
             .plain = plain_create(PLAIN_ROOM),
             .random = strtoull(argv[2], NULL, 10)};
    r.problem = calloc(r.wanted + 1, sizeof *r.problem);
    assert(r.problem);
    while (r.problems < r.wanted) climb(&r);
    free(r.problem), plain_destroy(r.plain), mate_destroy(r.solver), mate_destroy(r.judge);
    mate_destroy(r.small[0]), mate_destroy(r.small[1]);
    printf("{\"problems\": %u, \"longest\": %u, \"right\": %u, \"shortest\": %u, \"lines\": %u, \"moves\": %u, ",
           r.problems, r.longest, r.right, r.shortest, r.lines, r.moves);
    printf("\"small\": {\"right\": %u, \"nodes\": %lu}, \"key_chooses\": {\"right\": %u, \"nodes\": %lu}, ",
           r.small_right[0], (unsigned long)r.small_nodes[0], r.small_right[1], (unsigned long)r.small_nodes[1]);
    printf("\"nodes\": %lu, \"seconds\": %.3f}\n", (unsigned long)r.nodes, r.seconds);
    return r.right < r.problems || r.lines < r.problems || r.small_wrong;
}
