/* SPDX-License-Identifier: MIT */
/*
 * Prints mate_plies_table (endings.h) as C source.
 *
 * A game that is easier for the side that mates stands for chess: in its turn all its pieces but the king are lifted
 * and put where it wants them, and the king may step as well. What takes longer there takes longer in chess (a pattern
 * database: Joseph Culberson and Jonathan Schaeffer, "Pattern Databases", 1998). Pieces are never put where the bare
 * king could take one or is stalemated, since neither leads to mate. Solved by sweeps until nothing changes.
 */
#include <stdio.h>
#include <string.h>

#include "rules/attacks.h"

enum { MATERIALS = 4, WAYS = 8, NEVER = 255 };

/* One piece or two, as MatingMaterial, endings.h. PAWN: none. */
typedef PieceType Material[2];
static const Material materials[MATERIALS] = {{QUEEN}, {ROOK}, {BISHOP, BISHOP}, {BISHOP, KNIGHT}};

/* [king][bare king][its ways out, a bit for each of king_attacks]: can pieces be put so? No way out: mate. */
static bool leaves[64][64][1 << WAYS];
static uint8_t own_move[64][64], bare_move[64][64]; /* [king][bare king] plies to mate, by who moves */

static bool near(int a, int b) {
    return king_steps[a][b] <= 1;
}

/* The pieces stand: notes what the bare king is left with. Lines go through it. */
static void note(const Material material, const int *at, int king, int bare) {
    const Bits pieces = bit(king) | bit(at[0]) | (material[1] ? bit(at[1]) : 0);
    Bits attacked = king_attacks[king];
    for (int i = 0; i < 2 && material[i]; i++) attacked |= piece_attacks(WHITE, material[i], at[i], pieces);
    const Bits out = king_attacks[bare] & ~attacked;
    if (out & pieces) return; /* it takes a piece */
    unsigned ways = 0;
    for (Bits all = king_attacks[bare], way = 1; all; way <<= 1)
        if (out & bit(pop_lsb(&all))) ways |= (unsigned)way;
    if (ways || attacked & bit(bare)) leaves[king][bare][ways] = true;
}

static void put_pieces(const Material material, int king, int bare) {
    int at[2];
    for (at[0] = 0; at[0] < 64; at[0]++) {
        if (at[0] == king || at[0] == bare) continue;
        if (!material[1]) note(material, at, king, bare);
        for (at[1] = 0; material[1] && at[1] < 64; at[1]++) {
            if (at[1] == king || at[1] == bare || at[1] == at[0]) continue;
            if (material[1] == BISHOP && !(bit(at[0]) & ~DARK && bit(at[1]) & DARK)) continue; /* one of each colour */
            note(material, at, king, bare);
        }
    }
}

/* The longest that the bare king holds out by these ways. */
static int longest(int king, int bare, unsigned ways) {
    int max = 0;
    for (Bits all = king_attacks[bare]; all; ways >>= 1) {
        const int to = pop_lsb(&all);
        if (ways & 1 && own_move[king][to] > max) max = own_move[king][to];
    }
    return max;
}

static int solve_bare_move(int king, int bare) {
    int fewest = leaves[king][bare][0] ? 0 : NEVER;
    for (unsigned ways = 1; ways < 1 << WAYS; ways++) {
        if (!leaves[king][bare][ways]) continue;
        const int plies = longest(king, bare, ways) + 1;
        if (plies < fewest) fewest = plies;
    }
    return fewest;
}

static int solve_own_move(int king, int bare) {
    int fewest = bare_move[king][bare];
    for (Bits to = king_attacks[king] & ~king_attacks[bare]; to;) {
        const int plies = bare_move[pop_lsb(&to)][bare];
        if (plies < fewest) fewest = plies;
    }
    return fewest == NEVER ? NEVER : fewest + 1;
}

static bool sweep(void) {
    bool changed = false;
    for (int king = 0; king < 64; king++)
        for (int bare = 0; bare < 64; bare++) {
            if (near(king, bare)) continue;
            const uint8_t b = (uint8_t)solve_bare_move(king, bare), m = (uint8_t)solve_own_move(king, bare);
            changed |= b != bare_move[king][bare] || m != own_move[king][bare];
            bare_move[king][bare] = b, own_move[king][bare] = m;
        }
    return changed;
}

static void solve(const Material material) {
    memset(leaves, 0, sizeof leaves);
    memset(own_move, NEVER, sizeof own_move);
    memset(bare_move, NEVER, sizeof bare_move);
    for (int king = 0; king < 64; king++)
        for (int bare = 0; bare < 64; bare++)
            if (!near(king, bare)) put_pieces(material, king, bare);
    while (sweep()) continue;
}

static void print(uint8_t (*table)[64]) {
    puts("{");
    for (int king = 0; king < 64; king++) {
        printf("{");
        for (int bare = 0; bare < 64; bare++) printf("%d,", table[king][bare]);
        puts("},");
    }
    puts("},");
}

int main(void) {
    puts("/* Made by make_mate_plies_table.c. */\n#include \"eval/endings.h\"\n\n"
         "const uint8_t mate_plies_table[MATING_MATERIALS][2][64][64] = {");
    for (int i = 0; i < MATERIALS; i++) {
        solve(materials[i]);
        puts("{");
        print(own_move);
        print(bare_move);
        puts("},");
    }
    puts("};");
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
