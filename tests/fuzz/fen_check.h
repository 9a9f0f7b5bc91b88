/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any text given to the FEN reader, for both fuzzers: the one that libFuzzer steers (fen.c) and the
 * one that runs with every compiler (fen_mutations.c).
 */
#pragma once
#include "notation/fen.h"
#include "notation/validate.h"
#include "rules/movegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fen_complain(const char *text, const char *what) {
    fprintf(stderr, "FEN: %s\n%s\n", text, what);
    abort();
}

/* The position comes back from its own text, the same in every byte that says something. */
static inline void fen_check_written(const char *text, const Position *p, FenStyle style) {
    char out[FEN_MAX], again[FEN_MAX];
    Position q;
    TabiaError error;
    memset(out, 'x', sizeof out);
    fen_write(p, style, out);
    if (!memchr(out, '\0', sizeof out)) fen_complain(text, "it is written without an end");
    if (!fen_parse(&q, out, &error)) fen_complain(out, error.text);
    if (memcmp(p, &q, sizeof q)) fen_complain(text, "written and read it is another position");
    fen_write(&q, style, again);
    if (strcmp(out, again)) fen_complain(text, "written twice it is another text");
}

/* Every move leads to a position that is good too. */
static inline unsigned fen_check_moves(const char *text, const Position *p) {
    Move list[MOVES_MAX + 64];
    const unsigned n = moves_list(p, list);
    if (n > MOVES_MAX) fen_complain(text, "it has more than MOVES_MAX moves");
    if (n != moves_count(p)) fen_complain(text, "the moves listed and counted differ");
    for (unsigned i = 0; i < n; i++) {
        Position next;
        TabiaError error;
        position_make_move(&next, p, list[i]);
        if (!position_validate(&next, &error)) fen_complain(text, error.text);
    }
    return n;
}

/* Aborts on the first thing that does not hold. Returns whether the text was accepted. */
static inline bool fen_check(const char *text) {
    Position p;
    TabiaError error = {0};
    memset(&p, 0x55, sizeof p);
    const Position before = p;
    if (!fen_parse(&p, text, &error)) {
        if (memcmp(&p, &before, sizeof p)) fen_complain(text, "it is refused, but the position has changed");
        if (strncmp(error.text, "FEN field ", 10)) fen_complain(text, "it is refused without a field");
        return false;
    }
    if (!position_validate(&p, &error)) fen_complain(text, error.text);
    fen_check_written(text, &p, FEN_STANDARD);
    fen_check_written(text, &p, FEN_SHREDDER);
    fen_check_moves(text, &p);
    Position epd;
    const char *rest;
    if (!fen_parse_epd(&epd, text, &rest, &error) || memcmp(&p, &epd, sizeof p))
        fen_complain(text, "as EPD it is another position");
    if (rest < text || rest > text + strlen(text)) fen_complain(text, "what follows the EPD lies elsewhere");
    return true;
}
