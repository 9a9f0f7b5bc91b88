/* SPDX-License-Identifier: MIT */
/*
 * A million damaged FENs, the same on every machine: legal ones are changed in one to four places by letters that FENs
 * consist of (and in 1 of 64 by any byte), by cutting and by doubling. Every eighth text is a board with pieces on random
 * squares, so that positions are accepted that no game reaches: many queens, many checkers, kings anywhere, an en
 * passant square while another piece gives check. What is accepted must be counted right: the moves as by the reference,
 * and the last two plies by every kernel as by making them.
 *
 *     fuzz_fen [TEXTS [SEED]]
 */
#include "base/random.h"
#include "fen_check.h"
#include "perft/kernel.h"
#include "reference/reference.h"

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

/* A pawn of the side that does not move which has just passed a square, and beside it perhaps one that may take it.
   Returns the square passed. */
static int place_passed_pawn(char board[64], bool black_to_move, uint64_t *random) {
    const int file = (int)random_below(random, 8), beside = file + (random_below(random, 2) ? 1 : -1);
    const int row = black_to_move ? 32 : 24, step = black_to_move ? 8 : -8; /* board[0] is a8 */
    board[row + file] = black_to_move ? 'P' : 'p';
    board[row + step + file] = board[row + 2 * step + file] = '1';
    if (beside >= 0 && beside < 8) board[row + beside] = black_to_move ? 'p' : 'P';
    return row + step + file;
}

static void place_pieces(char board[64], uint64_t *random) {
    static const char pieces[] = "PPNBRQQRRB";
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned i = random_below(random, random_below(random, 2) ? 6 : 16); i; i--) {
            const unsigned square = random_below(random, 64), type = random_below(random, 10);
            const bool edge = square < 8 || square >= 56;
            board[square] = (char)(pieces[edge && type < 2 ? 4 : type] + (c ? 32 : 0));
        }
    }
}

/* Up to 16 pieces a side on random squares, rights to castle and an en passant square as may be. */
static void random_fen(char *text, uint64_t *random) {
    static const char *const rights[] = {"-", "-", "-", "KQkq", "K", "q", "A", "h", "Bg"};
    const bool black_to_move = random_below(random, 2);
    char board[64];
    memset(board, '1', sizeof board);
    place_pieces(board, random);
    const unsigned white = random_below(random, 4) ? random_below(random, 64) : 60 - random_below(random, 4);
    const unsigned black = random_below(random, 4) ? random_below(random, 64) : 4 + random_below(random, 3);
    const int passed = random_below(random, 2) ? place_passed_pawn(board, black_to_move, random) : -1;
    board[white] = 'K';
    if (black != white) board[black] = 'k';
    for (int rank = 0; rank < 8; rank++) text += sprintf(text, "%.8s%s", board + 8 * rank, rank < 7 ? "/" : "");
    text += sprintf(text, " %c %s ", black_to_move ? 'b' : 'w', rights[random_below(random, 9)]);
    if (passed < 0)
        strcpy(text, "-");
    else
        sprintf(text, "%c%c", 'a' + passed % 8, '8' - passed / 8);
}

/* The moves by the reference, and one and two plies by every kernel this CPU can run. */
static void check_counts(const char *text) {
    Position p;
    ReferenceBoard b;
    Move list[MOVES_MAX];
    char fen[FEN_MAX];
    fen_parse(&p, text, NULL);
    fen_write(&p, FEN_SHREDDER, fen);
    const unsigned n = moves_list(&p, list);
    if (!reference_read(&b, fen) || reference_perft(&b, 1) != n) fen_complain(fen, "the reference has other moves");
    uint64_t replies = 0;
    for (unsigned i = 0; i < n; i++) {
        Position next;
        position_make_move(&next, &p, list[i]);
        replies += moves_count(&next);
    }
    const PerftKernel *kernel;
    for (unsigned i = 0; (kernel = perft_kernel_at(i)); i++)
        if (kernel->last_one(&p) != n || kernel->last_two(&p) != replies) fen_complain(fen, kernel->name);
}

int main(int argc, char **argv) {
    const unsigned long texts = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 23;
    uint64_t random = seed;
    unsigned long accepted = 0, with_ep = 0;
    for (unsigned long i = 0; i < texts; i++) {
        char text[TEXT_MAX + 1];
        if (i % 8 == 0) {
            random_fen(text, &random);
        } else {
            strcpy(text, seeds[random_below(&random, SEEDS)]);
            for (unsigned left = 1 + random_below(&random, 4); left; left--) mutate(text, &random);
        }
        if (!fen_check(text)) continue;
        check_counts(text);
        accepted++;
        Position p;
        with_ep += fen_parse(&p, text, NULL) && p.ep;
    }
    printf("%lu texts from seed %llu: %lu accepted, %lu with en passant, all good\n", texts, (unsigned long long)seed,
           accepted, with_ep);
    /* Nearly all refused, or nearly none, would mean that this tests little. */
    return accepted > texts / 20 && accepted < texts - texts / 20 && with_ep ? 0 : 1;
}
