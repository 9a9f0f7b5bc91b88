/* SPDX-License-Identifier: MIT */
/* What comments of PGN say of a position, and how it is written. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pgn_text.h"

enum { MATE = 32000, MATE_PLIES_MAX = 1000 };

static const char blanks[] = " \t\n\r\v\f";

/* Digits, and up to two more behind a point, as hundredths; null if there are none. Large numbers stay large. */
static const char *read_hundredths(const char *at, long *n) {
    const char *begin = at;
    long value = 0;
    for (; *at >= '0' && *at <= '9'; at++) value = value > MATE ? value : 10 * value + (*at - '0');
    if (at == begin) return NULL;
    value *= 100;
    if (*at == '.') {
        long unit = 10;
        for (at++; *at >= '0' && *at <= '9'; at++, unit /= 10) value += unit * (*at - '0');
    }
    *n = value;
    return at;
}

static PgnEvaluation signed_evaluation(long n, bool negative) {
    const bool in_range = n <= INT16_MAX + negative;
    return (PgnEvaluation){true, in_range, in_range ? (int)(negative ? -n : n) : 0};
}

PgnEvaluation pgn_evaluation(const char *comment) {
    PgnEvaluation e = {.found = false};
    const bool negative = *comment == '-';
    long n = 0;
    comment += negative || *comment == '+';
    const bool mates = *comment == 'M' || *comment == '#';
    comment = read_hundredths(comment + mates, &n);
    if (!comment || comment[0] != '/' || comment[1] < '0' || comment[1] > '9') return e;
    if (mates) n = n / 100 <= MATE_PLIES_MAX ? MATE - n / 100 : MATE * 2;
    return signed_evaluation(n, negative);
}

PgnEvaluation pgn_analysis(const char *text, Colour to_move) {
    PgnEvaluation e = {.found = false};
    long n = 0;
    text += strspn(text, blanks);
    const bool mates = *text == '#';
    text += mates;
    const bool negative = *text == '-';
    text = read_hundredths(text + (negative || *text == '+'), &n);
    if (!text || (*text && *text != ',' && !strchr(blanks, *text))) return e;
    if (mates) { /* the side that mates has the last ply: it is to move where their number is odd */
        const long moves = n / 100, plies = 2 * moves - (moves && negative == (to_move == BLACK));
        n = plies <= MATE_PLIES_MAX ? MATE - plies : MATE * 2;
    }
    return signed_evaluation(n, negative);
}

void pgn_score_text(int score, char out[PGN_SCORE_MAX]) {
    const int size = abs(score);
    const char sign = score < 0 ? '-' : '+';
    assert(size <= INT16_MAX + 1);
    if (size <= MATE && size >= MATE - MATE_PLIES_MAX)
        snprintf(out, PGN_SCORE_MAX, "%cM%d", sign, MATE - size);
    else
        snprintf(out, PGN_SCORE_MAX, "%c%d.%02d", sign, size / 100, size % 100);
}
