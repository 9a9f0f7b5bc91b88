/* SPDX-License-Identifier: MIT */
/* A whole perft: every combination of threads, table and kernel gives the known counts, at any depth, also resumed. */

#include "table_tools.h"

#include "notation/fen.h"
#include "perft/ledger_summary.h"
#include "perft/position_set.h"
#include "perft/run.h"
#include "rules/movegen.h"
#include "tabia/counts.h"

static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
static const char chess960[] = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";

static PerftJob job_for(const char *fen, int depth) {
    PerftJob job = {.depth = depth, .keys_seed = 1};
    TabiaError error = {0};
    if (!fen_parse(&job.root, fen, &error)) fail_msg("%s", error.text);
    return job;
}

/* The caller's to free. */
static PerftState state_of(const PerftJob *job) {
    PerftState state;
    TabiaError error;
    if (!perft_run(job, &state, &error)) fail_msg("%s", error.text);
    return state;
}

static U128 nodes_of(const PerftJob *job) {
    PerftState state = state_of(job);
    assert_true(state.complete);
    U128 divided = 0;
    for (unsigned r = 0; r < state.frontier.roots; r++) divided += state.divide[r];
    if (job->depth) assert_true(divided == state.nodes);
    const U128 nodes = state.nodes;
    perft_state_free(&state);
    return nodes;
}

static void every_way_gives_the_known_counts(void **state) {
    static const struct {
        const char *fen;
        int depth;
        uint64_t nodes;
    } known[] = {
        {fen_start, 0, 1},      {fen_start, 1, 20},      {fen_start, 2, 400},   {fen_start, 3, 8902},
        {fen_start, 4, 197281}, {fen_start, 5, 4865609}, {kiwi, 1, 48},         {kiwi, 3, 97862},
        {kiwi, 4, 4085603},     {chess960, 2, 528},      {chess960, 4, 326672}, {chess960, 5, 8146062},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (unsigned threads = 1; threads <= 3; threads++)
            for (int hashed = 0; hashed < 3; hashed++)
                for (unsigned kernel = 0; perft_kernel_at(kernel); kernel++) {
                    PerftJob job = job_for(known[i].fen, known[i].depth);
                    job.threads = threads;
                    job.hash_bytes = hashed == 0 ? 0 : hashed == 1 ? 1 << 16 : 1 << 24;
                    job.kernel = perft_kernel_at(kernel);
                    job.keys_seed = kernel;
                    const U128 nodes = nodes_of(&job);
                    if (nodes != known[i].nodes)
                        fail_msg("%s depth %d, %u threads, %ju bytes, kernel %s: got %ju, expected %ju", known[i].fen,
                                 known[i].depth, threads, (uintmax_t)job.hash_bytes, job.kernel->name, (uintmax_t)nodes,
                                 (uintmax_t)known[i].nodes);
                }
}

static const atomic_bool never = false;

/* A root, its moves and their keys, and a table. */
typedef struct {
    Position root;
    TabiaTable *table;
    Zobrist zobrist;
    Move list[MOVES_MAX];
    Key key[MOVES_MAX];
    unsigned n;
} Keyed;

static Keyed keyed(const PerftKernel *kernel, const char *fen) {
    Keyed k = {.root = job_for(fen, 4).root,
               .table = new_table((TabiaOptions){.bytes = 1 << 22, .type = TABIA_COUNTS})};
    zobrist_init(&k.zobrist, 1);
    k.n = moves_list(&k.root, k.list);
    kernel->keys(&k.zobrist, &k.root, zobrist_key(&k.zobrist, &k.root), k.list, k.n, k.key);
    return k;
}

/* Siblings that are counted together, and mates, are remembered: the second time the table has all that the root has below it. */
static void what_the_table_has_is_counted_once(void **state) {
    for (unsigned i = 0; perft_kernel_at(i); i++) {
        const PerftKernel *kernel = perft_kernel_at(i);
        const Keyed k = keyed(kernel, fen_start);
        for (unsigned time = 0; time < 4; time++) {
            KernelContext c = {.zobrist = &k.zobrist, .table = k.table, .stop = &never};
            if (time == 2) tabia_table_clear(k.table);
            assert_true(time < 2 ? kernel->children(&c, &(Siblings){&k.root, k.list, k.key, k.n, 3}) == 197281
                                 : kernel->mates(&c, &k.root, zobrist_key(&k.zobrist, &k.root), 4) == 8);
            assert_true(time % 2 ? c.probes == k.n && c.hits == k.n : c.probes > k.n);
        }
        tabia_table_destroy(k.table);
    }
}

/* A count is found by both halves of the key, or half of them would have been enough to take another position's. */
static void counts_have_keys_of_128_bits(void **state) {
    for (unsigned i = 0; perft_kernel_at(i); i++) {
        const Keyed k = keyed(perft_kernel_at(i), kiwi);
        KernelContext c = {.zobrist = &k.zobrist, .table = k.table, .stop = &never};
        assert_true(perft_kernel_at(i)->children(&c, &(Siblings){&k.root, k.list, k.key, k.n, 3}) == 4085603);
        for (unsigned m = 0; m < k.n; m++) {
            assert_true(tabia_counts_probe(k.table, (TabiaKey){k.key[m][0], k.key[m][1]}, 3) > 0);
            for (unsigned h = 0; h < 2; h++)
                assert_int_equal(tabia_counts_probe(k.table, (TabiaKey){k.key[m][h], k.key[m][h]}, 3), 0);
        }
        tabia_table_destroy(k.table);
    }
}

/* The kinds of the last moves, as job.kinds counts them. */
static void assert_kinds(PerftJob job, uint64_t nodes, const uint64_t expected[KINDS]) {
    job.kinds = true;
    PerftState run = state_of(&job);
    const atomic_bool stop = false;
    KernelContext below = {.stop = &stop}; /* the root without a frontier */
    assert_true(run.complete && run.nodes == nodes && !run.hash_bytes && (!job.depth || run.divide[0]));
    assert_true(job.kernel->kinds(&below, &job.root, job.depth) == nodes);
    for (unsigned k = 0; k < KINDS; k++)
        if (run.kinds[k] != expected[k] || below.kinds[k] != expected[k])
            fail_msg("depth %d, kind %u: %ju, not %ju", job.depth, k, (uintmax_t)run.kinds[k], (uintmax_t)expected[k]);
    perft_state_free(&run);
}

/* Published counts of mates and of all kinds of moves, with and without a table, and where the root is mated itself. */
static void mates_and_kinds_are_counted(void **state) {
    static const char mated[] = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    static const struct {
        const char *fen;
        int depth;
        uint64_t nodes, mates, kinds[KINDS];
    } known[] = {{fen_start, 3, 8902, 0, {34, 0, 0, 0, 12}},
                 {fen_start, 4, 197281, 8, {1576, 0, 0, 0, 469, 0, 0, 8}},
                 {fen_start, 5, 4865609, 347, {82719, 258, 0, 0, 27351, 6, 0, 347}},
                 {kiwi, 1, 48, 0, {8, 0, 2}},
                 {kiwi, 2, 2039, 0, {351, 1, 91, 0, 3}},
                 {kiwi, 4, 4085603, 43, {757163, 1929, 128013, 15172, 25523, 42, 6, 43}},
                 {"8/8/8/8/8/8/8/1k2KR2 w F -", 1, 14, 0, {0, 0, 1, 0, 4, 4}}, /* castling, the rook stays */
                 {mated, 0, 1, 1, {0}}};                                       /* no move leads there */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int hashed = 0; hashed < 3; hashed++)
            for (unsigned kernel = 0; perft_kernel_at(kernel); kernel++) {
                PerftJob job = job_for(known[i].fen, known[i].depth);
                job.threads = 2, job.kernel = perft_kernel_at(kernel);
                job.hash_bytes = hashed == 0 ? 0 : hashed == 1 ? 1 << 16 : 1 << 24;
                if (hashed < 2) assert_kinds(job, known[i].nodes, known[i].kinds);
                job.mates = true;
                if (nodes_of(&job) != known[i].mates)
                    fail_msg("mates of %s depth %d, table %d", known[i].fen, known[i].depth, hashed);
            }
}

/* Two kings alone, counted by going through all their places ply by ply: as deep as one likes, beyond 64 bits too. */
static U128 count_kings(const Position *root, int depth) {
    static U128 ways[2][64][64], next[2][64][64];
    memset(ways, 0, sizeof ways);
    ways[root->turn][king_square(root, WHITE)][king_square(root, BLACK)] = 1;
    U128 sum = 1;
    for (; depth > 0; depth--, memcpy(ways, next, sizeof ways)) {
        memset(next, 0, sizeof next);
        sum = 0;
        for (int turn = 0; turn < 2; turn++)
            for (int w = 0; w < 64; w++)
                for (int b = 0; b < 64; b++) {
                    if (!ways[turn][w][b]) continue;
                    const Bits taboo = turn == WHITE ? king_attacks[b] : king_attacks[w];
                    EACH (to, king_attacks[turn == WHITE ? w : b] & ~taboo) {
                        *(turn == WHITE ? &next[1][to][b] : &next[0][w][to]) += ways[turn][w][b];
                        sum += ways[turn][w][b];
                    }
                }
    }
    return sum;
}

/* However short: the workers are often done before anybody waits for them. */
static void short_runs_take_time(void **state) {
    enum { RUNS = 200 };
    for (int i = 0; i < RUNS; i++) {
        PerftJob job = job_for(fen_start, 1 + i % 3);
        job.threads = 1 + (unsigned)i % 2;
        PerftState run = state_of(&job);
        if (!(run.wall > 0 && run.cpu > 0)) fail_msg("run %d of %d took %g s, %g s of cpu", i, RUNS, run.wall, run.cpu);
        perft_state_free(&run);
    }
}

static void sums_do_not_overflow(void **state) {
    PerftJob job = job_for("8/8/3k4/8/8/3K4/8/8 w - -", 0);
    job.hash_bytes = 1 << 22;
    for (job.depth = 6; job.depth <= 32; job.depth += job.depth < 28 ? 1 : 4) {
        const U128 expected = count_kings(&job.root, job.depth);
        const U128 nodes = nodes_of(&job);
        if (nodes != expected)
            fail_msg("depth %d: got %#jx%016jx, expected %#jx%016jx", job.depth, (uintmax_t)(nodes >> 64),
                     (uintmax_t)nodes, (uintmax_t)(expected >> 64), (uintmax_t)expected);
        if (job.depth == 32)
            assert_true(expected >> 84 != 0); /* a unit of four plies less has more than 2^64 as well */
    }
}

/* Nor do those of siblings that are counted together. */
static void sums_of_siblings_do_not_overflow(void **state) {
    const Position p = job_for("8/8/3k4/8/8/3K4/8/8 w - -", 0).root;
    Zobrist zobrist;
    Move list[MOVES_MAX];
    Key key[MOVES_MAX];
    zobrist_init(&zobrist, 1);
    const unsigned n = moves_list(&p, list);
    for (unsigned i = 0; perft_kernel_at(i); i++)
        for (int depth = 6; depth <= 30; depth += 8) {
            const PerftKernel *kernel = perft_kernel_at(i);
            TabiaTable *table = new_table((TabiaOptions){.bytes = 1 << 22, .type = TABIA_COUNTS});
            KernelContext c = {.zobrist = &zobrist, .table = table, .stop = &never};
            kernel->keys(&zobrist, &p, zobrist_key(&zobrist, &p), list, n, key);
            const U128 expected = count_kings(&p, depth + 1);
            const U128 leaves = kernel->children(&c, &(Siblings){&p, list, key, n, depth});
            if (leaves != expected) fail_msg("kernel %s, depth %d", kernel->name, depth);
            assert_true(depth < 30 || expected >> 68 != 0);
            tabia_table_destroy(table);
        }
}

/* What one thread asks of the table, and finds there: a count that is not stored, or not found, changes both. */
static void table_saves_what_it_should(void **state) {
    PerftJob job = job_for(kiwi, 5);
    job.threads = 1, job.hash_bytes = 1 << 24, job.kernel = perft_kernel_named("portable");
    PerftState run = state_of(&job);
    assert_true(run.complete && run.nodes == 193690690);
    if (run.probes != 99850 || run.hits != 40191)
        fail_msg("%ju probes, %ju hits", (uintmax_t)run.probes, (uintmax_t)run.hits);
    perft_state_free(&run);
}

/* The leaves two plies below each position `plies` from p that the set does not have yet. */
static uint64_t leaves_below_distinct(PositionSet *met, const Zobrist *z, const Position *p, int plies) {
    if (!plies) {
        size_t number;
        bool is_new;
        assert_true(position_set_add(met, zobrist_key(z, p), &number, &is_new, NULL));
        return is_new ? perft_kernel_named("portable")->last_two(p) : 0;
    }
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, (Colour)p->turn, list[i]);
        leaves += leaves_below_distinct(met, z, &child, plies - 1);
    }
    return leaves;
}

/* With room for all, what lies below a position two plies above the leaves is counted once, and never less; without
   room, more often. Where there is nothing to probe all is counted. */
static void leaves_are_counted_once(void **state) {
    PerftJob job = job_for(kiwi, 5);
    Zobrist zobrist;
    PositionSet met = {0};
    zobrist_init(&zobrist, 1);
    const uint64_t once = leaves_below_distinct(&met, &zobrist, &job.root, 3);
    position_set_free(&met);
    uint64_t counted[3];
    const int depths[] = {5, 5, 2};
    for (int i = 0; i < 3; i++) {
        job.threads = 1, job.depth = depths[i], job.hash_bytes = i == 1 ? 1 << 12 : 1 << 24;
        PerftState run = state_of(&job);
        counted[i] = run.leaves_counted;
        perft_state_free(&run);
    }
    assert_true(once < 193690690);
    assert_in_range(counted[0], once, once + once / 100); /* a bucket may be full */
    assert_in_range(counted[1], once + once / 10, 193690690);
    assert_int_equal(counted[2], 2039);
}

/* Positions that the table, or each thread's own, did not know. */
static uint64_t unknown_positions(bool private_tables) {
    PerftJob job = job_for(kiwi, 5);
    job.threads = 3, job.hash_bytes = 3 << 23, job.private_tables = private_tables;
    PerftState run = state_of(&job);
    assert_true(run.complete && run.nodes == 193690690 && run.hash_bytes <= job.hash_bytes);
    const uint64_t unknown = run.probes - run.hits;
    perft_state_free(&run);
    return unknown;
}

/* Every thread counts for itself what another may have counted: more is unknown, and the count is the same. On a busy
   machine one thread may count nearly all, and then has nothing to learn from others: there are several tries. */
static void private_tables_know_less(void **state) {
    uint64_t shared = 0, private = 0;
    for (int tries = 0; tries < 20 && private * 10 < shared * 11 + 1; tries++)
        shared = unknown_positions(false), private = unknown_positions(true);
    if (private * 10 < shared * 11)
        fail_msg("%ju positions unknown to one table, %ju to three", (uintmax_t)shared, (uintmax_t) private);
}

/* Per mille of a count that has far more positions than there is room for. */
static unsigned fullness(unsigned tables) {
    PerftJob job = job_for(kiwi, 5);
    job.threads = 2, job.hash_bytes = (uint64_t)tables << 12, job.private_tables = tables > 1;
    PerftState run = state_of(&job);
    const unsigned full = run.table_full;
    perft_state_free(&run);
    return full;
}

/* One table is full; of two at least one is, whatever its thread leaves to the other. */
static void fullness_is_of_all_tables(void **state) {
    assert_in_range(fullness(1), 900, 1000);
    assert_in_range(fullness(2), 450, 1000);
}

static bool stop_soon(void *context, const PerftState *state) {
    const size_t *enough = context;
    return state->units_done >= *enough;
}

/* A ledger of another version must not be refused, nor taken for another run's: its first line tells the units. */
static void assert_first_line_tells(const char *name, const char *units) {
    char line[300] = "";
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    if (!strstr(line, units)) fail_msg("the ledger begins with %s", line);
}

/* Appends the ledger's last line to it again. */
static void repeat_last_record(const char *name) {
    char line[300] = "";
    FILE *file = fopen(name, "r+");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) continue;
    fseek(file, 0, SEEK_END);
    assert_true(fputs(line, file) >= 0);
    fclose(file);
}

static void ends_early_and_goes_on_from_the_ledger(void **state) {
    char name[] = "/tmp/tabia-test-XXXXXX";
    const int file = mkstemp(name);
    assert_true(file >= 0);
    close(file);
    size_t enough = 1;
    PerftJob job = job_for(fen_start, 6);
    job.ledger = name, job.watch = stop_soon, job.context = &enough, job.hash_bytes = 1 << 24;
    job.kernel = perft_kernel_named("portable"), job.threads = 2;
    PerftState s = state_of(&job);
    const size_t done = s.units_done;
    perft_state_free(&s);
    enough = SIZE_MAX;
    repeat_last_record(name); /* counts once */
    s = state_of(&job);
    assert_true(s.complete && s.nodes == 119060324 && s.units_resumed == done);
    perft_state_free(&s);
    s = state_of(&job); /* all in the ledger: nothing left to count */
    assert_true(s.complete && s.nodes == 119060324 && s.units_resumed == s.frontier.units.n);
    perft_state_free(&s);
    assert_first_line_tells(name, "perft 6 in 400 units (c4e6dfdd820d8ab2)");
    job.depth = 5;
    assert_false(perft_run(&job, &s, NULL)); /* another run's ledger */
    perft_state_free(&s);
    unlink(name);
}

/* A root without a move has no units, and a ledger all the same. */
static void a_ledger_without_units(void **state) {
    char name[] = "/tmp/tabia-test-XXXXXX";
    close(mkstemp(name));
    PerftJob job = job_for("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", 2);
    job.ledger = name;
    (void)nodes_of(&job);
    LedgerSummary s;
    TabiaError error;
    bool outside;
    if (!ledger_summary_read(&s, name, &outside, &error)) fail_msg("%s", error.text);
    assert_true(s.depth == 2 && s.units == 0 && s.units_done == 0);
    unlink(name);
}

#include "test_run_list.h"
