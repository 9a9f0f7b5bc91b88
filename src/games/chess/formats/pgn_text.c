/* SPDX-License-Identifier: MIT */
#include "formats/pgn_text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "data/input.h"

enum { COMMENT_TEXT_MAX = 32 };

int pgn_peek(DataDecoder *d) {
    if (UNLIKELY(d->in.begin == d->in.end) && !data_input_available(&d->in, 1)) return PGN_END;
    if (UNLIKELY(data_input_offset(&d->in) - d->state.skipped_from >= PGN_SKIPPED_BYTES)) return PGN_END;
    return *data_input_bytes(&d->in);
}

/* ---- lines and blanks ---- */

/* Among them Ctrl-Z, with which files of DOS end, and the space of Latin-1 that does not break. */
static bool is_blank(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x1a || c == 0xa0;
}

/* Of a blank of several bytes in UTF-8: a space that does not break, one of typography, a byte order mark. */
static size_t wide_blank_bytes(const uint8_t *at, size_t n) {
    if (n >= 2 && at[0] == 0xc2 && at[1] == 0xa0) return 2;
    if (n < 3) return 0;
    const bool is_space = at[0] == 0xe2 && at[1] == 0x80 && (at[2] <= 0x8f || at[2] == 0xaf);
    return is_space || !memcmp(at, data_byte_order_mark, DATA_BYTE_ORDER_MARK_BYTES) ? 3 : 0;
}

static bool ends_line(DataDecoder *d, int c) {
    return c == '\n' || (c == '\r' && !(data_input_available(&d->in, 2) == 2 && data_input_bytes(&d->in)[1] == '\n'));
}

void pgn_skip(DataDecoder *d, size_t n) {
    assert(n && n <= d->in.end - d->in.begin);
    d->in.begin += n;
    d->state.line_ends = 0;
    d->state.in_line = true;
}

void pgn_next(DataDecoder *d) {
    assert(d->in.begin < d->in.end);
    const int c = *data_input_bytes(&d->in);
    if (LIKELY(!is_blank(c))) return pgn_skip(d, 1);
    const bool ends = ends_line(d, c);
    d->line_number += ends;
    d->state.line_ends += ends;
    d->state.blank_line |= d->state.line_ends > 1;
    d->state.in_line = c != '\n' && c != '\r';
    d->in.begin++;
}

void pgn_skip_line(DataDecoder *d) {
    for (int c; (c = pgn_peek(d)) != PGN_END && c != '\n' && c != '\r';) pgn_next(d);
}

/* Skips blanks, line ends, and lines that begin with %, and returns the character behind them. */
static int skip_blanks(DataDecoder *d) {
    int c;
    while ((c = pgn_peek(d)) != PGN_END) {
        const size_t wide = c < 0x80 ? 0 : wide_blank_bytes(data_input_bytes(&d->in), data_input_available(&d->in, 3));
        if (c == '%' && !d->state.in_line)
            pgn_skip_line(d);
        else if (is_blank(c))
            pgn_next(d);
        else if (wide)
            d->in.begin += wide;
        else
            break;
    }
    return c;
}

/* ---- tags ---- */

static const char *skip_spaces(const char *at, const char *end) {
    while (at < end && is_blank((unsigned char)*at)) at++;
    return at;
}

static const char *skip_name(const char *at, const char *end) {
    while (at < end && *at && !is_blank((unsigned char)*at) && !strchr("\"[]", *at)) at++;
    return at;
}

static bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Does a tag begin here, up to the quote in front of its value? */
static bool begins_tag(const char *at, const char *end) {
    if (at == end || *at != '[') return false;
    at = skip_spaces(at + 1, end);
    if (at == end || !is_alphanumeric(*at)) return false;
    at = skip_spaces(skip_name(at, end), end);
    return at < end && *at == '"';
}

/* The quote that ends a value; null: none does. */
static const char *value_end(const char *at, const char *end) {
    const char *last = NULL;
    for (; at < end; at++) {
        const char *bracket = *at == '"' ? skip_spaces(at + 1, end) : end;
        if (bracket == end || *bracket != ']') continue;
        last = at;
        const char *behind = skip_spaces(bracket + 1, end);
        if (behind == end || begins_tag(behind, end)) break;
    }
    return last;
}

/* The line's rest that is in the window: more than a usual request only where it is longer. */
static size_t rest_of_line(DataDecoder *d) {
    size_t n = 0, have = data_input_available(&d->in, DATA_WINDOW_REQUEST_MAX);
    for (;;) {
        const uint8_t *at = data_input_bytes(&d->in);
        while (n < have && at[n] != '\n' && at[n] != '\r') n++;
        if (n < have || have != DATA_WINDOW_REQUEST_MAX) return n;
        have = data_input_available(&d->in, DATA_WINDOW_BYTES);
        if (have == DATA_WINDOW_REQUEST_MAX) return n;
    }
}

/* Copies a part of a line, without zero bytes, as far as there is room. True: that is all of it. */
static bool copy_part(char *out, size_t room, const char *at, const char *end) {
    size_t n = 0;
    for (; at < end && n + 1 < room; at++) out[n++] = *at ? *at : '?';
    out[n] = '\0';
    return at == end;
}

bool pgn_peek_tag(DataDecoder *d, PgnTag *tag, TabiaError *error) {
    const size_t n = rest_of_line(d);
    const char *begin = (const char *)data_input_bytes(&d->in), *end = begin + n;
    assert(n && *begin == '[');
    const char *name = skip_spaces(begin + 1, end), *name_end = skip_name(name, end);
    const char *quote = skip_spaces(name_end, end);
    copy_part(tag->name, sizeof tag->name, name, name_end);
    if (name == name_end) return tabia_fail(error, "a tag without a name; it is [Name \"value\"]");
    if (quote == end || *quote != '"') return tabia_fail(error, "the tag '%s' has no value in quotes", tag->name);
    if (n == DATA_WINDOW_BYTES) return tabia_fail(error, "the tag '%s' is longer than %zu bytes", tag->name, n);
    const char *close = value_end(quote + 1, end);
    if (!close) return tabia_fail(error, "the tag '%s' does not end with \"] on its line", tag->name);
    tag->cut = !copy_part(tag->value, sizeof tag->value, quote + 1, close);
    tag->bytes = (size_t)(skip_spaces(close + 1, end) + 1 - begin);
    return true;
}

/* The next characters, enough for the name of a tag. */
static const char *peek_text(DataDecoder *d, const char **end) {
    const size_t n = data_input_available(&d->in, 2 * PGN_WORD_MAX);
    const char *text = (const char *)data_input_bytes(&d->in);
    *end = text + n;
    return text;
}

static bool is_event(const char *name, const char *end) {
    return skip_name(name, end) - name == 5 && !strncasecmp(name, "Event", 5);
}

/* At a '[': does a tag begin that may be the first of a game? Event may even stand behind a line that does not end. */
static bool begins_line_or_event(DataDecoder *d) {
    const char *end, *at = peek_text(d, &end);
    return begins_tag(at, end) && (d->state.line_ends || is_event(skip_spaces(at + 1, end), end));
}

bool pgn_begins_game(DataDecoder *d) {
    const char *end, *at = peek_text(d, &end);
    if (at == end || *at != '[') return false;
    const char *name = skip_spaces(at + 1, end);
    if (name == end || !is_alphanumeric(*name)) return false;
    return d->state.line_ends > 1 || (is_event(name, end) && (d->state.line_ends || begins_tag(at, end)));
}

/* ---- words ---- */

static bool ends_word(const uint8_t *at, size_t n) {
    switch (*at) {
    case '\0':
    case '{':
    case '}':
    case '(':
    case ')':
    case '[':
    case ']':
    case ';':
    case '$':
        return true;
    default:
        return is_blank(*at) || (*at >= 0x80 && wide_blank_bytes(at, n));
    }
}

void pgn_read_word(DataDecoder *d, char word[PGN_WORD_MAX]) {
    size_t n = 0;
    for (int c; (c = pgn_peek(d)) != PGN_END; pgn_next(d)) {
        const size_t have = c < 0x80 ? 1 : data_input_available(&d->in, 3);
        if (ends_word(data_input_bytes(&d->in), have)) break;
        if (n + 1 < PGN_WORD_MAX) word[n++] = (char)c;
    }
    word[n] = '\0';
}

/* Likewise, and consumes nothing; empty where the word is too long. */
static size_t peek_word(DataDecoder *d, char word[PGN_WORD_MAX]) {
    const size_t have = data_input_available(&d->in, PGN_WORD_MAX);
    const uint8_t *at = data_input_bytes(&d->in);
    size_t n = 0;
    while (n < have && !ends_word(at + n, have - n)) n++;
    if (n == PGN_WORD_MAX) n = 0;
    memcpy(word, at, n);
    word[n] = '\0';
    return n;
}

/* A dash or a half of typography, in UTF-8 or as Windows writes it: what it stands for, and *bytes. Null: another character. */
static const char *plain_sign(const char *at, size_t *bytes) {
    const uint8_t c = (uint8_t)at[0], next = c ? (uint8_t)at[1] : 0, last = next ? (uint8_t)at[2] : 0;
    const bool is_dash =
        c == 0xe2 && ((next == 0x80 && last >= 0x90 && last <= 0x95) || (next == 0x88 && last == 0x92));
    *bytes = is_dash ? 3 : c == 0xc2 && next == 0xbd ? 2 : 1;
    if (is_dash || c == 0x96 || c == 0x97) return "-";
    return *bytes == 2 || c == 0xbd ? "1/2" : NULL;
}

int pgn_result(const char *word) {
    static const struct {
        const char *text;
        int result;
    } known[] = {{"0-1", 0}, {"1/2-1/2", 1}, {"1/2", 1}, {"1-0", 2}, {"*", PGN_RESULT_OPEN}};
    char text[4 * PGN_WORD_MAX] = "", *end = text;
    if (*word != '*' && *word != '0' && *word != '1' && !(*word & 0x80)) return -1;
    for (size_t bytes; *word && end < text + sizeof text - 4; word += bytes) {
        const char *plain = plain_sign(word, &bytes);
        if (plain)
            end = tabia_text_put(end, plain);
        else
            *end++ = *word;
        *end = '\0';
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!*word && !strcmp(text, known[i].text)) return known[i].result;
    return -1;
}

/* Is a word neither a move nor a result, whatever its writer meant? Null moves (--, @@@@) and figurines of pieces are none. */
static bool is_mark(const char *word, PgnPlace place) {
    static const char *const letters[] = {"N", "D", "TN", "RR", "ep", "e.p.", "ch", "mate"};
    const char *at = word;
    while (*at && !is_alphanumeric(*at)) at++;
    for (size_t i = 0; *at && place == PGN_BEHIND_MOVE && i < sizeof letters / sizeof *letters; i++)
        if (*word == *letters[i] && !strcmp(word, letters[i])) return true;
    return *word && !*at && pgn_result(word) < 0 && !strstr(word, "--") && !strchr(word, '@') &&
           !strstr(word, "\xe2\x99");
}

/* ---- comments and variations ---- */

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

/* At a tag in a comment: does the comment end? Where the next one begins first, this one was never closed, and the tag is the
   next game's. */
static bool ends_behind_tag(DataDecoder *d) {
    const size_t n = data_input_available(&d->in, DATA_WINDOW_BYTES);
    const uint8_t *text = data_input_bytes(&d->in), *close = memchr(text, '}', n);
    return close && !memchr(text, '{', (size_t)(close - text));
}

/* A comment {...}, at whose '{' the input stands. Its blank lines are none of the moves. */
static bool read_comment(DataDecoder *d, Comment *comment, TabiaError *error) {
    const uint64_t line = d->line_number + 1;
    const bool blank_line = d->state.blank_line;
    bool ends = false;
    size_t n = 0;
    int c;
    *comment = (Comment){.n = 0};
    for (pgn_next(d); (c = pgn_peek(d)) != '}'; pgn_next(d)) {
        const bool at_tag = c == '[' && !ends && begins_line_or_event(d);
        if (at_tag) ends = ends_behind_tag(d);
        if (c == PGN_END || (at_tag && !ends))
            return tabia_fail(error, "the comment that begins on line %" PRIu64 " does not end with }", line);
        if (n + 1 < COMMENT_TEXT_MAX && (n || !is_blank(c))) comment->head[n++] = (char)c;
        take_analysis(comment, c);
    }
    pgn_next(d);
    d->state.blank_line = blank_line;
    return true;
}

/* A variation (...), at whose '(' the input stands, with all in it. */
static bool skip_variation(DataDecoder *d, TabiaError *error) {
    Comment comment;
    const uint64_t line = d->line_number + 1;
    unsigned depth = 0;
    do {
        const int c = skip_blanks(d);
        if (c == PGN_END || d->state.blank_line || (c == '[' && pgn_begins_game(d)))
            return tabia_fail(error, "the variation that begins on line %" PRIu64 " does not end with )", line);
        if (c == '{') {
            if (!read_comment(d, &comment, error)) return false;
            continue;
        }
        if (c == ';') pgn_skip_line(d);
        depth += c == '(';
        depth -= c == ')';
        if (c != ';') pgn_next(d);
    } while (depth);
    return true;
}

static bool read_comment_scores(DataDecoder *d, PgnComments *found, TabiaError *error) {
    Comment comment;
    if (!read_comment(d, &comment, error)) return false;
    if (!found->of_search.found) found->of_search = pgn_evaluation(comment.head);
    if (!found->of_analysis.found) found->of_analysis = pgn_analysis(comment.analysis, (Colour)d->next_position.turn);
    return true;
}

/* A glyph, $ and digits, and what else is no move. False: there is none. */
static bool skip_mark(DataDecoder *d, PgnPlace place) {
    char word[PGN_WORD_MAX];
    if (pgn_peek(d) == '$') {
        do pgn_next(d);
        while (pgn_peek(d) >= '0' && pgn_peek(d) <= '9');
        return true;
    }
    const size_t n = peek_word(d, word);
    if (!is_mark(word, place)) return false;
    pgn_skip(d, n);
    return true;
}

bool pgn_read_annotations(DataDecoder *d, PgnPlace place, PgnComments *found, TabiaError *error) {
    *found = (PgnComments){.of_search = {.found = false}};
    for (;;) {
        const int c = skip_blanks(d);
        if (c == '{') {
            if (!read_comment_scores(d, found, error)) return false;
        } else if (c == '(' && place > PGN_BEFORE_MOVES) {
            if (!skip_variation(d, error)) return false;
        } else if (c == ';') {
            pgn_skip_line(d);
        } else if (c == PGN_END || place == PGN_BEFORE_TAGS || !skip_mark(d, place)) {
            return true;
        }
    }
}
