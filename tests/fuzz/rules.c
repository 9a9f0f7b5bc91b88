/* SPDX-License-Identifier: MIT */
/*
 * rules COUNT [SEED]: at COUNT positions of random games, the legal moves against those of the reference, as sets, and
 * against the two subsets and the test of a single move; which of them give check, before and after making them; each
 * position after a move against the reference board after the same move; and the key updated move by move against the
 * key computed from all pieces. Prints what differs; exits 1 if anything did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bridge.h"
#include "rules/gives_check.h"
#include "rules/movegen.h"
#include "starts.h"

enum { FAILURES_MAX = 5 };

typedef struct {
    uint64_t state;
    uint64_t done, failures;
    Zobrist keys;
} RulesFuzz;

static void report(RulesFuzz *f, const Position *p, const char *what, const char *move) {
    char fen[REFERENCE_FEN_MAX];
    bridge_fen(p, fen);
    printf("%s %s: %s\n", what, move, fen);
    f->failures++;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const ReferenceMove *)a)->text, ((const ReferenceMove *)b)->text);
}

/* Prints the moves that only one of the two sorted lists holds. */
static void compare_lists(RulesFuzz *f, const Position *p, const ReferenceMove *ours, unsigned n,
                          const ReferenceMove *theirs, int m) {
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
    for (unsigned i = 0; i < 64 + 2 * n; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < 64 ? (Move)r : (Move)(moves[i % n] ^ 1u << r % 16);
        char bits[8];
        snprintf(bits, sizeof bits, "%04x", m);
        if (move_is_legal(p, m) != listed(moves, n, m)) report(f, p, "legal or not, unlike the list:", bits);
    }
}

/* Each listed move is found from its squares, and none is found between squares that no move connects. */
static void check_squares(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    static const PieceType promotions[] = {PAWN, KNIGHT, BISHOP, ROOK, QUEEN};
    for (unsigned i = 0; i < n + 64; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < n ? moves[i] : (Move)(r & 0xfff);
        const PieceType promotion = i >= n ? promotions[r >> 16 & 3] : move_promotes(m) ? move_promotion(m) : PAWN;
        const Move found = move_from_squares(p, move_from(m), move_to(m), promotion);
        bool connected = false;
        for (unsigned k = 0; k < n; k++)
            connected = connected || (move_from(moves[k]) == move_from(m) && move_to(moves[k]) == move_to(m) &&
                                      (move_promotes(moves[k]) ? move_promotion(moves[k]) : PAWN) == promotion);
        if (i < n ? found != m : connected ? !listed(moves, n, found) : found != 0)
            report(f, p, "wrong move from its squares:", bridge_move_text(m).text);
    }
}

/* The two subsets of the list hold as many moves as the whole. */
static void check_subsets(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move subsets[2 * MOVES_MAX];
    const unsigned c = moves_list_captures(p, subsets), q = moves_list_quiets(p, subsets + c);
    if (c + q != n) report(f, p, "captures and quiet moves are not all", "");
    for (unsigned i = 0; i < n; i++)
        if (!listed(subsets, c + q, moves[i])) report(f, p, "in neither subset:", bridge_move_text(moves[i]).text);
}

/* gives_check() before a move agrees with in_check() after it. */
static void check_checks(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        Position after;
        position_make_move(&after, p, moves[i]);
        if (gives_check(p, moves[i]) != in_check(&after))
            report(f, p, "gives_check is wrong:", bridge_move_text(moves[i]).text);
    }
}

static unsigned check_moves(RulesFuzz *f, const Position *p, Move moves[MOVES_MAX]) {
    ReferenceMove ours[MOVES_MAX], theirs[REFERENCE_MOVES_MAX];
    const ReferenceBoard b = reference_from_position(p);
    const unsigned n = moves_list(p, moves);
    const int m = reference_moves(&b, theirs);
    for (unsigned i = 0; i < n; i++) ours[i] = bridge_move_text(moves[i]);
    qsort(ours, n, sizeof *ours, by_text);
    qsort(theirs, (size_t)m, sizeof *theirs, by_text);
    compare_lists(f, p, ours, n, theirs, m);
    if (moves_count(p) != n) report(f, p, "counted and listed moves differ", "");
    check_legality(f, p, moves, n);
    check_subsets(f, p, moves, n);
    check_checks(f, p, moves, n);
    check_squares(f, p, moves, n);
    return n;
}

/* Makes m in *p on both boards and compares them, and the keys. */
static Key check_make_move(RulesFuzz *f, Position *p, Key key, Move m) {
    const ReferenceMove text = bridge_move_text(m);
    const ReferenceBoard before = reference_from_position(p);
    ReferenceBoard after;
    Position n;
    key = position_key_after(p, key, m, &f->keys);
    position_make_move(&n, p, m);
    if (!reference_make_move(&before, text.text, &after)) report(f, p, "the reference cannot make", text.text);
    const Position expected = position_from_reference(&after);
    if (!position_same(&n, &expected) || n.halfmove != expected.halfmove || n.fullmove != expected.fullmove)
        report(f, p, "wrong position after", text.text);
    if (!key_same(key, zobrist_key(&f->keys, &n))) report(f, p, "wrong key after", text.text);
    *p = n;
    return key;
}

static void check_game(RulesFuzz *f, uint64_t positions) {
    Position p = random_start(&f->state);
    Key key = zobrist_key(&f->keys, &p);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? 12 : 150);
    for (unsigned ply = 0; ply < plies && f->done < positions && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        const unsigned n = check_moves(f, &p, moves);
        f->done++;
        if (n == 0) return;
        key = check_make_move(f, &p, key, moves[random_below(&f->state, n)]);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: rules COUNT [SEED]\n");
        return 2;
    }
    const uint64_t positions = strtoull(argv[1], NULL, 10);
    RulesFuzz f = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    zobrist_init(&f.keys, f.state);
    while (f.done < positions && f.failures < FAILURES_MAX) check_game(&f, positions);
    printf("%ju positions, %ju failures\n", (uintmax_t)f.done, (uintmax_t)f.failures);
    return f.failures != 0;
}
