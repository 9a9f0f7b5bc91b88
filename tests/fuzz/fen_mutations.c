/* SPDX-License-Identifier: MIT */
/*
 * A million damaged FENs, the same on every machine: good ones are changed in one to four places by letters that FENs
 * are made of (and now and then by any byte), by cutting and by doubling. Every 32nd text is a board strewn at random,
 * so that odd but legal positions come up: many queens, many checkers, kings anywhere.
 *
 *     fuzz_fen [TEXTS [SEED]]
 */
#include "base/random.h"
#include "fen_check.h"

static const char *const seeds[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
    "rr1k1r1r/pppppppp/8/8/8/8/PPPPPPPP/RR1K1R1R w FBfb - 0 1",
    "1rk1r3/8/8/8/8/8/8/Q2R1KRQ w KQkq - 99 65535",
    "r3k2r/8/8/8/8/8/8/R3K2R b HAha - ;D1 26",
    "8/PPPk4/8/8/8/8/4Kppp/8 b - -",
    "4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 2",
};
enum { SEEDS = sizeof seeds / sizeof *seeds, TEXT_MAX = 400 };

static char any_letter(uint64_t *random) {
    static const char letters[] = "PNBRQKpnbrqkPPppRrKk12345678/ -wbKQkqAHahcdef360 ;";
    if (random_below(random, 64) == 0) return (char)(1 + random_below(random, 255));
    return letters[random_below(random, sizeof letters - 1)];
}

static void mutate(char *text, uint64_t *random) {
    const size_t length = strlen(text);
    const unsigned at = random_below(random, (unsigned)length + 1), other = random_below(random, (unsigned)length + 1);
    switch (random_below(random, 6)) {
    case 0: /* insert */
        if (length + 2 > TEXT_MAX) return;
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = any_letter(random);
        return;
    case 1: /* delete */
        if (at < length) memmove(text + at, text + at + 1, length - at);
        return;
    case 2: /* swap two */
        if (at < length && other < length) {
            const char c = text[at];
            text[at] = text[other];
            text[other] = c;
        }
        return;
    case 3: /* cut */
        if (random_below(random, 8) == 0) text[at] = '\0';
        return;
    default: /* change */
        if (at < length) text[at] = any_letter(random);
        return;
    }
}

/* Up to 16 men a side on random squares, castling letters and an en passant square as may be. */
static void strew(char *text, uint64_t *random) {
    static const char men[] = "PPNBRQQRRB", turns[] = "wb";
    static const char *const rights[] = {"-", "-", "-", "KQkq", "K", "q", "A", "h", "Bg"};
    char board[65];
    memset(board, '1', 64);
    board[64] = '\0';
    for (unsigned c = 0; c < 2; c++) {
        const unsigned n = random_below(random, 16);
        for (unsigned i = 0; i < n; i++) {
            const unsigned square = random_below(random, 64), kind = random_below(random, 10);
            const bool edge = square < 8 || square >= 56;
            board[square] = (char)(men[edge && kind < 2 ? 4 : kind] + (c ? 32 : 0));
        }
    }
    const unsigned white = random_below(random, 4) ? random_below(random, 64) : 60 - random_below(random, 4);
    const unsigned black = random_below(random, 4) ? random_below(random, 64) : 4 + random_below(random, 3);
    board[white] = 'K';
    if (black != white) board[black] = 'k';
    for (int rank = 0; rank < 8; rank++) sprintf(text + 9 * rank, "%.8s%s", board + 8 * rank, rank < 7 ? "/" : "");
    sprintf(text + strlen(text), " %c %s ", turns[random_below(random, 2)], rights[random_below(random, 9)]);
    if (random_below(random, 4))
        strcat(text, "-");
    else
        sprintf(text + strlen(text), "%c%c", (char)('a' + random_below(random, 8)),
                random_below(random, 2) ? '3' : '6');
}

int main(int argc, char **argv) {
    const unsigned long texts = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 23;
    uint64_t random = seed;
    unsigned long accepted = 0;
    for (unsigned long i = 0; i < texts; i++) {
        char text[TEXT_MAX + 1];
        if (i % 32 == 0) {
            strew(text, &random);
        } else {
            strcpy(text, seeds[random_below(&random, SEEDS)]);
            for (unsigned left = 1 + random_below(&random, 4); left; left--) mutate(text, &random);
        }
        accepted += fen_check(text);
    }
    printf("%lu texts from seed %llu: %lu accepted, all good\n", texts, (unsigned long long)seed, accepted);
    /* Nearly all refused, or nearly none, would mean that this tests little. */
    return accepted > texts / 20 && accepted < texts - texts / 20 ? 0 : 1;
}
