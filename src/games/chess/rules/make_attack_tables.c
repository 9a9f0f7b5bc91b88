/* SPDX-License-Identifier: MIT */
/*
 * Writes attack_tables.c, the constant data that attacks.h declares. Runs while Tabia is built. Everything is computed
 * by stepping over the board square by square.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t Bits;

static const int rook_steps[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
static const int bishop_steps[4][2] = {{1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
static const int knight_steps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static int on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static Bits square(int file, int rank) {
    return on_board(file, rank) ? (Bits)1 << (8 * rank + file) : 0;
}

/* The squares attacked from s in one direction, up to the first piece, included. */
static Bits walk(int s, const int step[2], Bits occ) {
    Bits attacked = 0;
    int file = s % 8 + step[0], rank = s / 8 + step[1];
    for (; on_board(file, rank); file += step[0], rank += step[1]) {
        attacked |= square(file, rank);
        if (occ & square(file, rank)) break;
    }
    return attacked;
}

static Bits slide(int s, const int steps[4][2], Bits occ) {
    return walk(s, steps[0], occ) | walk(s, steps[1], occ) | walk(s, steps[2], occ) | walk(s, steps[3], occ);
}

/* A piece on the last square of a line blocks nothing. */
static Bits blockers_that_matter(int s, const int steps[4][2]) {
    Bits mask = 0;
    for (int i = 0; i < 4; i++) {
        Bits ray = walk(s, steps[i], 0);
        for (int t = 0; t < 64; t++)
            if (ray >> t & 1 && on_board(t % 8 + steps[i][0], t / 8 + steps[i][1])) mask |= (Bits)1 << t;
    }
    return mask;
}

static Bits knight(int s) {
    Bits attacked = 0;
    for (int i = 0; i < 8; i++) attacked |= square(s % 8 + knight_steps[i][0], s / 8 + knight_steps[i][1]);
    return attacked;
}

static Bits king(int s) {
    Bits attacked = 0;
    for (int i = 0; i < 4; i++) {
        attacked |= square(s % 8 + rook_steps[i][0], s / 8 + rook_steps[i][1]);
        attacked |= square(s % 8 + bishop_steps[i][0], s / 8 + bishop_steps[i][1]);
    }
    return attacked;
}

static Bits white_pawn(int s) {
    return square(s % 8 - 1, s / 8 + 1) | square(s % 8 + 1, s / 8 + 1);
}
static Bits black_pawn(int s) {
    return square(s % 8 - 1, s / 8 - 1) | square(s % 8 + 1, s / 8 - 1);
}
static Bits rook_on_empty(int s) {
    return slide(s, rook_steps, 0);
}
static Bits bishop_on_empty(int s) {
    return slide(s, bishop_steps, 0);
}

/* The squares from a (without) to b (with), where a line joins them. */
static Bits between(int a, int b) {
    for (int i = 0; i < 8; i++) {
        const int *step = i < 4 ? rook_steps[i] : bishop_steps[i - 4];
        Bits ray = walk(a, step, (Bits)1 << b);
        if (ray >> b & 1) return ray;
    }
    return 0;
}

static Bits through(int a, int b) {
    for (int i = 0; i < 8; i += 2) {
        const int *step = i < 4 ? rook_steps[i] : bishop_steps[i - 4],
                  *back = i < 4 ? rook_steps[i + 1] : bishop_steps[i - 3];
        Bits line = walk(a, step, 0) | walk(a, back, 0);
        if (line >> b & 1) return line | (Bits)1 << a;
    }
    return 0;
}

static void print_table(const char *name, Bits (*of)(int)) {
    printf("const Bits %s[64] = {", name);
    for (int s = 0; s < 64; s++) printf("%s0x%016jx,", s % 4 ? " " : "\n    ", (uintmax_t)of(s));
    printf("\n};\n");
}

static void print_pairs(const char *name, Bits (*of)(int, int)) {
    printf("const Bits %s[64][64] = {", name);
    for (int a = 0; a < 64; a++) {
        printf("\n  {");
        for (int b = 0; b < 64; b++) printf("%s0x%jx,", b % 8 ? " " : "\n    ", (uintmax_t)of(a, b));
        printf("\n  },");
    }
    printf("\n};\n");
}

static void print_lines(void) {
    printf("const LineMask line_masks[4][64] = {");
    for (int i = 0; i < 4; i++) {
        const int *up = i < 2 ? rook_steps[2 * i] : bishop_steps[2 * i - 4],
                  *down = i < 2 ? rook_steps[2 * i + 1] : bishop_steps[2 * i - 3];
        printf("\n  {");
        for (int s = 0; s < 64; s++) {
            Bits all = walk(s, up, 0) | walk(s, down, 0), below = ((Bits)1 << s) - 1;
            printf("\n    {0x%jx, 0x%jx},", (uintmax_t)(all & below), (uintmax_t)(all & ~below));
        }
        printf("\n  },");
    }
    printf("\n};\n");
}

static unsigned print_sliders(const char *name, const int steps[4][2], unsigned offset) {
    printf("const PextEntry %s[64] = {\n", name);
    for (int s = 0; s < 64; s++) {
        Bits mask = blockers_that_matter(s, steps);
        printf("    {0x%016jx, %u, 0},\n", (uintmax_t)mask, offset);
        offset += 1u << __builtin_popcountll(mask);
    }
    printf("};\n");
    return offset;
}

/* Every set of blockers, in the order in which PEXT numbers them: (set - mask) & mask is the next. */
static void print_answers(const int steps[4][2]) {
    for (int s = 0; s < 64; s++) {
        Bits mask = blockers_that_matter(s, steps), occ = 0;
        do {
            printf("0x%jx,\n", (uintmax_t)slide(s, steps, occ));
            occ = (occ - mask) & mask;
        } while (occ);
    }
}

static void print_steps(void) {
    printf("const uint8_t king_steps[64][64] = {");
    for (int a = 0; a < 64; a++) {
        printf("\n  {");
        for (int b = 0; b < 64; b++) {
            const int files = abs(a % 8 - b % 8), ranks = abs(a / 8 - b / 8);
            printf("%d,", files > ranks ? files : ranks);
        }
        printf("},");
    }
    printf("\n};\n");
}

int main(void) {
    printf("/* Written by make_attack_tables.c; see attacks.h. */\n#include \"rules/attacks.h\"\n");
    print_table("knight_attacks", knight);
    print_table("king_attacks", king);
    print_table("rook_lines", rook_on_empty);
    print_table("bishop_lines", bishop_on_empty);
    printf("const Bits pawn_attacks[2][64] = {");
    for (int c = 0; c < 2; c++) {
        printf("\n  {");
        for (int s = 0; s < 64; s++)
            printf("%s0x%jx,", s % 4 ? " " : "\n    ", (uintmax_t)(c ? black_pawn(s) : white_pawn(s)));
        printf("\n  },");
    }
    printf("\n};\n");
    print_pairs("squares_between", between);
    print_pairs("line_through", through);
    print_steps();
    print_lines();
    unsigned end = print_sliders("rook_pext", rook_steps, 0);
    end = print_sliders("bishop_pext", bishop_steps, end);
    printf("_Static_assert(ATTACK_TABLE_SIZE == %u, \"all answers\");\n", end);
    printf("const Bits attack_table[ATTACK_TABLE_SIZE] __attribute__((aligned(64))) = {\n");
    print_answers(rook_steps);
    print_answers(bishop_steps);
    printf("};\n");
    return ferror(stdout) ? 1 : 0;
}
