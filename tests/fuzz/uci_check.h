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
#include "rules/movegen.h"
#include "uci/engine_state.h"

static const char *const uci_words[] = {
    "",
    "go",
    "stop",
    "position",
    "startpos",
    "moves",
    "fen",
    "isready",
    "go infinite\nisready",
    "go nodes 300\n",
    "\n",
    "ponderhit",
    "go ponder",
    "ucinewgame",
    "setoption name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_LimitStrength",
    "UCI_Elo",
    "nodestime",
    "Move Overhead",
    "PathKey",
    "Replacement",
    "two-tier",
    "SMPMode",
    "abdada",
    "lazy",
    "fifty",
    "last-3",
    "game",
    "off",
    "true",
    "false",
    "Clear Hash\n",
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
    "uci\n",
    "debug on\n",
    "e2e4",
    "d2d4",
    "e7e5",
    "g1f3",
    "b8c6",
    "e1g1",
    "e1h1",
    "a7a8q",
    "e7e8n",
    "0000",
    "e2e5",
    "h7h8",
    "UCI_AnalyseMode",
    "fen 8/8/8/8/8/4k3/8/4K2R w K - 99 80",
    "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen 7k/8/6K1/8/8/8/8/R7 w - - 99 100",
    "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "fen 1k6/8/8/8/8/8/8/RK6 w A - 0 1",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "fen 4k3/8/8/8/8/8/8/4K3 w - - 200 300",
    "fen 8/P7/8/8/8/8/7p/k1K5 w - - 0 1",
    "fen k7/8/8/3pP3/8/8/8/K7 w - d6 0 1",
    "g1f3 g8f6 f3g1 f6g8",
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "//////// w KQkq - - - -",
    "\t",
    "register",
    "xyzzy",
    "setoption",
    "name",
};
enum { UCI_WORDS = sizeof uci_words / sizeof *uci_words, UCI_GOES = 4096, UCI_LINE = 8192 };

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
    static const char *const meanwhile[] = {"stop", "ponderhit", "isready", "uci", "debug", "register", NULL};
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
    if (!moves_count(root)) {
        if (!tokenizer_is(&w, "(none)")) uci_error("a move where there is none", line, root);
        return;
    }
    position_make_move(&next, root, legal_move(root, w.token, line));
    if (tokenizer_next(&w) && tokenizer_is(&w, "ponder") && tokenizer_next(&w)) legal_move(&next, w.token, line);
}

static inline void check_said(const UciCheck *c, size_t from) {
    unsigned answered = 0;
    char *copy = strdup(c->said + from), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const bool best = !strncmp(line, "bestmove", 8);
        if (!best && strncmp(line, "info depth", 10)) continue;
        if (answered == c->goes) uci_error("an answer to no question", line, NULL);
        if (best)
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
    engine_execute(c->engine, "setoption name Hash value 1");
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
            used += (size_t)snprintf(text + used, 128, "%s ", uci_words[data[i]]);
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
