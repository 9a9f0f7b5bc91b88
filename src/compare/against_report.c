/* SPDX-License-Identifier: MIT */
#include "against_report.h"

#include "base/text.h"
#include "notation/fen.h"
#include "notation/illegal.h"
#include "notation/move_text.h"
#include "notation/protocol.h"
#include "rules/movegen.h"

#include <assert.h>
#include <string.h>

static FenStyle style_of(const PlayedPosition *line) {
    return line->chess960 ? FEN_SHREDDER : FEN_STANDARD;
}

/* The position before the last k moves of the line. */
static Position before_last(const PlayedPosition *line, unsigned k) {
    Position p = line->start;
    assert(k <= line->n);
    for (unsigned i = 0; i + k < line->n; i++) position_make_move(&p, &p, line->move[i]);
    return p;
}

static bool is_listed(const Difference *f, unsigned i, Move *m) {
    assert(i < f->extra_count);
    *m = move_from_uci(&f->line.at, f->extra[i]);
    return *m != 0;
}

/* A move too many, as people write it, and what is wrong with it. */
static void explain_extra(const Difference *f, unsigned i, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    Move m;
    snprintf(why, ILLEGAL_WHY_MAX, "listed twice");
    if (is_listed(f, i, &m))
        move_to_san(&f->line.at, m, san);
    else
        illegal_move(&f->line.at, f->extra[i], san, why);
}

/* ---- text ---- */

static void print_where(FILE *out, const PlayedPosition *line) {
    char fen[FEN_MAX], moves[PLAYED_MOVES_TEXT_MAX];
    fen_write(&line->at, style_of(line), fen);
    fprintf(out, "  %-8s %s\n", protocol_words.position_name, fen);
    if (!line->n) return;
    played_position_moves(line, 0, moves);
    fprintf(out, "  from     %s\n  moves    %s\n", line->fen, moves);
}

static void print_lists(FILE *out, const Difference *f) {
    for (unsigned i = 0; i < f->missing_count; i++) {
        char uci[UCI_MAX], san[SAN_MAX];
        move_to_uci(&f->line.at, f->missing[i], f->line.chess960, uci);
        move_to_san(&f->line.at, f->missing[i], san);
        fprintf(out, "  missing  %-5s  %s\n", uci, san);
    }
    for (unsigned i = 0; i < f->extra_count; i++) {
        char san[ILLEGAL_SAN_MAX], why[ILLEGAL_WHY_MAX];
        explain_extra(f, i, san, why);
        fprintf(out, "  extra    %-5s  %s: %s\n", f->extra[i], san, why);
    }
}

/* Whether the list is wrong in the position alone, or only after moves played. */
static void print_cause(FILE *out, const Difference *f) {
    char fen[FEN_MAX], moves[PLAYED_MOVES_TEXT_MAX];
    if (!f->line.n) return;
    if (!f->moves_needed) {
        fprintf(out, "  cause    the moves of this position: the same when its %s alone is given\n",
                protocol_words.position_title);
        return;
    }
    const Position p = before_last(&f->line, f->moves_needed);
    fen_write(&p, style_of(&f->line), fen);
    played_position_moves(&f->line, f->line.n - f->moves_needed, moves);
    fprintf(out, "  cause    playing moves: right when the %s alone is given, wrong after\n",
            protocol_words.position_title);
    fprintf(out, "           %s %s moves %s\n", protocol_words.position, fen, moves);
}

static void print_counts(FILE *out, const Difference *f) {
    char ours[U128_TEXT_MAX], theirs[U128_TEXT_MAX], uci[UCI_MAX] = "";
    tabia_u128_text(f->ours, ours);
    tabia_u128_text(f->theirs, theirs);
    if (f->type == DIFFERENCE_COUNT) move_to_uci(&f->line.at, f->move, f->line.chess960, uci);
    fprintf(out, "  depth    %d\n  count    %s%s%s here, %s there\n", f->depth, uci, *uci ? " " : "", ours, theirs);
}

void against_print(FILE *out, const Difference *f, const char *command) {
    switch (f->type) {
    case DIFFERENCE_MOVES:
        fprintf(out, "%s has other moves in this position:\n", command);
        print_where(out, &f->line);
        print_lists(out, f);
        print_cause(out, f);
        break;
    case DIFFERENCE_COUNT:
        fprintf(out, "%s counts wrong below a move, though right once that move is played:\n", command);
        if (f->depth == 1) fprintf(out, "  (at depth 1 every move counts 1)\n");
        print_where(out, &f->line);
        print_counts(out, f);
        break;
    case DIFFERENCE_TOTAL:
        fprintf(out, "%s adds wrongly: moves and counts are right, their total is not:\n", command);
        print_where(out, &f->line);
        print_counts(out, f);
        break;
    case DIFFERENCE_NONE:
        break;
    }
}

/* ---- JSON ---- */

static void json_lists(Json *j, const Difference *f) {
    tabia_json_array(j, "missing");
    for (unsigned i = 0; i < f->missing_count; i++) {
        char uci[UCI_MAX], san[SAN_MAX];
        move_to_uci(&f->line.at, f->missing[i], f->line.chess960, uci);
        move_to_san(&f->line.at, f->missing[i], san);
        tabia_json_object(j, 0);
        tabia_json_text(j, protocol_words.word, uci);
        tabia_json_text(j, "san", san);
        tabia_json_close(j);
    }
    tabia_json_close(j);
    tabia_json_array(j, "extra");
    for (unsigned i = 0; i < f->extra_count; i++) {
        char san[ILLEGAL_SAN_MAX], why[ILLEGAL_WHY_MAX];
        explain_extra(f, i, san, why);
        tabia_json_object(j, 0);
        tabia_json_text(j, protocol_words.word, f->extra[i]);
        tabia_json_text(j, "san", san);
        tabia_json_text(j, "why", why);
        tabia_json_close(j);
    }
    tabia_json_close(j);
    tabia_json_integer(j, "moves_needed", f->moves_needed);
}

void against_json(Json *j, const Difference *f) {
    static const char *const names[] = {"nothing", "moves", "count", "total"};
    char fen[FEN_MAX], text[PLAYED_MOVES_TEXT_MAX];
    tabia_json_text(j, "found", names[f->type]);
    if (f->type == DIFFERENCE_NONE) return;
    fen_write(&f->line.at, style_of(&f->line), fen);
    played_position_moves(&f->line, 0, text);
    tabia_json_text(j, protocol_words.position_name, fen);
    tabia_json_text(j, "from", f->line.fen);
    tabia_json_text(j, "moves", text);
    tabia_json_integer(j, "depth", f->depth);
    if (f->type == DIFFERENCE_MOVES) {
        json_lists(j, f);
        return;
    }
    if (f->type == DIFFERENCE_COUNT) {
        move_to_uci(&f->line.at, f->move, f->line.chess960, text);
        tabia_json_text(j, "move", text);
    }
    tabia_json_count(j, "ours", f->ours);
    tabia_json_count(j, "theirs", f->theirs);
}
