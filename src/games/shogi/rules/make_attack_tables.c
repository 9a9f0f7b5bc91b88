/* SPDX-License-Identifier: MIT */
/*
 * Writes shogi_attack_tables.c, the constant data that attacks.h declares. Runs while Tabia is built. Everything is
 * computed by stepping over the board square by square.
 */
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 Squares;

enum { NO_SQUARE = 81, TYPES = 8, RAYS = 8 };

/* In the order of Ray: files to the left, ranks down. */
static const int ray_step[RAYS][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}};

typedef struct {
    int n, step[8][2];
} Steps;

/* Steps of a black piece, by PieceType. */
static const Steps steps[TYPES] = {
    {1, {{0, -1}}},
    {0, {{0}}},
    {2, {{1, -2}, {-1, -2}}},
    {5, {{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}},
    {4, {{0, -1}, {0, 1}, {1, 0}, {-1, 0}}},
    {4, {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}}},
    {6, {{0, -1}, {0, 1}, {1, 0}, {-1, 0}, {1, -1}, {-1, -1}}},
    {8, {{0, -1}, {0, 1}, {1, 0}, {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}},
};

static int on_board(int file, int rank) {
    return file >= 0 && file < 9 && rank >= 0 && rank < 9;
}
static Squares square(int file, int rank) {
    return on_board(file, rank) ? (Squares)1 << (9 * file + rank) : 0;
}

/* From s to the end of the board. */
static Squares ray(int s, int i) {
    Squares all = 0;
    if (s == NO_SQUARE) return 0;
    for (int file = s / 9 + ray_step[i][0], rank = s % 9 + ray_step[i][1]; on_board(file, rank);
         file += ray_step[i][0], rank += ray_step[i][1])
        all |= square(file, rank);
    return all;
}

static Squares step_set(int white, int type, int s) {
    Squares all = 0;
    if (s == NO_SQUARE) return 0;
    for (int i = 0; i < steps[type].n; i++)
        all |= square(s / 9 + steps[type].step[i][0], s % 9 + (white ? -1 : 1) * steps[type].step[i][1]);
    return all;
}

static Squares bit(int s) {
    return s == NO_SQUARE ? 0 : (Squares)1 << s;
}

/* The squares from a (without) to b (with), where a line joins them. */
static Squares between(int a, int b) {
    for (int i = 0; i < RAYS; i++)
        if (ray(a, i) & bit(b)) return ray(a, i) & ~ray(b, i);
    return 0;
}

/* i ^ 4 is the opposite direction. */
static Squares through(int a, int b) {
    for (int i = 0; i < RAYS; i++)
        if (ray(a, i) & bit(b)) return ray(a, i) | ray(a, i ^ 4) | bit(a);
    return 0;
}

static void print_set(Squares set) {
    printf("SQUARES(0x%jx, 0x%jx),", (uintmax_t)(set >> 64), (uintmax_t)(uint64_t)set);
}

static void print_pairs(const char *name, Squares (*of)(int, int)) {
    printf("const Squares %s[82][81] = {\n", name);
    for (int a = 0; a <= NO_SQUARE; a++) {
        printf("  {\n");
        for (int b = 0; b < NO_SQUARE; b++) print_set(of(a, b)), printf("\n");
        printf("  },\n");
    }
    printf("};\n");
}

int main(void) {
    printf("/* Written by make_attack_tables.c; see attacks.h. */\n#include \"rules/attacks.h\"\n");
    printf("const Squares step_attacks[2][8][82] = {\n");
    for (int white = 0; white <= 1; white++) {
        printf(" {\n");
        for (int type = 0; type < TYPES; type++) {
            printf("  {\n");
            for (int s = 0; s <= NO_SQUARE; s++) print_set(step_set(white, type, s)), printf("\n");
            printf("  },\n");
        }
        printf(" },\n");
    }
    printf("};\nconst Squares rays[82][RAYS] = {\n");
    for (int s = 0; s <= NO_SQUARE; s++) {
        printf("  {");
        for (int i = 0; i < RAYS; i++) print_set(ray(s, i));
        printf("},\n");
    }
    printf("};\n");
    print_pairs("squares_between", between);
    print_pairs("line_through", through);
    printf("const Squares squares_from[81] = {\n");
    for (int s = 0; s < NO_SQUARE; s++) print_set(~(Squares)0 << s), printf("\n");
    printf("};\n");
    return ferror(stdout) ? 1 : 0;
}
