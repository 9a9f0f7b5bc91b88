/* SPDX-License-Identifier: MIT */
/* Unique positions: the published numbers, those of a plain walk by each definition, and work that is stopped and resumed. */

#include <dirent.h>

#include "unit.h"

#include "notation/fen.h"
#include "perft/unique.h"
#include "rules/movegen.h"

/* OEIS A083276 and A048987. */
static const uint64_t unique[] = {1, 20, 400, 5362, 72078, 822518}, perft[] = {1, 20, 400, 8902, 197281, 4865609};

static bool check(void *context, const UniquePly *ply) {
    int *plies = context;
    assert_int_equal(ply->ply, (*plies)++);
    assert_int_equal(ply->positions, unique[ply->ply]);
    assert_true(ply->paths == perft[ply->ply]);
    return false;
}

static void gives_the_known_numbers(void **state) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        int plies = 0;
        TabiaError error;
        UniqueJob job = {.depth = 5,
                         .threads = threads,
                         .keys_seed = threads,
                         .all_definitions = threads > 1,
                         .each = check,
                         .context = &plies};
        assert_true(fen_parse(&job.root, fen_start, &error));
        assert_true(unique_run(&job, &error));
        assert_int_equal(plies, 6);
    }
}

typedef struct {
    uint64_t done, all;
    int ply, calls, plies; /* looks: at a ply that was under way */
    bool ends;
} WatchCalls;

static bool watch_ply(void *context, const UniqueProgress *p) {
    WatchCalls *l = context;
    assert_true(p->done <= p->all);
    if (p->ply != l->ply) l->done = 0;
    assert_true(p->done >= l->done);
    assert_int_equal(p->all, unique[p->ply - 1]);
    l->calls += p->ply == 5 && p->done > 0 && p->done < p->all;
    l->ply = p->ply, l->done = p->done;
    return l->ends && p->ply == 5 && p->done > 0;
}

static bool count_plies(void *context, const UniquePly *ply) {
    WatchCalls *l = context;
    l->plies = ply->ply;
    return false;
}

/* Not only between the passes, of which there may be one, and end the work there. */
static void progress_rises_within_a_pass(void **state) {
    for (int ends = 0; ends < 2; ends++) {
        WatchCalls l = {.ends = ends};
        TabiaError error;
        UniqueJob job = {
            .depth = 5, .threads = 1, .keys_seed = 1, .watch = watch_ply, .each = count_plies, .context = &l};
        assert_true(fen_parse(&job.root, fen_start, &error));
        assert_true(unique_run(&job, &error));
        assert_int_equal(l.plies, ends ? 4 : 5);
        assert_true(ends ? l.calls <= 3 : l.calls > 10);
    }
}

/* ---- by a plain walk, each position as a text ---- */

enum { WALK_MAX = 300000 };
typedef struct {
    char (*text)[FEN_MAX]; /* [WALK_MAX] */
    size_t n;
} Walk;

/* Board, side and castling rights, and the file of a pawn that moved two if the definition has it: 0 legal, 1 pseudo-legal, 2 any. */
static void describe(const Position *p, Move m, int definition, char *text) {
    char fen[FEN_MAX];
    bool pawn = p->ep != 0;
    if (definition > 0 && move_flag(m) == DOUBLE_PUSH) {
        const int to = move_to(m), file = file_of(to);
        const Bits black_or_white = p->pawn & p->side[p->turn];
        pawn =
            definition == 2 || (file > 0 && black_or_white & bit(to - 1)) || (file < 7 && black_or_white & bit(to + 1));
    }
    fen_write(p, FEN_SHREDDER, fen);
    char *fields = strchr(strchr(strchr(fen, ' ') + 1, ' ') + 1, ' ');
    snprintf(text, FEN_MAX, "%.*s %c", (int)(fields - fen), fen, pawn ? 'a' + file_of(move_to(m)) : '-');
}

static void walk(Walk *w, const Position *p, int depth, int definition) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        if (depth > 1) {
            walk(w, &child, depth - 1, definition);
            continue;
        }
        assert_true(w->n < WALK_MAX);
        describe(&child, list[i], definition, w->text[w->n++]);
    }
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

static uint64_t different_texts(Walk *w) {
    uint64_t n = 0;
    qsort(w->text, w->n, sizeof *w->text, compare_texts);
    for (size_t i = 0; i < w->n; i++) n += i == 0 || strcmp(w->text[i], w->text[i - 1]) != 0;
    return n;
}

static bool keep_last(void *context, const UniquePly *ply) {
    *(UniquePly *)context = *ply;
    return false;
}

/* With pins on the pawn that would capture and on both pawns' rank, castling of both sides, Chess960, promotions. */
static const struct {
    const char *fen;
    int depth;
} cases[] = {{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 4},
             {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3},
             {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4},
             {"8/8/8/8/k1p4R/8/1P1P4/3K4 w - -", 4},
             {"4k3/8/8/8/b1p1p1p1/8/1P1P1P1P/4K2B w - -", 3},
             {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3},
             {"1rkr4/p6p/8/4Pp2/8/8/P6P/1RKR4 w DBdb f6", 3},
             {"7k/8/8/8/8/8/5q2/7K w - -", 2}};

static void agrees_with_a_plain_walk(void **state) {
    Walk w = {malloc(WALK_MAX * sizeof *w.text), 0};
    assert_non_null(w.text);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        TabiaError error;
        UniquePly found;
        UniqueJob job = {.depth = cases[i].depth, .all_definitions = true, .each = keep_last, .context = &found};
        assert_true(fen_parse(&job.root, cases[i].fen, &error));
        for (unsigned k = 0; (job.kernel = perft_kernel_at(k)) != NULL; k++) {
            job.keys_seed = k, job.threads = k + 1, job.memory = k % 2 ? 0 : 1; /* as many passes as may be */
            assert_true(unique_run(&job, &error));
            for (int d = 0; d < 3; d++) {
                w.n = 0;
                walk(&w, &job.root, job.depth, d);
                assert_int_equal(d == 0 ? found.positions : d == 1 ? found.ready : found.any, different_texts(&w));
            }
            assert_true(found.paths == w.n);
        }
    }
    free(w.text);
}

/* ---- in a folder ---- */

typedef struct {
    int calls, end; /* the call of watch that ends the work */
    UniquePly last;
} Stopped;

static bool stop_at(void *context, const UniqueProgress *p) {
    (void)p;
    Stopped *s = context;
    return ++s->calls == s->end;
}
static bool keep_ply(void *context, const UniquePly *ply) {
    return keep_last(&((Stopped *)context)->last, ply);
}

static void remove_folder(const char *folder) {
    char name[600];
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files)) != NULL;) {
        snprintf(name, sizeof name, "%s/%s", folder, file->d_name);
        if (file->d_name[0] != '.') assert_int_equal(unlink(name), 0);
    }
    closedir(files);
    assert_int_equal(rmdir(folder), 0);
}

/* Runs that are stopped at later and later moments, until one is not. */
static void resumes_in_a_folder(void **state) {
    char folder[] = "/tmp/tabia-unique-XXXXXX", name[100];
    Stopped s = {0};
    TabiaError error;
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/ply-4.positions", folder);
    UniqueJob job = {.depth = 5,
                     .threads = 2,
                     .keys_seed = 3,
                     .all_definitions = true,
                     .work_dir = folder,
                     .memory = 1,
                     .each = keep_ply,
                     .watch = stop_at,
                     .context = &s};
    assert_true(fen_parse(&job.root, fen_start, &error));
    int runs = 0;
    do {
        s.calls = 0, s.end = 3 + 2 * runs++;
        assert_true(unique_run(&job, &error));
    } while (s.last.ply < 5);
    assert_true(runs > 5 && runs < 60);
    assert_int_equal(s.last.positions, unique[5]);
    assert_true(s.last.paths == perft[5]);
    const UniquePly whole = s.last;

    s.end = s.calls = 0; /* all is known: no pass is made, and the kept ply is not read */
    assert_true(unique_run(&job, &error) && !memcmp(&s.last, &whole, sizeof whole));
    assert_int_equal(s.calls, 0);

    FILE *file = fopen(name, "r+b"); /* damaged, as ply 6 needs it */
    assert_true(file && !fseek(file, 1000, SEEK_SET) && fputc(77, file) == 77 && !fclose(file));
    job.depth = 6;
    assert_false(unique_run(&job, &error));
    assert_non_null(strstr(error.text, "damaged"));
    assert_int_equal(unlink(name), 0); /* without it the plies are made again */
    job.depth = 5;
    assert_true(unique_run(&job, &error) && !memcmp(&s.last, &whole, sizeof whole));
    job.depth = 6, job.memory = 0; /* and kept, in another order */
    assert_true(unique_run(&job, &error) && s.last.positions == 9417681);
    remove_folder(folder);
}

#include "test_unique_list.h"
