/* SPDX-License-Identifier: MIT */
#include "formats/pgn_text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATE = 32000, MATE_PLIES_MAX = 1000, COMMENT_TEXT_MAX = 32 };

int pgn_peek(DataDecoder *d) {
    if (UNLIKELY(!data_input_available(&d->in, 1))) return PGN_END;
    if (UNLIKELY(data_input_offset(&d->in) - d->state.skipped_from >= PGN_SKIPPED_BYTES)) return PGN_END;
    return *data_input_bytes(&d->in);
}

void pgn_next(DataDecoder *d) {
    assert(d->in.begin < d->in.end);
    d->line_number += *data_input_bytes(&d->in) == '\n';
    d->in.begin++;
}

static bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

int pgn_skip_blanks(DataDecoder *d) {
    int c;
    while (is_blank(c = pgn_peek(d))) pgn_next(d);
    return c;
}

/* ---- tags ---- */

/* The value behind the opening quote, up to the closing one, which is consumed. */
static bool read_value(DataDecoder *d, PgnTag *tag, TabiaError *error) {
    size_t n = 0;
    for (int c; (c = pgn_peek(d)) != '"'; pgn_next(d)) {
        if (c == '\\') pgn_next(d), c = pgn_peek(d);
        if (c == PGN_END || c == '\n' || c == '\0')
            return tabia_fail(error, "the value of the tag '%s' does not end on its line", tag->name);
        if (n + 1 < sizeof tag->value)
            tag->value[n++] = (char)c;
        else
            tag->cut = true;
    }
    pgn_next(d);
    tag->value[n] = '\0';
    return true;
}

bool pgn_read_tag(DataDecoder *d, PgnTag *tag, TabiaError *error) {
    size_t n = 0;
    assert(pgn_peek(d) == '[');
    tag->cut = false;
    pgn_next(d);
    int c = pgn_skip_blanks(d);
    for (; (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; c = pgn_peek(d)) {
        if (n + 1 < sizeof tag->name) tag->name[n++] = (char)c;
        pgn_next(d);
    }
    tag->name[n] = '\0';
    if (!n) return tabia_fail(error, "a tag without a name; it is [Name \"value\"]");
    if (pgn_skip_blanks(d) != '"') return tabia_fail(error, "the tag '%s' has no value in quotes", tag->name);
    pgn_next(d);
    if (!read_value(d, tag, error)) return false;
    if (pgn_skip_blanks(d) != ']') return tabia_fail(error, "the tag '%s' does not end with ]", tag->name);
    pgn_next(d);
    return true;
}

/* ---- moves and what stands behind them ---- */

void pgn_read_word(DataDecoder *d, char word[PGN_WORD_MAX]) {
    size_t n = 0;
    for (int c; (c = pgn_peek(d)) != PGN_END && c && !is_blank(c) && !strchr("{}()[];$", c); pgn_next(d))
        if (n + 1 < PGN_WORD_MAX) word[n++] = (char)c;
    word[n] = '\0';
}

/* A comment's first characters, and those of its first [%eval ...]. */
typedef struct {
    char head[COMMENT_TEXT_MAX], analysis[COMMENT_TEXT_MAX];
    unsigned matched, n; /* characters of the mark that were met; of the analysis, which ends with COMMENT_TEXT_MAX */
} Comment;

static void take_analysis(Comment *comment, int c) {
    static const char mark[] = "[%eval ";
    if (comment->matched < sizeof mark - 1)
        comment->matched = c == mark[comment->matched] ? comment->matched + 1 : c == '[';
    else if (c == ']' || comment->n + 1 >= COMMENT_TEXT_MAX)
        comment->n = COMMENT_TEXT_MAX;
    else
        comment->analysis[comment->n++] = (char)c;
}

/* A comment {...}, at whose '{' the input stands. */
static bool read_comment(DataDecoder *d, Comment *comment, TabiaError *error) {
    size_t n = 0;
    int c;
    *comment = (Comment){.n = 0};
    for (pgn_next(d); (c = pgn_peek(d)) != '}'; pgn_next(d)) {
        if (c == PGN_END) return tabia_fail(error, "a comment does not end with }");
        if (n + 1 < COMMENT_TEXT_MAX && (n || !is_blank(c))) comment->head[n++] = (char)c;
        take_analysis(comment, c);
    }
    pgn_next(d);
    return true;
}

static void skip_line(DataDecoder *d) {
    for (int c; (c = pgn_peek(d)) != PGN_END && c != '\n';) pgn_next(d);
}

/* A variation (...), at whose '(' the input stands, with all in it. */
static bool skip_variation(DataDecoder *d, TabiaError *error) {
    Comment comment;
    unsigned depth = 0;
    do {
        const int c = pgn_peek(d);
        if (c == PGN_END) return tabia_fail(error, "a variation does not end with )");
        if (c == '{') {
            if (!read_comment(d, &comment, error)) return false;
            continue;
        }
        if (c == ';') skip_line(d);
        depth += c == '(';
        depth -= c == ')';
        if (c != ';') pgn_next(d);
    } while (depth);
    return true;
}

bool pgn_read_annotations(DataDecoder *d, PgnComments *found, TabiaError *error) {
    Comment comment;
    char word[PGN_WORD_MAX];
    *found = (PgnComments){.of_search = {.found = false}};
    for (;;) {
        switch (pgn_skip_blanks(d)) {
        case '{':
            if (!read_comment(d, &comment, error)) return false;
            if (!found->of_search.found) found->of_search = pgn_evaluation(comment.head);
            if (!found->of_analysis.found)
                found->of_analysis = pgn_analysis(comment.analysis, (Colour)d->next_position.turn);
            break;
        case '(':
            if (!skip_variation(d, error)) return false;
            break;
        case ';':
            skip_line(d);
            break;
        case '$':
            pgn_next(d);
            pgn_read_word(d, word);
            break;
        default:
            return true;
        }
    }
}

/* ---- scores ---- */

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
    while (is_blank(*text)) text++;
    const bool mates = *text == '#';
    text += mates;
    const bool negative = *text == '-';
    text = read_hundredths(text + (negative || *text == '+'), &n);
    if (!text || (*text && *text != ',' && !is_blank(*text))) return e;
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
