/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any input of the engine: no crash and no hang; each `go` is answered by exactly one bestmove,
 * which is legal in the position that stood when it was sent, as are its ponder move and every line that is shown.
 *
 * Bytes are read as words, so that few of them say much: one below the number of words stands for that word and a
 * blank, 10 ends the line, the rest are themselves. What would take for ever (counting deep, gigabytes, files) is left
 * out.
 */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "notation/fen.h"
#include "notation/move_text.h"
#include "protocol/engine_protocol.h"
#include "rules/movegen.h"
#include "uci/engine_state.h"
#include "uci_words.h"

/* What a client may say in every game, rightly or not: words and beginnings of lines. */
static const char *const words_of_all[] = {
    "",
    "go",
    "stop",
    "position",
    "startpos",
    "moves",
    PROTOCOL_POSITION,
    "isready",
    "go infinite\nisready",
    "go nodes 300\n",
    "\n",
    "ponderhit",
    "go ponder",
    PROTOCOL_NEW_GAME,
    "setoption name",
    "value",
    PROTOCOL_OPTION_HASH,
    "Threads",
    "MultiPV",
    PROTOCOL_OPTION_PONDER,
    PROTOCOL_OPTION_SHOW_WDL,
    PROTOCOL_OPTION_LIMIT_STRENGTH,
    PROTOCOL_OPTION_ELO,
    "nodestime",
    "PathKey",
    "Replacement",
    "depth-and-age",
    "SMPMode",
    "split",
    "lazy",
    "fifty-count",
    "off",
    "true",
    "false",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "searchmoves",
    "infinite",
    "ponder",
    "perft 2",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "100",
    "1000",
    "99999999999",
    "-9223372036854775808",
    "d\n",
    "eval\n",
    "flip\n",
    PROTOCOL_HELLO "\n",
    "debug on\n",
    "\t",
    "register",
    "xyzzy",
    "setoption",
    "name",
};

enum {
    WORDS_OF_ALL = sizeof words_of_all / sizeof *words_of_all,
    UCI_WORDS = WORDS_OF_ALL + sizeof words_of_game / sizeof *words_of_game,
    UCI_GOES = 4096,
    UCI_LINE = 8192
};

static inline const char *uci_word(unsigned i) {
    return i < WORDS_OF_ALL ? words_of_all[i] : words_of_game[i - WORDS_OF_ALL];
}

typedef struct {
    Engine *engine;
    FILE *out;
    char *said;
    size_t said_n;
    Position root[UCI_GOES]; /* of each go, in order */
    unsigned goes;
} UciCheck;

static inline void uci_error(const char *what, const char *line, const Position *root) {
    char fen[FEN_MAX] = "";
    if (root) fen_write(root, FEN_SHREDDER, fen);
    fprintf(stderr, "%s: '%s' at %s\n", what, line, fen);
    abort();
}

/* ---- input ---- */

static inline bool first_word_is(const char *line, const char *const *list) {
    Tokenizer w = {.cursor = line};
    tokenizer_next(&w);
    for (; *list; list++)
        if (tokenizer_is(&w, *list)) return true;
    return false;
}

/* The only forms of it that are let through: elsewhere the word may stand where a number is looked for. */
static inline bool is_count(const char *line) {
    return !strncmp(line, "go perft 2", 10) && (!line[10] || line[10] == ' ') && !strstr(line + 10, "perft");
}

/* No deep counts, no large tables, no files. */
static inline bool is_harmless(const char *line) {
    static const char *const never[] = {"quit", "bench", "genfens", NULL};
    Tokenizer w = {.cursor = line};
    bool option = false;
    if (first_word_is(line, never) || strcasestr(line, " file") || strcasestr(line, "table")) return false;
    while (tokenizer_next(&w)) {
        option |= tokenizer_is(&w, "setoption");
        const long long n = strtoll(w.token, NULL, 10);
        if (option && n > 3 && n <= 33554432 && (strcasestr(line, "threads") || strcasestr(line, "hash"))) return false;
    }
    return !strstr(line, "perft") || is_count(line);
}

static inline bool is_short_go(const char *line) {
    return !strcmp(line, "go nodes 300");
}

static inline void uci_line(UciCheck *c, const char *line, bool *busy) {
    static const char *const meanwhile[] = {"stop",  "ponderhit", "isready",          PROTOCOL_HELLO,
                                            "debug", "register",  PROTOCOL_GAME_OVER, NULL};
    static const char *const go[] = {"go", NULL};
    if (!is_harmless(line) || c->goes == UCI_GOES) return;
    Tokenizer w = {.cursor = line};
    if (!tokenizer_next(&w)) return;
    if (*busy && !first_word_is(line, meanwhile)) {
        engine_execute(c->engine, "stop");
        *busy = false;
    }
    if (first_word_is(line, go) && !is_count(line)) {
        c->root[c->goes++] = *search_root(c->engine->search);
        *busy = !is_short_go(line);
    }
    if (!engine_execute(c->engine, line)) uci_error("it quits", line, NULL);
}

/* ---- output ---- */

static inline Move legal_move(const Position *p, const char *text, const char *line) {
    const Move m = move_from_uci(p, text);
    if (!m) uci_error("an illegal move", line, p);
    return m;
}

static inline void check_line_shown(const Position *root, const char *line) {
    Position p = *root;
    const char *pv = strstr(line, " pv ");
    Tokenizer w = {.cursor = pv ? pv + 4 : ""};
    while (tokenizer_next(&w)) position_make_move(&p, &p, legal_move(&p, w.token, line));
}

static inline void check_best(const Position *root, const char *line) {
    Tokenizer w = {.cursor = line + strlen("bestmove")};
    Position next;
    tokenizer_next(&w);
    const bool declares = game_may_declare_win(root);
    if (declares || !moves_count(root)) {
        if (!tokenizer_is(&w, declares ? PROTOCOL_WIN : PROTOCOL_NO_MOVE))
            uci_error("a move where there is none", line, root);
        return;
    }
    position_make_move(&next, root, legal_move(root, w.token, line));
    if (tokenizer_next(&w) && tokenizer_is(&w, "ponder") && tokenizer_next(&w)) legal_move(&next, w.token, line);
}

/* The moves of a mate, to their end. */
static inline void check_mate(const Position *root, const char *line) {
    Position p = *root;
    Tokenizer w = {.cursor = line + strlen("checkmate")};
    tokenizer_next(&w);
    if (tokenizer_is(&w, "timeout") || tokenizer_is(&w, "nomate")) return;
    w.cursor = line + strlen("checkmate");
    while (tokenizer_next(&w)) position_make_move(&p, &p, legal_move(&p, w.token, line));
    if (moves_count(&p)) uci_error("no mate", line, root);
}

static inline void check_said(const UciCheck *c, size_t from) {
    unsigned answered = 0;
    char *copy = strdup(c->said + from), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const bool mate = !strncmp(line, "checkmate", 9), best = !strncmp(line, "bestmove", 8);
        if (!best && !mate && strncmp(line, "info depth", 10)) continue;
        if (answered == c->goes) uci_error("an answer to no question", line, NULL);
        if (mate)
            check_mate(&c->root[answered++], line);
        else if (best)
            check_best(&c->root[answered++], line);
        else
            check_line_shown(&c->root[answered], line);
    }
    if (answered != c->goes) uci_error("a go without an answer", copy, NULL);
    free(copy);
}

/* ---- both ---- */

static inline UciCheck *uci_check_begin(void) {
    UciCheck *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (!c) abort();
    memset(c, 0, sizeof *c);
    if (!(c->out = open_memstream(&c->said, &c->said_n))) abort();
    c->engine = engine_create(c->out, NULL, NULL);
    if (!c->engine) abort();
    engine_execute(c->engine, "setoption name " PROTOCOL_OPTION_HASH " value 1");
    return c;
}

static inline void uci_check_end(UciCheck *c) {
    engine_destroy(c->engine);
    fclose(c->out);
    free(c->said);
    free(c);
}

/* Says all that the bytes mean to the engine, which goes on with what the last ones left, and checks the answers. */
static inline void uci_check(UciCheck *c, const uint8_t *data, size_t n) {
    char text[UCI_LINE] = "";
    size_t used = 0;
    bool busy = false;
    fflush(c->out);
    const size_t from = c->said_n;
    c->goes = 0;
    for (size_t i = 0; i < n && used + 128 < sizeof text; i++) {
        if (data[i] && data[i] < UCI_WORDS && data[i] != '\n')
            used += (size_t)snprintf(text + used, 128, "%s ", uci_word(data[i]));
        else
            text[used++] = data[i] ? (char)data[i] : 'x';
    }
    text[used] = '\0';
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));) uci_line(c, line, &busy);
    if (busy) engine_execute(c->engine, "stop");
    engine_execute(c->engine, "position startpos"); /* waits for the last search */
    fflush(c->out);
    check_said(c, from);
}
