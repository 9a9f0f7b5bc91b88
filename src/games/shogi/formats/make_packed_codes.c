/* SPDX-License-Identifier: MIT */
/* Writes packed_codes (packed_codes.h): the codes of pieces, and for each eight bits the code that they begin with. */
#include <stdio.h>

/* By piece type in the order of types.h: P L N S B R G. Values are those of black's unpromoted pieces; other bits are set
   for white and for promoted ones. */
enum { TYPES = 7, GOLD_TYPE = 6, PROMOTED_BIT = 8, SYMBOLS = 256, BOX = 2 };

typedef struct {
    unsigned board[TYPES], colour[TYPES], promoted[TYPES], hand[TYPES], box[TYPES];
} Layout;

/* The same in both layouts: lengths in bits, and the bit of a hand's colour. */
static const unsigned board_bits[TYPES] = {4, 6, 6, 6, 8, 8, 6};
static const unsigned hand_bits[TYPES] = {3, 5, 5, 5, 7, 7, 5};

static const Layout layouts[] = {
    {.board = {0x1, 0x3, 0xb, 0x7, 0x1f, 0x3f, 0xf},
     .colour = {3, 5, 5, 5, 7, 7, 5},
     .promoted = {2, 4, 4, 4, 6, 6, 0},
     .hand = {0x0, 0x1, 0x5, 0x3, 0xf, 0x1f, 0x7},
     .box = {0x2, 0x9, 0xd, 0xb, 0x2f, 0x3f, 0x1b}},
    {.board = {0x1, 0x3, 0x7, 0xb, 0x1f, 0x3f, 0xf},
     .colour = {2, 4, 4, 4, 6, 6, 5},
     .promoted = {3, 5, 5, 5, 7, 7, 0},
     .hand = {0x0, 0x1, 0x3, 0x5, 0x1f, 0x3f, 0x7},
     .box = {0x2, 0x9, 0xb, 0xd, 0xf, 0x2f, 0x1d}},
};

typedef struct {
    unsigned value, bits, type, holder;
} Code;

static Code board_code(const Layout *l, unsigned colour, unsigned type) {
    const unsigned base = type % PROMOTED_BIT, is_promoted = type / PROMOTED_BIT;
    Code c = {.type = type, .holder = colour};
    if (base >= TYPES || (is_promoted && base == GOLD_TYPE)) return c;
    c.value = l->board[base] | colour << l->colour[base] | is_promoted << l->promoted[base];
    c.bits = board_bits[base];
    return c;
}

static Code hand_code(const Layout *l, unsigned holder, unsigned type) {
    const unsigned value = holder == BOX ? l->box[type] : l->hand[type] | holder << (hand_bits[type] - 1);
    return (Code){value, hand_bits[type], type, holder};
}

static void print_codes(const Code *codes, unsigned n) {
    printf("{");
    for (unsigned i = 0; i < n; i++) printf("{%u, %u}, ", codes[i].value, codes[i].bits);
    printf("},\n");
}

/* The code that eight bits begin with; the codes are free of prefixes. */
static void print_symbols(const char *name, const Code *codes, unsigned n) {
    printf(".%s = {", name);
    for (unsigned next = 0; next < SYMBOLS; next++) {
        Code found = {0};
        for (unsigned i = 0; i < n; i++)
            if (codes[i].bits && (next & ((1u << codes[i].bits) - 1)) == codes[i].value) found = codes[i];
        printf("{%u, %u, %u}, ", found.type, found.holder, found.bits);
    }
    printf("},\n");
}

static void print_layout(const Layout *l) {
    enum { BOARD_CODES = 16 };
    Code board[2 * BOARD_CODES], hand[3 * TYPES];
    printf("{.board = {");
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned t = 0; t < BOARD_CODES; t++) board[BOARD_CODES * c + t] = board_code(l, c, t);
        print_codes(board + BOARD_CODES * c, BOARD_CODES);
    }
    printf("}, .hand = {");
    for (unsigned holder = 0; holder <= BOX; holder++) {
        for (unsigned t = 0; t < TYPES; t++) hand[TYPES * holder + t] = hand_code(l, holder, t);
        print_codes(hand + TYPES * holder, TYPES);
    }
    printf("},\n");
    print_symbols("on_board", board, 2 * BOARD_CODES);
    print_symbols("in_hand", hand, 3 * TYPES);
    printf("},\n");
}

int main(void) {
    printf("/* Written by make_packed_codes.c; see packed_codes.h. */\n#include \"formats/packed_codes.h\"\n"
           "const PackedCodes packed_codes[PACKED_LAYOUTS] = {\n");
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++) print_layout(&layouts[i]);
    printf("};\n");
    return ferror(stdout) ? 1 : 0;
}
