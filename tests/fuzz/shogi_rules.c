/* SPDX-License-Identifier: MIT */
/*
 * shogi_rules COUNT [SEED]: at COUNT positions of random games of shogi, the legal moves against those of the reference,
 * as sets, and against the two subsets and the test of a single move; which of them give check, asked of each and listed;
 * each position after a move against the SFEN read back; the key updated move by move against the key computed from all
 * pieces; and the moves of the board turned around. Prints what differs; exits 1 if anything did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/validate.h"
#include "reference/shogi_reference.h"
#include "rules/checking_moves.h"
#include "rules/movegen.h"
#include "shogi_starts.h"

enum { FAILURES_MAX = 5 };

typedef struct {
    uint64_t state;
    uint64_t done, failures;
    Zobrist keys;
} RulesFuzz;

static void report(RulesFuzz *f, const Position *p, const char *what, const char *move) {
    char sfen[FEN_MAX];
    fen_write(p, FEN_STANDARD, sfen);
    printf("%s %s: %s\n", what, move, sfen);
    f->failures++;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const ShogiReferenceMove *)a)->text, ((const ShogiReferenceMove *)b)->text);
}

/* Prints the moves that only one of the two sorted lists holds. */
static void compare_lists(RulesFuzz *f, const Position *p, const ShogiReferenceMove *ours, unsigned n,
                          const ShogiReferenceMove *theirs, int m) {
    unsigned i = 0;
    int j = 0;
    while (i < n || j < m) {
        const int order = i == n ? 1 : j == m ? -1 : strcmp(ours[i].text, theirs[j].text);
        if (order < 0) report(f, p, "not legal but listed:", ours[i].text);
        if (order > 0) report(f, p, "legal but not listed:", theirs[j].text);
        i += order <= 0;
        j += order >= 0;
    }
}

static bool listed(const Move *moves, unsigned n, Move m) {
    while (n--)
        if (moves[n] == m) return true;
    return false;
}

/* Any 16 bits, and legal moves with one bit changed, are legal exactly if they are listed. */
static void check_legality(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < 64 + n; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < 64 ? (Move)r : (Move)(moves[i % n] ^ 1u << r % 16);
        char bits[8];
        snprintf(bits, sizeof bits, "%04x", m);
        if (move_is_legal(p, m) != listed(moves, n, m)) report(f, p, "legal or not, unlike the list:", bits);
        if (i >= 64 && !move_is_legal(p, moves[i - 64])) report(f, p, "listed, but not legal", bits);
    }
}

/* The two subsets of the list hold as many moves as the whole. */
static void check_subsets(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move subsets[2 * MOVES_MAX];
    const unsigned c = moves_list_captures(p, subsets), q = moves_list_quiets(p, subsets + c);
    if (c + q != n) report(f, p, "captures and quiet moves are not all", "");
    for (unsigned i = 0; i < c + q; i++) {
        const bool captures = has_square(occupied(p), move_to(subsets[i])) || move_promotes(subsets[i]);
        if (!listed(moves, n, subsets[i]) || captures != (i < c)) report(f, p, "in the wrong subset", "");
    }
}

/* The list of moves that check holds those of all moves that do. */
static void check_checking_moves(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move list[MOVES_MAX];
    unsigned checks = 0;
    const unsigned m = list_checking_moves(p, (Colour)p->turn, list);
    for (unsigned i = 0; i < n; i++) {
        char usi[UCI_MAX];
        move_to_uci(p, moves[i], false, usi);
        checks += gives_check(p, moves[i]);
        if (gives_check(p, moves[i]) != listed(list, m, moves[i])) report(f, p, "in the list of checks or not:", usi);
    }
    if (checks != m) report(f, p, "the list of checks holds other moves", "");
}

/* Before a move: does it give check, and is it read back from its text? */
static void check_each(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        Position after;
        char usi[UCI_MAX];
        move_to_uci(p, moves[i], false, usi);
        position_make_move(&after, p, moves[i]);
        if (gives_check(p, moves[i]) != in_check(&after)) report(f, p, "gives_check is wrong:", usi);
        if (move_from_uci(p, usi) != moves[i]) report(f, p, "not read back:", usi);
        if (i % 16 == 0) {
            char western[SAN_MAX];
            move_to_san(p, moves[i], western);
            if (move_from_text(p, western, NULL) != moves[i]) report(f, p, "not read back:", western);
        }
    }
}

static unsigned check_moves(RulesFuzz *f, const Position *p, Move moves[MOVES_MAX]) {
    static ShogiReferenceMove ours[MOVES_MAX], theirs[SHOGI_REFERENCE_MOVES_MAX];
    ShogiReferenceBoard b;
    char sfen[FEN_MAX];
    fen_write(p, FEN_STANDARD, sfen);
    if (!shogi_reference_read(&b, sfen)) report(f, p, "the reference cannot read it", "");
    const unsigned n = moves_list(p, moves);
    const int m = shogi_reference_moves(&b, theirs);
    for (unsigned i = 0; i < n; i++) move_to_uci(p, moves[i], false, ours[i].text);
    qsort(ours, n, sizeof *ours, by_text);
    qsort(theirs, (size_t)m, sizeof *theirs, by_text);
    compare_lists(f, p, ours, n, theirs, m);
    if (moves_count(p) != n) report(f, p, "counted and listed moves differ", "");
    check_legality(f, p, moves, n);
    check_subsets(f, p, moves, n);
    check_checking_moves(f, p, moves, n);
    check_each(f, p, moves, n);
    return n;
}

static void check_position(RulesFuzz *f, const Position *p, Key key, unsigned n) {
    Position read;
    char sfen[FEN_MAX];
    const Position turned = position_flipped(p), back = position_flipped(&turned);
    fen_write(p, FEN_STANDARD, sfen);
    if (!position_validate(p, NULL)) report(f, p, "not valid", "");
    if (!fen_parse(&read, sfen, NULL) || !position_same(&read, p) || read.ply != p->ply)
        report(f, p, "not read back", "");
    if (!position_same(&back, p) || moves_count(&turned) != n) report(f, p, "the board turned around differs", "");
    if (!key_same(key, zobrist_key(&f->keys, p))) report(f, p, "wrong key", "");
}

static void check_game(RulesFuzz *f, uint64_t positions) {
    Position p = shogi_random_start(&f->state);
    Key key = zobrist_key(&f->keys, &p);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? 6 : 150);
    for (unsigned ply = 0; ply < plies && f->done < positions && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        const unsigned n = check_moves(f, &p, moves);
        check_position(f, &p, key, n);
        f->done++;
        if (n == 0) return;
        const Move m = moves[random_below(&f->state, n)];
        key = position_key_after(&p, key, m, &f->keys);
        position_make_move(&p, &p, m);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: shogi_rules COUNT [SEED]\n");
        return 2;
    }
    const uint64_t positions = strtoull(argv[1], NULL, 10);
    static RulesFuzz f;
    f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    zobrist_init(&f.keys, f.state);
    while (f.done < positions && f.failures < FAILURES_MAX) check_game(&f, positions);
    printf("%ju positions, %ju failures\n", (uintmax_t)f.done, (uintmax_t)f.failures);
    return f.failures != 0;
}
