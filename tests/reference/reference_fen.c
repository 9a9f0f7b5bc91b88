/* SPDX-License-Identifier: MIT */
/* The reference board as FEN text. */
#include <stdio.h>
#include <string.h>

#include "reference.h"

static bool read_pieces(ReferenceBoard *b, const char *field) {
    int file = 0, rank = 7;
    for (; *field; field++) {
        if (*field == '/') {
            if (file != 8 || rank == 0) return false;
            file = 0, rank--;
        } else if (*field >= '1' && *field <= '8') {
            file += *field - '0';
        } else if (strchr("PNBRQKpnbrqk", *field) && file < 8) {
            b->piece[8 * rank + file++] = *field;
        } else {
            return false;
        }
    }
    return rank == 0 && file == 8;
}

/* The rook that a letter of the castling field means, or -1. */
static int find_castling_rook(const ReferenceBoard *b, char letter) {
    const bool black = letter >= 'a';
    const int home = black ? 56 : 0;
    const char rook = black ? 'r' : 'R', *king = memchr(b->piece + home, black ? 'k' : 'K', 8);
    const char upper = (char)(letter & ~32);
    if (!king) return -1;
    if (upper >= 'A' && upper <= 'H') return b->piece[home + upper - 'A'] == rook ? home + upper - 'A' : -1;
    if (upper == 'K')
        for (int s = home + 7; s > king - b->piece; s--)
            if (b->piece[s] == rook) return s;
    if (upper == 'Q')
        for (int s = home; s < king - b->piece; s++)
            if (b->piece[s] == rook) return s;
    return -1;
}

static bool read_castling(ReferenceBoard *b, const char *field) {
    if (strcmp(field, "-") == 0) return true;
    for (; *field; field++) {
        int rook = find_castling_rook(b, *field);
        if (rook < 0) return false;
        b->rook_may_castle[rook] = true;
    }
    return true;
}

bool reference_read(ReferenceBoard *b, const char *fen) {
    char pieces[80], turn[2], castling[8], passed[3];
    *b = (ReferenceBoard){.passed = -1, .halfmove = 0, .fullmove = 1};
    memset(b->piece, '.', sizeof b->piece);
    if (sscanf(fen, "%79s %1s %7s %2s %d %d", pieces, turn, castling, passed, &b->halfmove, &b->fullmove) < 4)
        return false;
    b->black_to_move = turn[0] == 'b';
    if (passed[0] != '-') b->passed = passed[0] - 'a' + 8 * (passed[1] - '1');
    return read_pieces(b, pieces) && read_castling(b, castling);
}

static char *write_pieces(const ReferenceBoard *b, char *to) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char piece = b->piece[8 * rank + file];
            if (piece != '.' && empty) *to++ = (char)('0' + empty), empty = 0;
            if (piece != '.')
                *to++ = piece;
            else
                empty++;
        }
        if (empty) *to++ = (char)('0' + empty);
        *to++ = rank ? '/' : ' ';
    }
    return to;
}

static char *write_castling(const ReferenceBoard *b, char *to) {
    char *start = to;
    for (int s = 0; s < 64; s++)
        if (b->rook_may_castle[s]) *to++ = (char)((b->piece[s] == 'R' ? 'A' : 'a') + s % 8);
    if (to == start) *to++ = '-';
    return to;
}

void reference_write(const ReferenceBoard *b, char fen[REFERENCE_FEN_MAX]) {
    char *to = write_pieces(b, fen);
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
