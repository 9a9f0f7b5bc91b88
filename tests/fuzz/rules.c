/* SPDX-License-Identifier: MIT */
/*
 * rules COUNT [SEED]: at COUNT positions of random games, the legal moves against those of the reference, as sets, and
 * against the lists in parts and the test of a single move; which of them give check, told before and after playing;
 * each position reached by a move against the reference board after the same move; and the key kept up to date move by
 * move against the key from nothing. Prints what differs; exits 1 if anything did.
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
} Fuzz;

static void report(Fuzz *f, const Position *p, const char *what, const char *move) {
    char fen[REFERENCE_FEN_MAX];
    bridge_write(p, fen);
    printf("%s %s: %s\n", what, move, fen);
    f->failures++;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const MoveText *)a)->text, ((const MoveText *)b)->text);
}

/* Prints the moves that only one of the two sorted lists holds. */
static void compare_lists(Fuzz *f, const Position *p, const MoveText *ours, unsigned n, const MoveText *theirs, int m) {
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

/* Moves of any 16 bits, and of the legal ones with a bit changed, are judged as the list judges. */
static void check_legality(Fuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < 64 + 2 * n; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < 64 ? (Move)r : (Move)(moves[i % n] ^ 1u << r % 16);
        char bits[8];
        snprintf(bits, sizeof bits, "%04x", m);
        if (move_is_legal(p, m) != listed(moves, n, m)) report(f, p, "judged otherwise than listed:", bits);
    }
}

/* Each listed move is found again by its squares, and nothing between squares that no move joins. */
static void check_squares(Fuzz *f, const Position *p, const Move *moves, unsigned n) {
    static const Kind promotions[] = {PAWN, KNIGHT, BISHOP, ROOK, QUEEN};
    for (unsigned i = 0; i < n + 64; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < n ? moves[i] : (Move)(r & 0xfff);
        const Kind promotion = i >= n ? promotions[r >> 16 & 3] : move_promotes(m) ? move_promotion(m) : PAWN;
        const Move found = move_between(p, move_from(m), move_to(m), promotion);
        bool joined = false;
        for (unsigned k = 0; k < n; k++)
            joined = joined || (move_from(moves[k]) == move_from(m) && move_to(moves[k]) == move_to(m) &&
                                (move_promotes(moves[k]) ? move_promotion(moves[k]) : PAWN) == promotion);
        if (i < n ? found != m : joined ? !listed(moves, n, found) : found != 0)
            report(f, p, "found wrongly between its squares:", bridge_move_text(m).text);
    }
}

/* The two parts of the list hold as many as the whole. */
static void check_parts(Fuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move parts[2 * MOVES_MAX];
    const unsigned c = moves_list_captures(p, parts), q = moves_list_quiets(p, parts + c);
    if (c + q != n) report(f, p, "captures and quiet moves are not all", "");
    for (unsigned i = 0; i < n; i++)
        if (!listed(parts, c + q, moves[i])) report(f, p, "in neither part:", bridge_move_text(moves[i]).text);
}

/* Check is told before a move as after it. */
static void check_checks(Fuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        Position after;
        position_play(&after, p, moves[i]);
        if (gives_check(p, moves[i]) != in_check(&after))
            report(f, p, "check foretold wrongly:", bridge_move_text(moves[i]).text);
    }
}

static unsigned check_moves(Fuzz *f, const Position *p, Move moves[MOVES_MAX]) {
    MoveText ours[MOVES_MAX], theirs[REFERENCE_MOVES_MAX];
    const Board b = board_of_position(p);
    const unsigned n = moves_list(p, moves);
    const int m = reference_moves(&b, theirs);
    for (unsigned i = 0; i < n; i++) ours[i] = bridge_move_text(moves[i]);
    qsort(ours, n, sizeof *ours, by_text);
    qsort(theirs, (size_t)m, sizeof *theirs, by_text);
    compare_lists(f, p, ours, n, theirs, m);
    if (moves_count(p) != n) report(f, p, "counted and listed moves differ", "");
    check_legality(f, p, moves, n);
    check_parts(f, p, moves, n);
    check_checks(f, p, moves, n);
    check_squares(f, p, moves, n);
    return n;
}

/* Plays m in *p on both boards and compares them, and the keys. */
static Key check_play(Fuzz *f, Position *p, Key key, Move m) {
    const MoveText text = bridge_move_text(m);
    const Board before = board_of_position(p);
    Board after;
    Position n;
    key = position_key_after(p, key, m, &f->keys);
    position_play(&n, p, m);
    if (!reference_play(&before, text.text, &after)) report(f, p, "the reference cannot play", text.text);
    const Position truth = position_of_board(&after);
    if (!position_same(&n, &truth) || n.halfmove != truth.halfmove || n.fullmove != truth.fullmove)
        report(f, p, "another position after", text.text);
    if (!key_same(key, zobrist_key(&f->keys, &n))) report(f, p, "another key after", text.text);
    *p = n;
    return key;
}

static void play_game(Fuzz *f, uint64_t want) {
    Position p = random_start(&f->state);
    Key key = zobrist_key(&f->keys, &p);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? 12 : 150);
    for (unsigned ply = 0; ply < plies && f->done < want && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        const unsigned n = check_moves(f, &p, moves);
        f->done++;
        if (n == 0) return;
        key = check_play(f, &p, key, moves[random_below(&f->state, n)]);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: rules COUNT [SEED]\n");
        return 2;
    }
    const uint64_t want = strtoull(argv[1], NULL, 10);
    Fuzz f = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    zobrist_init(&f.keys, f.state);
    while (f.done < want && f.failures < FAILURES_MAX) play_game(&f, want);
    printf("%ju positions, %ju failures\n", (uintmax_t)f.done, (uintmax_t)f.failures);
    return f.failures != 0;
}
