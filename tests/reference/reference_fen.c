/* SPDX-License-Identifier: MIT */
/* The reference board as FEN text. */
#include <stdio.h>
#include <string.h>

#include "reference.h"

static bool read_men(Board *b, const char *field) {
    int file = 0, rank = 7;
    for (; *field; field++) {
        if (*field == '/') {
            if (file != 8 || rank == 0) return false;
            file = 0, rank--;
        } else if (*field >= '1' && *field <= '8') {
            file += *field - '0';
        } else if (strchr("PNBRQKpnbrqk", *field) && file < 8) {
            b->man[8 * rank + file++] = *field;
        } else {
            return false;
        }
    }
    return rank == 0 && file == 8;
}

/* The rook that a letter of the castling field means, or -1. */
static int find_castling_rook(const Board *b, char letter) {
    const bool black = letter >= 'a';
    const int home = black ? 56 : 0;
    const char rook = black ? 'r' : 'R', *king = memchr(b->man + home, black ? 'k' : 'K', 8);
    const char upper = (char)(letter & ~32);
    if (!king) return -1;
    if (upper >= 'A' && upper <= 'H') return b->man[home + upper - 'A'] == rook ? home + upper - 'A' : -1;
    if (upper == 'K')
        for (int s = home + 7; s > king - b->man; s--)
            if (b->man[s] == rook) return s;
    if (upper == 'Q')
        for (int s = home; s < king - b->man; s++)
            if (b->man[s] == rook) return s;
    return -1;
}

static bool read_castling(Board *b, const char *field) {
    if (strcmp(field, "-") == 0) return true;
    for (; *field; field++) {
        int rook = find_castling_rook(b, *field);
        if (rook < 0) return false;
        b->rook_may_castle[rook] = true;
    }
    return true;
}

bool reference_read(Board *b, const char *fen) {
    char men[80], turn[2], castling[8], passed[3];
    *b = (Board){.passed = -1, .halfmove = 0, .fullmove = 1};
    memset(b->man, '.', sizeof b->man);
    if (sscanf(fen, "%79s %1s %7s %2s %d %d", men, turn, castling, passed, &b->halfmove, &b->fullmove) < 4)
        return false;
    b->black_to_move = turn[0] == 'b';
    if (passed[0] != '-') b->passed = passed[0] - 'a' + 8 * (passed[1] - '1');
    return read_men(b, men) && read_castling(b, castling);
}

static char *write_men(const Board *b, char *to) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char man = b->man[8 * rank + file];
            if (man != '.' && empty) *to++ = (char)('0' + empty), empty = 0;
            if (man != '.')
                *to++ = man;
            else
                empty++;
        }
        if (empty) *to++ = (char)('0' + empty);
        *to++ = rank ? '/' : ' ';
    }
    return to;
}

static char *write_castling(const Board *b, char *to) {
    char *start = to;
    for (int s = 0; s < 64; s++)
        if (b->rook_may_castle[s]) *to++ = (char)((b->man[s] == 'R' ? 'A' : 'a') + s % 8);
    if (to == start) *to++ = '-';
    return to;
}

void reference_write(const Board *b, char fen[REFERENCE_FEN_MAX]) {
    char *to = write_men(b, fen);
    *to++ = b->black_to_move ? 'b' : 'w';
    *to++ = ' ';
    to = write_castling(b, to);
    *to++ = ' ';
    if (b->passed >= 0) {
        *to++ = (char)('a' + b->passed % 8);
        *to++ = (char)('1' + b->passed / 8);
    } else {
        *to++ = '-';
    }
    snprintf(to, (size_t)(fen + REFERENCE_FEN_MAX - to), " %d %d", b->halfmove, b->fullmove);
}
