/* SPDX-License-Identifier: MIT */
/* Writes lane_tables.c, the constant data that tables.h declares. Runs while Tabia is built. */
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

static Bits each_byte(unsigned b) {
    return (b & 255) * 0x0101010101010101u;
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

static void print_diagonal(int s, Bits line) {
    Bits control = 0;
    int n = 0, index = 0;
    for (int t = 0; t < 64; t++) {
        if (!(line >> t & 1)) continue;
        if (t == s) index = n;
        control |= (Bits)t << 8 * n++;
    }
    const unsigned full = (1u << n) - 1;
    for (; n < 8; n++) control |= (Bits)s << 8 * n;
    printf("    {0x%jx, 0x%jx, 0x%jx, 0x%jx, 0x%jx, 0x%jx},\n", (uintmax_t)line, (uintmax_t)control,
           (uintmax_t)each_byte(1u << index), (uintmax_t)each_byte(2u << index),
           (uintmax_t)each_byte(2u << (7 - index)), (uintmax_t)each_byte(full));
}

static void print_diagonals(void) {
    printf("const Diagonal diagonals[2][64] = {\n");
    for (int i = 0; i < 2; i++) {
        printf("  {\n");
        for (int s = 0; s < 64; s++)
            print_diagonal(s, ray(s, ray_steps[i ? 3 : 1]) | ray(s, ray_steps[i ? 7 : 5]) | (Bits)1 << s);
        printf("  },\n");
    }
    printf("};\n");
}

static int itself(int n) {
    return n;
}
static int turned(int n) {
    return n % 8 * 8 + n / 8;
}
static void print_bytes(const char *name, int (*of)(int)) {
    printf("const uint8_t %s[64] __attribute__((aligned(64))) = {", name);
    for (int i = 0; i < 64; i++) printf("%d,", of(i));
    printf("};\n");
}

int main(void) {
    printf("/* Written by make_lane_tables.c; see tables.h. */\n#include \"lanes/tables.h\"\n");
    print_rays();
    print_diagonals();
    print_bytes("byte_numbers", itself);
    print_bytes("lines_to_children", turned);
    return ferror(stdout) ? 1 : 0;
}
