/* SPDX-License-Identifier: MIT */
/* Writes simd_tables.c, the constant data that tables.h declares. Runs while Tabia is built. */
#include <stdint.h>
#include <stdio.h>

typedef uint64_t Bits;

static const int ray_steps[8][2] = {{0, 1}, {1, 1}, {1, 0}, {-1, 1}, {0, -1}, {-1, -1}, {-1, 0}, {1, -1}};

static Bits ray(int s, const int step[2]) {
    Bits b = 0;
    int file = s % 8 + step[0], rank = s / 8 + step[1];
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step[0], rank += step[1])
        b |= (Bits)1 << (8 * rank + file);
    return b;
}

static void print_rays(void) {
    printf("const Bits rays[64][RAYS] __attribute__((aligned(64))) = {\n");
    for (int s = 0; s < 64; s++) {
        printf("  {");
        for (int i = 0; i < 8; i++) printf("0x%jx, ", (uintmax_t)ray(s, ray_steps[i]));
        printf("},\n");
    }
    printf("};\n");
}

static int itself(int n) {
    return n;
}
static int rank_of_board(int n) {
    return (7 - n % 8) * 8 + n / 8;
}
static int diagonals_of(int s) {
    return (s / 8 - s % 8 + 16) % 16 | (s / 8 + s % 8) << 4;
}
static void print_bytes(const char *name, int (*of)(int)) {
    printf("const uint8_t %s[64] __attribute__((aligned(64))) = {", name);
    for (int i = 0; i < 64; i++) printf("%d,", of(i));
    printf("};\n");
}

int main(void) {
    printf("/* Written by make_simd_tables.c; see tables.h. */\n#include \"count/simd/tables.h\"\n");
    print_rays();
    print_bytes("square_list", itself);
    print_bytes("rank_permutation", rank_of_board);
    print_bytes("diagonal_numbers", diagonals_of);
    return ferror(stdout) ? 1 : 0;
}
