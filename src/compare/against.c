/* SPDX-License-Identifier: MIT */
#include "against.h"

#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/time.h"
#include "epd.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/protocol.h"
#include "rules/movegen.h"

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

/* ---- a finding in words ---- */

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

static void against_print(FILE *out, const Difference *f, const char *command) {
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

/* ---- a finding as members of the JSON object that is open ---- */

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

static void against_json(Json *j, const Difference *f) {
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

typedef struct {
    const AgainstOptions *o;
    Opponent *opponent;
    Json json;
    Progress progress;
    U128 nodes;
    double began;
    unsigned positions, questions, left_out, differ, failed, bad;
    bool stopped;
    TabiaError
        cause; /* nothing was compared to the end: the one position, or with a program that answers no query at all */
} AgainstRun;

/* ---- one position ---- */

static void json_begin(AgainstRun *r) {
    tabia_json_document(&r->json, r->o->suite.out, r->o->suite.json);
    tabia_json_text(&r->json, "against", r->o->command);
    if (r->o->suite.file_name) tabia_json_text(&r->json, "suite", r->o->suite.file_name);
    tabia_json_array(&r->json, "compared");
}

static void json_position(AgainstRun *r, const PlayedPosition *line, unsigned number, int depth, const Difference *f,
                          const char *error) {
    tabia_json_object(&r->json, 0);
    if (number) tabia_json_integer(&r->json, "line", number);
    tabia_json_text(&r->json, "position", line->fen);
    tabia_json_integer(&r->json, "asked_depth", depth);
    against_json(&r->json, f);
    if (error) tabia_json_text(&r->json, "fault", error);
    tabia_json_close(&r->json);
}

static void show_progress(AgainstRun *r) {
    char positions[40];
    snprintf(positions, sizeof positions, "%u positions", r->positions);
    tabia_progress_update(&r->progress, (double)r->nodes, -1, positions);
}

/* Compares from a line on, and prints what comes of it; `number` is its line in the suite, 0 without one. */
static void run_line(AgainstRun *r, const PlayedPosition *line, unsigned number, int depth) {
    Difference f;
    TabiaError error;
    const bool good = against_search(r->o, r->opponent, line, depth, &f, &error);
    assert(!r->stopped);
    r->positions++;
    r->questions += f.questions;
    r->nodes += f.nodes;
    if (!good && tabia_stop_requested()) r->stopped = true;
    if (f.type != DIFFERENCE_NONE) r->differ++;
    if (!good && !r->stopped) r->failed++;
    if (r->o->suite.json) {
        json_position(r, line, number, depth, &f, good ? 0 : r->stopped ? "stopped" : error.text);
    } else if (f.type != DIFFERENCE_NONE) {
        tabia_progress_end(&r->progress);
        if (number) fprintf(r->o->suite.out, "%s:%u: ", r->o->suite.file_name, number);
        against_print(r->o->suite.out, &f, r->o->command);
    }
    if (!good && !r->stopped && (!number || opponent_is_unusable(r->opponent))) {
        r->cause = error;
    } else if (!good && !r->stopped) {
        tabia_progress_end(&r->progress);
        if (number) fprintf(r->o->suite.messages, "%s:%u: ", r->o->suite.file_name, number);
        fprintf(r->o->suite.messages, "%s\n", error.text);
    }
    if (r->progress.unit) show_progress(r);
}

/* Plays --moves. */
static bool play_moves(PlayedPosition *line, const char *moves, TabiaError *error) {
    static const char blanks[] = " \t\r\n";
    Position check = line->start;
    if (!moves || !*moves) return true;
    if (!position_make_moves(&check, moves, error)) return false;
    while (*(moves += strspn(moves, blanks))) {
        char word[32];
        const size_t length = strcspn(moves, blanks);
        snprintf(word, sizeof word, "%.*s", (int)length, moves);
        moves += length;
        /* a move number, "1." or "12...Nf6": position_play_text has let it pass */
        const char *move = word + strspn(word, "0123456789");
        move = move > word && *move == '.' ? move + strspn(move, ".") : word;
        if (!*move) continue;
        if (line->n == PLAYED_MOVES_MAX / 2) return tabia_fail(error, "--moves: more than %d", PLAYED_MOVES_MAX / 2);
        const Move m = move_from_text(&line->at, move, error);
        if (!m) return false;
        played_position_append(line, m);
    }
    return true;
}

static bool run_position(AgainstRun *r, TabiaError *error) {
    PlayedPosition line;
    if (!played_position_begin(&line, r->o->fen ? r->o->fen : fen_start, r->o->chess960, error)) return false;
    if (!play_moves(&line, r->o->moves, error)) return false;
    if (r->o->suite.json) json_begin(r);
    run_line(r, &line, 0, r->o->depth);
    return true;
}

/* ---- a suite ---- */

/* The deepest of the known depths that is not too much; 0 if all are. */
static int deepest_depth(const EpdEntry *e, U128 max_nodes) {
    int depth = 0;
    for (unsigned i = 0; i < e->n; i++)
        if ((!max_nodes || e->known[i].count <= max_nodes) && e->known[i].depth > depth) depth = e->known[i].depth;
    return depth;
}

static void run_entry(AgainstRun *r, const EpdEntry *e) {
    PlayedPosition line;
    const int depth = deepest_depth(e, r->o->suite.max_nodes);
    if (!depth)
        r->left_out++;
    else if (played_position_begin(&line, e->fen, e->chess960 || r->o->chess960, NULL))
        run_line(r, &line, e->line, depth);
}

static bool run_suite(AgainstRun *r, TabiaError *error) {
    EpdFile file;
    EpdEntry e;
    if (!epd_open(&file, r->o->suite.file_name, r->o->suite.messages, error)) return false;
    tabia_progress_begin(&r->progress, r->o->suite.progress, "nodes");
    tabia_progress_every(&r->progress, r->o->suite.every);
    if (r->o->suite.json) json_begin(r);
    while (!r->stopped && !opponent_is_unusable(r->opponent) && epd_next(&file, &e)) run_entry(r, &e);
    r->bad = file.bad;
    epd_close(&file);
    if (r->positions || r->left_out || r->bad) return true;
    tabia_json_discard(&r->json);
    return tabia_fail(error, "%s: no position in it", r->o->suite.file_name);
}

/* ---- the sum ---- */

/* "no difference" is said of what was answered, and of nothing else. */
static void print_verdict(const AgainstRun *r, FILE *out) {
    assert(r->failed <= r->positions && r->differ <= r->positions);
    const unsigned answered = r->positions - r->failed;
    if (r->differ)
        fprintf(out, "%u differ%s", r->differ, r->differ == 1 ? "s" : "");
    else if (!r->failed)
        fprintf(out, "no difference");
    else if (answered)
        fprintf(out, "no difference in the %u answered", answered);
    else
        fprintf(out, "nothing compared");
    if (r->failed) fprintf(out, ", %u not answered", r->failed);
}

static void print_summary(const AgainstRun *r) {
    char nodes[U128_TEXT_MAX], time[SHORT_TEXT_MAX];
    FILE *out = r->o->suite.out;
    tabia_u128_text(r->nodes, nodes);
    tabia_duration_text(tabia_clock_wall() - r->began, time);
    fprintf(out, "%u position%s", r->positions, r->positions == 1 ? "" : "s");
    if (r->left_out) fprintf(out, " (%u left out)", r->left_out);
    fprintf(out, ", %u question%s, %s nodes in %s: ", r->questions, r->questions == 1 ? "" : "s", nodes, time);
    print_verdict(r, out);
    if (r->bad) fprintf(out, ", %u bad line%s", r->bad, r->bad == 1 ? "" : "s");
    fprintf(out, "%s\n", r->stopped ? "; stopped before the end" : "");
}

static void json_summary(AgainstRun *r) {
    tabia_json_close(&r->json);
    tabia_json_integer(&r->json, "positions", r->positions);
    tabia_json_integer(&r->json, "left_out", r->left_out);
    tabia_json_integer(&r->json, "questions", r->questions);
    tabia_json_integer(&r->json, "differ", r->differ);
    tabia_json_integer(&r->json, "not_answered", r->failed);
    tabia_json_integer(&r->json, "bad_lines", r->bad);
    tabia_json_count(&r->json, "nodes", r->nodes);
    tabia_json_real(&r->json, "seconds", tabia_clock_wall() - r->began);
    tabia_json_boolean(&r->json, "complete", !r->stopped);
}

static bool print_end(AgainstRun *r, TabiaError *error) {
    tabia_progress_end(&r->progress);
    if (r->o->suite.json) {
        json_summary(r);
        return tabia_json_end(&r->json, error);
    }
    if (!r->cause.text[0] || r->differ) print_summary(r);
    return true;
}

int against_run(const AgainstOptions *o, TabiaError *error) {
    AgainstRun r = {.o = o, .began = tabia_clock_wall()};
    error->text[0] = '\0';
    r.opponent = opponent_new(o->command, o->protocol, o->seconds, error);
    if (!r.opponent) return 3;
    const bool good = o->suite.file_name ? run_suite(&r, error) : run_position(&r, error);
    opponent_free(r.opponent);
    if (!good) return 2;
    if (!print_end(&r, error)) return 3;
    if (r.stopped) return 130;
    if (r.cause.text[0]) *error = r.cause;
    return r.differ ? 1 : r.failed ? 3 : r.bad ? 2 : 0;
}
