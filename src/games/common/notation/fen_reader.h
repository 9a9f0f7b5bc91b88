/* SPDX-License-Identifier: MIT */
/*
 * What the readers of positions of all games share: one pass over the text, field by field. What a letter means is
 * checked where it is read, while its column is known; what the pieces together must satisfy is checked by validate.c,
 * and its error gets a column from `column`, which records where each piece was read.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "notation/position_error.h"

typedef struct {
    Position p;
    const char *text, *at; /* all of it, and the position read so far */
    bool is_epd;           /* EPD: operations may follow the fields */
    TabiaError *error;
    const char *field_start[FEN_FIELDS + 1]; /* of the fields read so far */
    const char *column[NO_SQUARE];           /* where each piece was read */
} FenReader;

/* The game's part: reads its fields into r->p, and leaves r->at behind the last. False with r->error. */
bool fen_read_fields(FenReader *r);

/* ---- errors ---- */

/* Always false: the error names the field and the character at `at`. */
bool fen_fail(FenReader *r, FenField field, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for an error of the pieces, where its piece was read; if it concerns none, at the start of the field. */
bool fen_fail_position(FenReader *r, const PositionError *invalid);

typedef struct {
    char text[24];
} QuotedChar;

/* A character as a message quotes it. */
QuotedChar fen_quoted(char c);

/* ---- the text and its fields ---- */

INLINE bool fen_at_end(const FenReader *r) {
    return *r->at == '\0' || *r->at == '\n' || *r->at == '\r' || *r->at == ';';
}
INLINE bool fen_at_blank(const FenReader *r) {
    return *r->at == ' ' || *r->at == '\t';
}
INLINE bool fen_in_field(const FenReader *r) {
    return (unsigned char)*r->at > ' ' ? *r->at != ';' : !fen_at_end(r) && !fen_at_blank(r);
}

/* Advances to the next field; false at the end of the text. */
INLINE bool fen_next_field(FenReader *r, FenField field) {
    assert(field >= FIELD_BOARD && (int)field <= FEN_FIELDS);
    while (fen_at_blank(r)) r->at++;
    r->field_start[field] = r->at;
    return !fen_at_end(r);
}
