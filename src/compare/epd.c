/* SPDX-License-Identifier: MIT */
#include "epd.h"

#include "base/text.h"
#include "notation/fen_fields.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- the operations ---- */

static bool read_count(EpdEntry *e, const char *s, const char *end, TabiaError *error) {
    char word[48];
    const char *digits = s + 1, *count = fen_skip_blanks(fen_word_end(s)), *count_end = fen_word_end(count);
    const int depth = atoi(digits);
    int shown = end - s > 40 ? 40 : (int)(end - s);
    while (shown && fen_is_blank(s[shown - 1])) shown--;
    while (shown && fen_is_blank(*digits)) digits++;
    if (depth > EPD_DEPTH_MAX || fen_word_end(s) - s > 3)
        return tabia_fail(error, "'%.*s': a depth is 0 to %d", shown, s, EPD_DEPTH_MAX);
    if (e->n == EPD_DEPTHS_MAX) return tabia_fail(error, "more than %d counts", EPD_DEPTHS_MAX);
    snprintf(word, sizeof word, "%.*s", (int)(count_end - count), count);
    const char *after = fen_skip_blanks(count_end);
    if (!tabia_u128_parse(word, &e->known[e->n].count) || (after < end && *after != '#'))
        return tabia_fail(error, "'%.*s' is not a count; it should look like 'D%d 8902'", shown, s, depth);
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
        /* An operation may stand where fen_parse expects a move counter: judge the fields alone. */
        if (!fen_normalize(text, e->fen) || !fen_parse(&e->position, e->fen, 0)) return false;
    }
    if (fen_copy_fields(text, e->fen, &s) < 2 || !fen_normalize(text, e->fen))
        return tabia_fail(error, "the position is longer than %d characters", FEN_GIVEN_MAX - 16);
    e->chess960 = fen_is_chess960(&e->position, e->fen);
    while (*s) {
        const char *end = operation_end(s);
        s = fen_skip_blanks(s);
        if (s < end && !read_operation(e, s, end, error)) return false;
        s = *end ? end + 1 : end;
    }
    assert(e->n <= EPD_DEPTHS_MAX);
    if (!e->n) return tabia_fail(error, "no count; the position must be followed by one, such as ';D3 8902'");
    return true;
}

/* ---- the file ---- */

bool epd_open(EpdFile *f, const char *file_name, FILE *messages, TabiaError *error) {
    struct stat status;
    *f = (EpdFile){.file = fopen(file_name, "r"), .messages = messages, .file_name = file_name};
    if (f->file && !fstat(fileno(f->file), &status) && S_ISDIR(status.st_mode)) {
        epd_close(f);
        errno = EISDIR;
    }
    return f->file || tabia_fail(error, "%s: cannot read it: %s", file_name, strerror(errno));
}

static void report_bad(EpdFile *f, const char *what) {
    TabiaError bad;
    tabia_fail(&bad, "%s:%u: %s", f->file_name, f->line, what);
    if (++f->bad <= EPD_BAD_SHOWN) fprintf(f->messages, "%s\n", bad.text);
}

/* The line does not fit: passes over its rest, if that ends. */
static void skip_long_line(EpdFile *f) {
    char what[80];
    int c = 0;
    for (long passed = 0; passed < EPD_LINE_SKIPPED_MAX && c != '\n' && c != EOF; passed++) c = getc(f->file);
    snprintf(what, sizeof what, "the line is longer than %d characters, or holds a zero byte", EPD_LINE_MAX - 2);
    report_bad(f, what);
    if (c != '\n') f->ended = true;
}

/* Is the line that was read a position? What is wrong with it is reported. */
static bool read_entry(EpdFile *f, EpdEntry *e) {
    TabiaError cause;
    const char *s = f->text;
    if (!f->line++ && !strncmp(s, "\xef\xbb\xbf", 3)) s += 3;
    if (!strchr(f->text, '\n') && !feof(f->file)) return skip_long_line(f), false;
    s = fen_skip_blanks(s);
    if (!*s || *s == '#' || *s == '%') return false;
    e->line = f->line;
    return epd_parse(e, s, &cause) || (report_bad(f, cause.text), false);
}

static void report_end(EpdFile *f) {
    if (ferror(f->file)) {
        char what[120];
        snprintf(what, sizeof what, "cannot read on: %s", strerror(errno));
        report_bad(f, what);
    }
    if (f->bad > EPD_BAD_SHOWN)
        fprintf(f->messages, "%s: %u more bad lines, %u in all; is it a suite?\n", f->file_name, f->bad - EPD_BAD_SHOWN,
                f->bad);
}

bool epd_next(EpdFile *f, EpdEntry *e) {
    while (!f->ended && fgets(f->text, sizeof f->text, f->file))
        if (read_entry(f, e)) return true;
    report_end(f);
    return false;
}

void epd_close(EpdFile *f) {
    if (f->file) fclose(f->file);
    f->file = NULL;
}
