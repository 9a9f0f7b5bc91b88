/* SPDX-License-Identifier: MIT */
/*
 * A solver of Connect Four whose threads talk to each other through nothing but a table of libtabia.
 *
 *     cc -O3 -march=native connect4.c $(pkg-config --cflags --libs tabia) -pthread -o connect4
 *     ./connect4 --compare
 *
 * The idea. Every thread runs the same search from the same position. What one finds out goes into the shared table,
 * where the others meet it, so none does what another has done. That leaves doing what another is doing: before a
 * thread goes into a move it looks whether somebody is in there already, and if so tries the other moves first. When
 * it comes back to the one it put off, the answer is usually in the table. (Jean-Christophe Weill's ABDADA, 1996, in
 * the simple form of Tom Kerrigan, where the marks of who is where have a small array of their own.)
 *
 * The board. One bit a cell, seven a column, the seventh always empty so that no line runs on into the next column:
 *
 *      6 13 20 27 34 41 48     <- always empty
 *      5 12 19 26 33 40 47
 *      4 11 18 25 32 39 46     Two words make a position: the stones of the player to move, and all stones.
 *      3 10 17 24 31 38 45     Neighbours differ by 1 (up), 7 (right), 6 and 8 (the diagonals).
 *      2  9 16 23 30 37 44
 *      1  8 15 22 29 36 43
 *      0  7 14 21 28 35 42
 *
 * The score. Who wins with his last stone but k has a score of k + 1, the other the same below 0; a draw is 0. So the
 * sooner, the higher, and the score belongs to the position alone, however it came about: the table likes that.
 */
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia/entry.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, CELLS = COLUMNS * ROWS, COLUMN_BITS = ROWS + 1 };
enum { THREADS_MAX = 256, MARKS = 1 << 12 /* many more than threads times depth */ };

/* Bytes between what different threads write, and what they only read: no cache line has two masters. */
enum { APART = 128 };

/* With fewer empty cells a position is searched faster than the table answers, or than anyone could help. */
enum { EMPTY_FOR_TABLE = 9, EMPTY_FOR_HELP = 14 };

static const uint64_t bottom = 0x0040810204081; /* the lowest cell of each column */
static const uint64_t board = 0x0fdfbf7efdfbf;  /* all cells */

/* ---- the game ---- */

typedef struct {
    uint64_t mine, all;
    int stones;
} Position;

static uint64_t column_of(int column) {
    return (uint64_t)((1 << ROWS) - 1) << column * COLUMN_BITS;
}

/* The cells where one more stone makes four of `s`. In each of four directions a cell lies on four fours: it may be
   the last of one, the third, the second or the first. */
static uint64_t wins(uint64_t s) {
    static const int directions[] = {1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1};
    uint64_t cells = 0;
    for (int i = 0; i < 4; i++) {
        const int d = directions[i];
        const uint64_t before = s << d, before2 = before & s << 2 * d, after = s >> d, after2 = after & s >> 2 * d;
        cells |= (before2 & (s << 3 * d | after)) | (after2 & (s >> 3 * d | before));
    }
    return cells & board;
}

/* Where a stone can fall. */
static uint64_t playable(Position p) {
    return (p.all + bottom) & board;
}

/* The position after a stone on a cell: the players change places. */
static Position make_move(Position p, uint64_t cell) {
    return (Position){p.mine ^ p.all, p.all | cell, p.stones + 1};
}

/* The same number for two mirror images, else no two alike. In each column the lowest empty cell is set, the cells
   below it say whose stones they hold. */
static uint64_t number_of(Position p) {
    const uint64_t number = p.mine | (p.all + bottom);
    uint64_t mirrored = 0;
    for (int c = 0; c < COLUMNS; c++) mirrored |= (number >> c * COLUMN_BITS & 0x7f) << (COLUMNS - 1 - c) * COLUMN_BITS;
    return number < mirrored ? number : mirrored;
}

/* The table wants two words, each as good as random: one chooses the place, the other is compared. A chess program has
   two Zobrist numbers; here the position is a number already, and is stirred in two ways. */
static TabiaKey key_of(Position p) {
    const uint64_t n = number_of(p);
    uint64_t a = n * 0x9e3779b97f4a7c15, b = n * 0xd6e8feb86659fd93;
    a = (a ^ a >> 32) * 0xbf58476d1ce4e5b9;
    b = (b ^ b >> 29) * 0x94d049bb133111eb;
    return (TabiaKey){a ^ a >> 32, b ^ b >> 31};
}

/* ---- the search ---- */

/* What the threads share. */
typedef struct {
    TabiaTable *table;
    Position root;
    _Atomic int low, high; /* what is known so far: low <= score of the root <= high */
    /* What is being searched: keys of positions, each at a place of its own. */
    _Alignas(APART) _Atomic uint64_t marks[MARKS];
} Shared;

typedef struct {
    _Alignas(APART) Shared *shared;
    int alpha;    /* is the root's score above this? */
    bool stopped; /* another thread has answered that */
    uint64_t nodes;
    pthread_t thread;
} Worker;

typedef struct {
    Position child[COLUMNS];
    TabiaKey key[COLUMNS];
    int priority[COLUMNS];
    uint16_t name[COLUMNS]; /* 1 + the column: what the table keeps */
    int count;
} Moves;

/* Adds a move behind those of more worth. */
static void add_move(Moves *m, Position child, int column, int priority) {
    int at = m->count++;
    for (; at > 0 && m->priority[at - 1] < priority; at--) {
        m->child[at] = m->child[at - 1];
        m->priority[at] = m->priority[at - 1];
        m->name[at] = m->name[at - 1];
    }
    m->child[at] = child, m->priority[at] = priority, m->name[at] = (uint16_t)(column + 1);
}

/* The moves among `cells`, best first: the one the table knows, then those that threaten most, then the middle. */
static void list_moves(Moves *m, Position p, uint64_t cells, unsigned known) {
    static const int middle_first[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    m->count = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const int column = middle_first[i];
        const uint64_t cell = cells & column_of(column);
        if (!cell) continue;
        const uint64_t threats = wins(p.mine | cell) & ~p.all;
        add_move(m, make_move(p, cell), column, column + 1 == (int)known ? 100 : __builtin_popcountll(threats));
    }
}

/* Is a thread in the position? No more than a hint: two positions may have the same place in marks. */
static bool somebody_in(Shared *s, TabiaKey key) {
    return atomic_load_explicit(&s->marks[key.index % MARKS], memory_order_relaxed) == key.check;
}

static void set_mark(Shared *s, TabiaKey key, uint64_t check) {
    atomic_store_explicit(&s->marks[key.index % MARKS], check, memory_order_relaxed);
}

/* Does what the table knows tell whether the score is above alpha? */
static bool answers(TabiaHit hit, int alpha) {
    if (!hit.score_ok) return false;
    return hit.entry.bound == TABIA_BOUND_LOWER ? hit.entry.score > alpha : hit.entry.score <= alpha;
}

static int search(Worker *w, Position p, TabiaKey key, int alpha);

/* Searches a move's position, with a mark at the door. */
static int search_move(Worker *w, const Moves *m, int i, int alpha, bool together) {
    if (together) set_mark(w->shared, m->key[i], m->key[i].check);
    const int score = -search(w, m->child[i], m->key[i], -alpha - 1);
    if (together) set_mark(w->shared, m->key[i], 0);
    return score;
}

/*
 * Searches moves until one is above alpha. All threads begin with the first: it is the likeliest to be enough, and
 * deeper down they part. Of the others, those where somebody is come last. And since the whole position may have been
 * dealt with by another thread meanwhile, the table is asked again between the moves.
 */
static TabiaEntry search_moves(Worker *w, Moves *m, TabiaKey key, int alpha, bool together) {
    TabiaEntry best = {.score = -CELLS};
    int later[COLUMNS], put_off = 0;
    for (int turn = 0; turn < m->count + put_off; turn++) {
        const int i = turn < m->count ? turn : later[turn - m->count];
        if (together && turn > 0) {
            const TabiaHit hit = tabia_entry_probe(w->shared->table, key, 0);
            if (answers(hit, alpha)) return hit.entry;
            if (turn < m->count && somebody_in(w->shared, m->key[i])) {
                later[put_off++] = i;
                continue;
            }
        }
        const int score = search_move(w, m, i, alpha, together);
        if (w->stopped) break;
        if (score > best.score) best.score = (int16_t)score, best.move = m->name[i];
        if (score > alpha) break;
    }
    return best;
}

/* With the table's help: asks it, searches, tells it. */
static int search_with_table(Worker *w, Position p, TabiaKey key, int alpha, uint64_t cells) {
    Shared *s = w->shared;
    w->stopped |= w->alpha < s->low || w->alpha >= s->high;
    if (w->stopped) return 0;
    const TabiaHit hit = tabia_entry_probe(s->table, key, 0);
    if (answers(hit, alpha)) return hit.entry.score;
    Moves moves;
    list_moves(&moves, p, cells, hit.entry.move);
    for (int i = 0; i < moves.count; i++) {
        moves.key[i] = key_of(moves.child[i]);
        tabia_table_prefetch(s->table, moves.key[i]);
    }
    TabiaEntry found = search_moves(w, &moves, key, alpha, CELLS - p.stones >= EMPTY_FOR_HELP);
    if (w->stopped) return 0;
    found.bound = found.score > alpha ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER;
    found.draft = (uint8_t)(CELLS - p.stones); /* the work it took: what the table keeps longest */
    tabia_entry_store(s->table, key, 0, found);
    return found.score;
}

/*
 * Is the score of a position above alpha? The result is a bound of the score that tells. Nobody asks of a position
 * where the player to move wins at once.
 */
static int search(Worker *w, Position p, TabiaKey key, int alpha) {
    const int empty = CELLS - p.stones;
    w->nodes++;
    const uint64_t their_wins = wins(p.mine ^ p.all) & ~p.all;
    uint64_t cells = playable(p);
    const uint64_t forced = cells & their_wins;
    if (forced) cells = forced & (forced - 1) ? 0 : forced; /* of two, one is left to them */
    cells &= ~(their_wins >> 1);                            /* nor do we build a step up to one */
    if (!cells) return -(empty / 2);
    if (empty <= 2) return 0;
    if (alpha < -(empty / 2 - 1)) return -(empty / 2 - 1); /* they do not win with their next stone */
    if (alpha >= (empty - 1) / 2) return (empty - 1) / 2;  /* nor we with this one */
    if (empty >= EMPTY_FOR_TABLE) return search_with_table(w, p, key, alpha, cells);

    Moves moves;
    list_moves(&moves, p, cells, 0);
    return search_moves(w, &moves, key, alpha, false).score;
}

/* ---- the threads ---- */

/* What to ask next: halve what is open, but the first questions are whether it is a win and whether it is a loss. */
static int next_alpha(int low, int high) {
    const int middle = low + (high - low) / 2;
    if (middle <= 0 && low / 2 < middle) return low / 2;
    if (middle >= 0 && high / 2 > middle) return high / 2;
    return middle;
}

/* One thread: until the score is known, the next question. Who answers it first stops the others, who then ask the next
   as well. */
static void *work(void *worker) {
    Worker *w = worker;
    Shared *s = w->shared;
    for (int low, high; low = s->low, high = s->high, low < high;) {
        w->alpha = next_alpha(low, high);
        w->stopped = false;
        const int score = search(w, s->root, key_of(s->root), w->alpha);
        if (w->stopped) continue;
        if (score > w->alpha)
            atomic_compare_exchange_strong(&s->low, &low, score);
        else
            atomic_compare_exchange_strong(&s->high, &high, score);
    }
    return NULL;
}

typedef struct {
    int score;
    uint64_t nodes;
    double seconds;
} Result;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Solves a position from an empty table. */
static Result solve(Position root, TabiaTable *table, int threads) {
    const int empty = CELLS - root.stones;
    if (playable(root) & wins(root.mine)) return (Result){(empty + 1) / 2, 1, 0};
    Shared s = {.table = table, .root = root, .low = -(empty / 2), .high = (empty + 1) / 2};
    Worker workers[THREADS_MAX] = {0};
    tabia_table_clear(table);
    const double start = seconds_now();
    for (int i = 0; i < threads; i++) {
        workers[i].shared = &s;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            errx(1, "the system has no %d threads", threads);
    }
    Result result = {0};
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        result.nodes += workers[i].nodes;
    }
    result.seconds = seconds_now() - start;
    result.score = s.low;
    return result;
}

/* ---- the program ---- */

static const char usage[] =
    "usage: connect4 [MOVES] [--threads N] [--table SIZE] [--compare]\n\n"
    "Solves a position of Connect Four: who wins, and how soon. MOVES are the columns played so far, 1 to 7 from the\n"
    "left, such as 444441; without them a position that takes some seconds.\n\n"
    "  --threads N    how many threads; 1 otherwise, 2 with --compare\n"
    "  --table SIZE   of the shared table, such as 64M or 1G; 256M otherwise\n"
    "  --compare      solves with 1 thread and with N, and prints how many times faster N were\n";

static Position read_moves(const char *moves) {
    Position p = {0};
    for (const char *m = moves; *m; m++) {
        const int number = (int)(m - moves) + 1;
        if (*m < '1' || *m > '7') errx(1, "move %d of %s is '%c': a column is a digit, 1 to 7", number, moves, *m);
        const uint64_t cell = playable(p) & column_of(*m - '1');
        if (!cell) errx(1, "move %d of %s: column %c is full", number, moves, *m);
        if (cell & wins(p.mine) && m[1]) errx(1, "move %d of %s wins: there can be no more after it", number, moves);
        if (cell & wins(p.mine)) errx(1, "the last move of %s wins: there is nothing left to solve", moves);
        p = make_move(p, cell);
    }
    return p;
}

/* A number from 1 to max; K, M and G after it multiply. */
static uint64_t read_number(const char *option, const char *text, uint64_t max) {
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr("KMG", *end) : NULL;
    if (unit) number <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 30, end++;
    if (end == text || *end || *text == '-' || number < 1 || number > max)
        errx(1, "%s %s: a number from 1 to %llu, K, M or G after it", option, text, (unsigned long long)max);
    return number;
}

/* The first player's stones are x, the second's o. */
static void print_board(Position p) {
    const uint64_t first = p.stones % 2 ? p.mine ^ p.all : p.mine;
    for (int row = ROWS - 1; row >= 0; row--)
        for (int column = 0; column < COLUMNS; column++) {
            const uint64_t cell = (uint64_t)1 << (column * COLUMN_BITS + row);
            printf("%c%c", p.all & cell ? first & cell ? 'x' : 'o' : '.', column == COLUMNS - 1 ? '\n' : ' ');
        }
    printf("1 2 3 4 5 6 7   %c to move\n\n", p.stones % 2 ? 'o' : 'x');
}

static void print_result(Position p, Result r, int threads) {
    const int empty = CELLS - p.stones;
    const int plies = r.score > 0 ? 2 * ((empty + 1) / 2 - r.score) + 1 : 2 * (empty / 2 + r.score + 1);
    const char winner = (p.stones % 2 == 0) == (r.score > 0) ? 'x' : 'o';
    printf(r.score ? "%c wins in %d plies" : "a draw", winner, plies);
    printf("; %d thread%s, %llu nodes, %.2f s, %.1f M nodes/s\n", threads, threads == 1 ? "" : "s",
           (unsigned long long)r.nodes, r.seconds, r.seconds > 0 ? (double)r.nodes / r.seconds / 1e6 : 0);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const char *moves = "4444415";
    int threads = 0;
    bool compare = false;
    TabiaOptions options = {.bytes = 256 << 20};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return fputs(usage, stdout) < 0;
        if (!strcmp(argv[i], "--compare"))
            compare = true;
        else if (!strcmp(argv[i], "--threads") && argv[i + 1])
            threads = (int)read_number(argv[i], argv[i + 1], THREADS_MAX), i++;
        else if (!strcmp(argv[i], "--table") && argv[i + 1])
            options.bytes = read_number(argv[i], argv[i + 1], (uint64_t)1 << 40), i++;
        else if (argv[i][0] != '-')
            moves = argv[i];
        else
            errx(1, "%s is no option, or lacks its value; --help lists them", argv[i]);
    }
    if (!threads) threads = compare ? 2 : 1;
    const Position p = read_moves(moves);

    TabiaTable *table;
    TabiaError error;
    if (tabia_table_create(&table, &options, &error)) errx(1, "%s", error.text);
    print_board(p);
    Result one = {0};
    if (compare) print_result(p, one = solve(p, table, 1), 1);
    const Result all = solve(p, table, threads);
    print_result(p, all, threads);
    if (compare) printf("%d threads: %.2f times as fast as one\n", threads, one.seconds / all.seconds);
    tabia_table_destroy(table);
    return 0;
}
