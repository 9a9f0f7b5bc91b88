/* SPDX-License-Identifier: MIT */
#include "notation/fen_reader.h"

#include <stdarg.h>
#include <stdio.h>

#include "notation/protocol.h"

bool fen_fail(FenReader *r, FenField field, const char *at, const char *format, ...) {
    char reason[256];
    assert(at >= r->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return tabia_fail(r->error, "%s field %d (%s), character %d: %s", protocol_words.position_title, (int)field,
                      fen_field_names[field], (int)(at - r->text) + 1, reason);
}

bool fen_fail_position(FenReader *r, const PositionError *invalid) {
    const bool has_piece = invalid->field == FIELD_BOARD && invalid->square != NO_SQUARE && r->column[invalid->square];
    return fen_fail(r, invalid->field, has_piece ? r->column[invalid->square] : r->field_start[invalid->field], "%s",
                    invalid->reason);
}

QuotedChar fen_quoted(char c) {
    QuotedChar s;
    snprintf(s.text, sizeof s.text, c >= ' ' && c <= '~' ? "'%c'" : "byte 0x%02x", (unsigned char)c);
    return s;
}

static bool parse(Position *p, const char *text, const char **rest, TabiaError *error) {
    FenReader r = {.text = text, .at = text, .is_epd = rest != NULL, .error = error};
    if (!fen_read_fields(&r)) return false;
    while (fen_at_blank(&r)) r.at++;
    if (!fen_at_end(&r) && !r.is_epd)
        return fen_fail(&r, (FenField)FEN_FIELDS, r.at, "%s after the last field; the text ends here, or at ';'",
                        fen_quoted(*r.at).text);
    assert(position_is_consistent(&r.p));
    *p = r.p;
    if (rest) *rest = r.at;
    return true;
}

bool fen_parse(Position *p, const char *text, TabiaError *error) {
    return parse(p, text, NULL, error);
}

bool fen_parse_epd(Position *p, const char *text, const char **rest, TabiaError *error) {
    return parse(p, text, rest, error);
}
