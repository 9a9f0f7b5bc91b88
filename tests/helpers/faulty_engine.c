/* SPDX-License-Identifier: MIT */
/*
 * A chess program with a fault of one's choice, for the tests of --against: `faulty_engine [FAULT...]` speaks UCI,
 * `faulty_engine --perftree [FAULT...] DEPTH FEN [MOVES]` answers as a perftree script. Its generator is our own,
 * spoilt:
 *
 *   no-ep           drops en passant captures           through-check    castles through check
 *   ep-lost         forgets the en passant square when moves are played to reach a position
 *   twice           lists the first move twice          bad-total        adds one to the total
 *   bad-count       counts one too many below the first move, unless asked at depth 1 (a table gone wrong); bad-leaf: at depth 1
 *   plain960        castles as king takes rook          no-total         prints no total
 *   hang crash rubbish flood deaf exit                  instead of the answer to a question at depth 2 and above
 *   search silent-uci header no-divide                  other ways of not answering, or of answering
 */
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int n;
    char **name;
} Faults;

static bool has(const Faults *f, const char *name) {
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->name[i], name)) return true;
    return false;
}

/* Castling whose only flaw is that the king crosses an attacked square. */
static unsigned add_castling(const Position *p, Move *list, unsigned n) {
    const Colour us = (Colour)p->turn;
    const LegalMasks v = find_legal_masks(p, us);
    for (int is_short = 0; is_short < 2 && !v.in_check; is_short++) {
        const Bits rook = castling_rook(p, us, is_short);
        if (!rook || may_castle(p, us, is_short, &v)) continue;
        LegalMasks blind = v;
        blind.attacked &= bit(castled_king(us, is_short));
        if (may_castle(p, us, is_short, &blind)) list[n++] = move_encode(v.king, lsb(rook), CASTLING);
    }
    return n;
}

static unsigned faulty_list(const Faults *f, const Position *p, Move *list) {
    unsigned n = 0;
    const unsigned all = moves_list(p, list);
    for (unsigned i = 0; i < all; i++)
        if (move_flag(list[i]) != EN_PASSANT || !has(f, "no-ep")) list[n++] = list[i];
    return has(f, "through-check") ? add_castling(p, list, n) : n;
}

static uint64_t faulty_count(const Faults *f, const Position *p, int depth) {
    Move list[MOVES_MAX];
    uint64_t sum = 0;
    if (depth == 0) return 1;
    const unsigned n = faulty_list(f, p, list);
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        sum += faulty_count(f, &child, depth - 1);
    }
    return sum;
}

/* What some faults do instead of an answer. */
static bool misbehave(const Faults *f, int depth) {
    if (depth < 2) return false;
    if (has(f, "hang")) pause();
    if (has(f, "crash")) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would catch it, and end with a status of its own */
        raise(SIGSEGV);
    }
    if (has(f, "exit")) exit(7);
    if (has(f, "flood"))
        while (printf("rubbish without an end\n") > 0) {
        }
    if (has(f, "rubbish")) printf("e2e4:\nlorem ipsum 7\n\001\377\n: 5\n");
    if (has(f, "search")) printf("info depth 1 nodes 20\nbestmove e2e4\n");
    return has(f, "rubbish") || has(f, "search");
}

static void divide(const Faults *f, const Position *p, int depth, bool chess960) {
    Move list[MOVES_MAX];
    uint64_t total = 0;
    if (misbehave(f, depth)) return;
    if (has(f, "header")) printf("perft %d, hash 16 nodes\n", depth);
    const unsigned n = faulty_list(f, p, list);
    for (unsigned i = 0; i < n; i++) {
        char text[UCI_MAX];
        Position child;
        position_make_move(&child, p, list[i]);
        const uint64_t sum = faulty_count(f, &child, depth - 1) + (!i && has(f, depth < 2 ? "bad-leaf" : "bad-count"));
        move_to_uci(p, list[i], chess960 || has(f, "plain960"), text);
        for (int twice = i == 0 && has(f, "twice"); twice >= 0 && !has(f, "no-divide"); twice--) {
            printf("%s: %ju\n", text, (uintmax_t)sum);
            total += twice ? sum : 0;
        }
        total += sum;
    }
    if (!has(f, "no-total")) printf("\nNodes searched: %ju\n\n", (uintmax_t)(total + has(f, "bad-total")));
}

static void set_position(const Faults *f, Position *p, char *text) {
    char *moves = strstr(text, " moves ");
    if (moves) *moves = '\0';
    if (!fen_parse(p, strncmp(text, "fen ", 4) ? fen_start : text + 4, 0)) exit(9);
    for (char *word = moves ? strtok(moves + 7, " ") : 0; word; word = strtok(0, " ")) {
        const Move m = move_from_uci(p, word);
        if (!m) exit(8);
        position_make_move(p, p, m);
        if (has(f, "ep-lost")) p->ep = 0;
    }
}

static void speak_uci(const Faults *f) {
    static char line[8192];
    Position p;
    bool chess960 = false;
    fen_parse(&p, fen_start, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!strcmp(line, "uci") && !has(f, "silent-uci"))
            printf("id name faulty\n%suciok\n",
                   has(f, "no-960") ? "" : "option name UCI_Chess960 type check default false\n");
        if (!strcmp(line, "isready")) printf("readyok\n");
        if (!strncmp(line, "setoption name UCI_Chess960 value ", 34)) chess960 = !strcmp(line + 34, "true");
        if (!strncmp(line, "position ", 9)) set_position(f, &p, line + 9);
        if (!strncmp(line, "go perft ", 9)) divide(f, &p, atoi(line + 9), chess960);
        if (!strcmp(line, "quit")) return;
        fflush(stdout);
        if (has(f, "deaf")) close(0), pause();
    }
}

static void answer_perftree(const Faults *f, int argc, char **argv) {
    char text[4096];
    Position p;
    if (argc < 2) exit(64);
    snprintf(text, sizeof text, "fen %s%s%s", argv[1], argc > 2 ? " moves " : "", argc > 2 ? argv[2] : "");
    set_position(f, &p, text);
    divide(f, &p, atoi(argv[0]), false);
}

int main(int argc, char **argv) {
    const bool perftree = argc > 1 && !strcmp(argv[1], "--perftree");
    int n = 1 + perftree;
    while (n < argc && !(argv[n][0] >= '0' && argv[n][0] <= '9')) n++;
    const Faults f = {n - 1, argv + 1};
    if (perftree)
        answer_perftree(&f, argc - n, argv + n);
    else
        speak_uci(&f);
    return 0;
}
