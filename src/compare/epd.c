/* SPDX-License-Identifier: MIT */
#include "epd.h"

#include "base/text.h"
#include "notation/fen.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_blanks(const char *s) {
    while (is_blank(*s)) s++;
    return s;
}

/* ---- the position ---- */

/* Where the word at s ends: at a blank, a ';' or the end. */
static const char *word_end(const char *s) {
    while (*s && *s != ';' && !is_blank(*s)) s++;
    return s;
}

static bool is_clock(const char *s, const char *end) {
    if (*s == '-' && end == s + 1) return true;
    for (; s < end; s++)
        if (!isdigit((unsigned char)*s)) return false;
    return true;
}

/* Copies the fields of a position, one blank apart, and returns how many; *rest is what follows them. */
static int copy_fen_fields(const char *s, char out[EPD_FEN_MAX], const char **rest) {
    size_t used = 0;
    int n = 0;
    for (s = skip_blanks(s); n < 6 && *s && *s != ';'; n++) {
        const char *end = word_end(s);
        const size_t length = (size_t)(end - s);
        if (n >= 4 && !is_clock(s, end)) break; /* an operation without a ';' before it */
        if (used + length + 16 > EPD_FEN_MAX) return 0;
        if (n) out[used++] = ' ';
        memcpy(out + used, s, length);
        used += length;
        s = skip_blanks(end);
    }
    out[used] = '\0';
    *rest = s;
    return n;
}

bool epd_normalize_fen(const char *fen, char out[EPD_FEN_MAX]) {
    static const char *const missing[] = {" - - 0 1", " - 0 1", " 0 1", " 1", ""};
    const char *rest;
    const int n = copy_fen_fields(fen, out, &rest);
    if (n < 2) return false;
    assert(n <= 6 && strlen(out) + strlen(missing[n - 2]) < EPD_FEN_MAX);
    strcat(out, missing[n - 2]);
    return true;
}

/* The third field. */
static const char *castling_field(const char *fen) {
    const char *turn = strchr(fen, ' ') + 1;
    return strchr(turn, ' ') + 1;
}

bool epd_is_chess960(const Position *p, const char *fen) {
    if (!castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK)) return true;
    const char *castling = castling_field(fen);
    return castling[strcspn(castling, "ABCDEFGHabcdefgh ")] != ' ';
}

/* ---- the operations ---- */

static bool read_count(EpdEntry *e, const char *s, const char *end, TabiaError *error) {
    char word[48];
    const char *digits = s + 1, *count = skip_blanks(word_end(s)), *count_end = word_end(count);
    const int depth = atoi(digits);
    const int shown = end - s > 40 ? 40 : (int)(end - s);
    while (shown && is_blank(*digits)) digits++;
    if (depth > EPD_DEPTH_MAX || word_end(s) - s > 3)
        return tabia_fail(error, "'%.*s': a depth is 0 to %d", shown, s, EPD_DEPTH_MAX);
    if (e->n == EPD_DEPTHS_MAX) return tabia_fail(error, "more than %d counts", EPD_DEPTHS_MAX);
    snprintf(word, sizeof word, "%.*s", (int)(count_end - count), count);
    const char *after = skip_blanks(count_end);
    if (!tabia_u128_parse(word, &e->known[e->n].count) || (after < end && *after != '#'))
        return tabia_fail(error, "'%.*s' is no count; it should look like 'D%d 8902'", shown, s, depth);
    e->known[e->n++].depth = depth;
    return true;
}

/* One operation, from s to before end. */
static bool read_operation(EpdEntry *e, const char *s, const char *end, TabiaError *error) {
    if ((*s == 'D' || *s == 'd') && isdigit((unsigned char)s[1])) return read_count(e, s, end, error);
    if (end - s >= 8 && !strncasecmp(s, "chess960", 8)) e->chess960 = true;
    return true;
}

/* The end of the operation that begins at s: a ';' that is in no quotes, or the end of the line. */
static const char *operation_end(const char *s) {
    for (bool quoted = false; *s && (quoted || *s != ';'); s++)
        if (*s == '"') quoted = !quoted;
    return s;
}

bool epd_parse(EpdEntry *e, const char *text, TabiaError *error) {
    const char *s;
    *e = (EpdEntry){.line = e->line};
    if (!fen_parse(&e->position, text, error)) {
        /* An operation may stand where fen_parse expects a clock: judge the fields alone. */
        if (!epd_normalize_fen(text, e->fen) || !fen_parse(&e->position, e->fen, 0)) return false;
    }
    if (copy_fen_fields(text, e->fen, &s) < 2 || !epd_normalize_fen(text, e->fen))
        return tabia_fail(error, "the position is longer than %d characters", EPD_FEN_MAX - 16);
    e->chess960 = epd_is_chess960(&e->position, e->fen);
    while (*s) {
        const char *end = operation_end(s);
        s = skip_blanks(s);
        if (s < end && !read_operation(e, s, end, error)) return false;
        s = *end ? end + 1 : end;
    }
    assert(e->n <= EPD_DEPTHS_MAX);
    if (!e->n) return tabia_fail(error, "no count; behind the position should stand one like ';D3 8902'");
    return true;
}

/* ---- the file ---- */

bool epd_open(EpdFile *f, const char *file_name, TabiaError *error) {
    *f = (EpdFile){.file_name = file_name, .file = fopen(file_name, "r")};
    if (!f->file) return tabia_fail(error, "%s: cannot read it: %s", file_name, strerror(errno));
    return true;
}

static void end_reading(EpdFile *f) {
    fclose(f->file);
    f->file = fopen("/dev/null", "r");
}

/* The line does not fit: passes over its rest, if that ends. */
static EpdResult skip_long_line(EpdFile *f, TabiaError *error) {
    int c = 0;
    for (long passed = 0; passed < EPD_LINE_SKIPPED_MAX && c != '\n' && c != EOF; passed++) c = getc(f->file);
    tabia_fail(error, "%s:%u: the line is longer than %d characters, or holds a zero byte", f->file_name, f->line,
               EPD_LINE_MAX - 2);
    if (c != '\n') end_reading(f);
    return EPD_BAD;
}

EpdResult epd_next(EpdFile *f, EpdEntry *e, TabiaError *error) {
    TabiaError cause;
    assert(f->file);
    while (fgets(f->text, sizeof f->text, f->file)) {
        const char *s = f->text;
        if (!f->line++ && !strncmp(s, "\xef\xbb\xbf", 3)) s += 3;
        if (!strchr(f->text, '\n') && !feof(f->file)) return skip_long_line(f, error);
        s = skip_blanks(s);
        if (!*s || *s == '#' || *s == '%') continue;
        e->line = f->line;
        if (epd_parse(e, s, &cause)) return EPD_ENTRY;
        tabia_fail(error, "%s:%u: %s", f->file_name, f->line, cause.text);
        return EPD_BAD;
    }
    if (!ferror(f->file)) return EPD_END;
    tabia_fail(error, "%s:%u: cannot read on: %s", f->file_name, f->line, strerror(errno));
    end_reading(f);
    return EPD_BAD;
}

void epd_report_bad(FILE *messages, unsigned n, const TabiaError *bad) {
    if (n <= EPD_BAD_SHOWN) fprintf(messages, "%s\n", bad->text);
}

void epd_report_bad_rest(FILE *messages, const char *file_name, unsigned bad_lines) {
    if (bad_lines > EPD_BAD_SHOWN)
        fprintf(messages, "%s: %u more bad lines, %u in all; is it a suite?\n", file_name, bad_lines - EPD_BAD_SHOWN,
                bad_lines);
}

void epd_close(EpdFile *f) {
    if (f->file) fclose(f->file);
    *f = (EpdFile){0};
}
