/* SPDX-License-Identifier: MIT */
/*
 * rules COUNT [SEED]: at COUNT positions of random games, the legal moves against those of the reference, as sets, and
 * against the two subsets and the test of a single move; which of them give check, before and after making them; each
 * position after a move, as the game compares it; and the key updated move by move against the key computed from all
 * pieces. Prints what differs; exits 1 if anything did.
 */
#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rules/gives_check.h"
#include "rules/movegen.h"
#include "starts.h"

enum { FAILURES_MAX = 5 };

void rules_report(RulesFuzz *f, const Position *p, const char *what, const char *move) {
    char fen[FEN_MAX];
    fen_write(p, FEN_SHREDDER, fen);
    printf("%s %s: %s\n", what, move, fen);
    f->failures++;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const RulesMove *)a)->text, ((const RulesMove *)b)->text);
}

/* Prints the moves that only one of the two sorted lists holds. */
static void compare_lists(RulesFuzz *f, const Position *p, const RulesMove *ours, unsigned n, const RulesMove *theirs,
                          unsigned m) {
    unsigned i = 0, j = 0;
    while (i < n || j < m) {
        const int order = i == n ? 1 : j == m ? -1 : strcmp(ours[i].text, theirs[j].text);
        if (order < 0) rules_report(f, p, "not legal but listed:", ours[i].text);
        if (order > 0) rules_report(f, p, "legal but not listed:", theirs[j].text);
        i += order <= 0;
        j += order >= 0;
    }
}

bool rules_listed(const Move *moves, unsigned n, Move m) {
    while (n--)
        if (moves[n] == m) return true;
    return false;
}

/* Any 16 bits, and legal moves with one bit changed, are legal exactly if they are listed; and all listed moves are. */
static void check_legality(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < 64 + 3 * n; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < 64 ? (Move)r : i < 64 + n ? moves[i - 64] : (Move)(moves[i % n] ^ 1u << r % 16);
        char bits[8];
        snprintf(bits, sizeof bits, "%04x", m);
        if (move_is_legal(p, m) != rules_listed(moves, n, m))
            rules_report(f, p, "legal or not, unlike the list:", bits);
    }
}

/* The two subsets of the list are the whole, captures in the first. */
static void check_subsets(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move subsets[2 * MOVES_MAX];
    const unsigned c = moves_list_captures(p, subsets), q = moves_list_quiets(p, subsets + c);
    if (c + q != n) rules_report(f, p, "captures and quiet moves are not all", "");
    for (unsigned i = 0; i < c + q; i++)
        if (!rules_listed(moves, n, subsets[i]) || rules_is_capture(p, subsets[i]) != (i < c))
            rules_report(f, p, "in the wrong subset:", rules_move_text(p, subsets[i]).text);
    for (unsigned i = 0; i < n; i++)
        if (!rules_listed(subsets, c + q, moves[i]))
            rules_report(f, p, "in neither subset:", rules_move_text(p, moves[i]).text);
}

/* gives_check() before a move agrees with in_check() after it. */
static void check_checks(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        Position after;
        position_make_move(&after, p, moves[i]);
        if (gives_check(p, moves[i]) != in_check(&after))
            rules_report(f, p, "gives_check is wrong:", rules_move_text(p, moves[i]).text);
    }
}

static unsigned check_moves(RulesFuzz *f, const Position *p, Move moves[MOVES_MAX]) {
    RulesMove ours[MOVES_MAX], theirs[RULES_MOVES_MAX];
    const unsigned n = moves_list(p, moves), m = rules_reference_moves(f, p, theirs);
    for (unsigned i = 0; i < n; i++) ours[i] = rules_move_text(p, moves[i]);
    qsort(ours, n, sizeof *ours, by_text);
    qsort(theirs, m, sizeof *theirs, by_text);
    compare_lists(f, p, ours, n, theirs, m);
    if (moves_count(p) != n) rules_report(f, p, "counted and listed moves differ", "");
    check_legality(f, p, moves, n);
    check_subsets(f, p, moves, n);
    check_checks(f, p, moves, n);
    rules_check_position(f, p, moves, n);
    return n;
}

static void check_game(RulesFuzz *f, uint64_t positions) {
    Position p = random_start(&f->state);
    Key key = zobrist_key(&f->keys, &p);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? short_game_plies : LONG_GAME_PLIES);
    for (unsigned ply = 0; ply < plies && f->done < positions && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        Position after;
        const unsigned n = check_moves(f, &p, moves);
        f->done++;
        if (n == 0) return;
        const Move m = moves[random_below(&f->state, n)];
        key = position_key_after(&p, key, m, &f->keys);
        position_make_move(&after, &p, m);
        rules_check_after(f, &p, m, &after);
        if (!key_same(key, zobrist_key(&f->keys, &after)))
            rules_report(f, &p, "wrong key after", rules_move_text(&p, m).text);
        p = after;
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
