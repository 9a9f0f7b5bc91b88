/* SPDX-License-Identifier: MIT */
/*
 * Prints kpk_table (endings.h) as C source. A position is won if the side with the pawn to move has a move to a won
 * one, or the other side has moves and all of them lead to won ones: from queening backwards until nothing changes
 * (Ken Thompson, "Retrograde analysis of certain endgames", 1986, for the method).
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAWNS = 24 };

static uint64_t won[2][PAWNS][64]; /* [who moves][pawn][own king]: squares of the other king */

static int square_from_chars(int pawn) {
    return 8 * (pawn / 4 + 1) + pawn % 4;
}

static bool near(int a, int b) {
    return abs(a % 8 - b % 8) <= 1 && abs(a / 8 - b / 8) <= 1;
}

static bool pawn_set_attacks(int pawn, int s) {
    return s / 8 == pawn / 8 + 1 && abs(s % 8 - pawn % 8) == 1;
}

static bool is_won(int turn, int pawn, int king, int other) {
    return won[turn][pawn][king] >> other & 1;
}

/* Kings apart, all on squares of their own, and the side that does not move not in check. */
static bool is_legal(int turn, int pawn, int king, int other) {
    const int s = square_from_chars(pawn);
    return king != s && other != s && !near(king, other) && (turn == 1 || !pawn_set_attacks(s, other));
}

/* A new queen wins unless the other king takes it at once. (Stalemate: a rook then wins.) */
static bool queens_safely(int s, int king, int other) {
    return s != other && (!near(s, other) || near(s, king));
}

static bool pawn_side_wins(int pawn, int king, int other) {
    const int s = square_from_chars(pawn), ahead = s + 8;
    for (int to = 0; to < 64; to++)
        if (to != king && near(king, to) && to != s && !near(to, other) && is_won(1, pawn, to, other)) return true;
    if (ahead == king || ahead == other) return false;
    if (ahead >= 56) return queens_safely(ahead, king, other);
    if (is_won(1, pawn + 4, king, other)) return true;
    return s / 8 == 1 && ahead + 8 != king && ahead + 8 != other && is_won(1, pawn + 8, king, other);
}

static bool other_side_loses(int pawn, int king, int other) {
    const int s = square_from_chars(pawn);
    bool moves = false;
    for (int to = 0; to < 64; to++) {
        if (to == other || !near(other, to) || near(to, king) || pawn_set_attacks(s, to)) continue;
        if (to == s || !is_won(0, pawn, king, to)) return false;
        moves = true;
    }
    return moves;
}

static bool sweep(void) {
    bool changed = false;
    for (int turn = 0; turn < 2; turn++)
        for (int pawn = 0; pawn < PAWNS; pawn++)
            for (int king = 0; king < 64; king++)
                for (int other = 0; other < 64; other++) {
                    if (is_won(turn, pawn, king, other) || !is_legal(turn, pawn, king, other)) continue;
                    const bool now = turn ? other_side_loses(pawn, king, other) : pawn_side_wins(pawn, king, other);
                    if (now) won[turn][pawn][king] |= (uint64_t)1 << other, changed = true;
                }
    return changed;
}

int main(void) {
    while (sweep()) continue;
    puts("/* Made by make_kpk_table.c. */\n#include \"eval/endings.h\"\n\nconst uint64_t kpk_table[KPK_WORDS] = {");
    for (int turn = 0; turn < 2; turn++)
        for (int pawn = 0; pawn < PAWNS; pawn++)
            for (int king = 0; king < 64; king++) printf("0x%llx,\n", (unsigned long long)won[turn][pawn][king]);
    puts("};");
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
