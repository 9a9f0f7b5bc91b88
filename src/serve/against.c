/* SPDX-License-Identifier: MIT */
#include "serve/against.h"

#include "base/memory.h"
#include "base/time.h"
#include "compare/against.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "serve/answer.h"
#include "serve/divide.h"
#include "serve/served_game.h"
#include "serve/task.h"

struct AgainstTask {
    ServedGame game;
    PlayedPosition line; /* the same, as programs get it */
    char moves[PLAYED_MOVES_TEXT_MAX];
    const char *command;
    Opponent *opponent; /* NULL: no program */
    int depth;
    Divide divide;
    Task task;
};

/* A move as they spell it, or as we do where we know it. */
static void write_move(Json *j, const Position *p, const char *theirs, U128 count) {
    char ours[UCI_MAX];
    const Move m = move_from_uci(p, theirs);
    if (m) move_to_uci(p, m, false, ours);
    tabia_json_object(j, NULL);
    tabia_json_text(j, "move", m ? ours : theirs);
    tabia_json_count(j, "count", count);
    tabia_json_close(j);
}

static void send_divide(AgainstTask *t, Stream *stream, double seconds) {
    Answer a;
    if (!answer_begin(&a, "done")) return;
    Json *j = &a.json;
    tabia_json_count(j, "total", t->divide.total);
    tabia_json_real(j, "seconds", seconds);
    tabia_json_array(j, "moves");
    for (unsigned i = 0; i < t->divide.n; i++) write_move(j, &t->game.end, t->divide.move[i], t->divide.count[i]);
    tabia_json_close(j);
    answer_send(&a, stream);
}

static void ask(void *against, Stream *stream) {
    AgainstTask *t = against;
    TabiaError error;
    const DivideQuery query = {t->line.fen, t->moves, t->depth, t->line.chess960};
    const double began = tabia_clock_wall();
    if (opponent_divide(t->opponent, &query, &t->divide, &error))
        send_divide(t, stream, tabia_clock_wall() - began);
    else
        answer_send_error(stream, &error);
}

static bool is_over(void *against) {
    AgainstTask *t = against;
    return task_is_over(&t->task);
}

AgainstTask *against_task_create(const AgainstProgram *program) {
    TabiaError error;
    AgainstTask *t = tabia_aligned_get(_Alignof(AgainstTask), sizeof *t); /* positions are cache lines */
    if (!t) return NULL;
    *t = (AgainstTask){.command = program->command};
    if (!program->command) return t;
    t->opponent = opponent_new(program->command, program->protocol, program->seconds, &error);
    if (!t->opponent) return tabia_aligned_free(t), NULL;
    opponent_watch(t->opponent, is_over, t);
    return t;
}

void against_task_destroy(AgainstTask *t) {
    if (!t) return;
    task_end(&t->task);
    opponent_free(t->opponent);
    tabia_aligned_free(t);
}

void against_task_answer_name(void *against, HttpRequest *request) {
    const AgainstTask *t = against;
    Answer a;
    if (!answer_begin_reply(&a, request)) return;
    tabia_json_text(&a.json, "program", t->command);
    answer_reply(&a, request);
}

/* The game, and the same as programs get it: in our own words, whatever the request was. */
static bool read_game(AgainstTask *t, const HttpRequest *request, TabiaError *error) {
    char fen[FEN_MAX];
    if (!served_game_read(&t->game, request, error)) return false;
    if (t->game.n > PLAYED_MOVES_MAX) return tabia_fail(error, "more than %d moves", PLAYED_MOVES_MAX);
    fen_write(&t->game.start, FEN_STANDARD, fen);
    if (!played_position_begin(&t->line, fen, false, error)) return false;
    for (unsigned i = 0; i < t->game.n; i++) played_position_append(&t->line, t->game.moves[i]);
    played_position_moves(&t->line, 0, t->moves);
    return true;
}

void against_task_answer(void *against, HttpRequest *request) {
    AgainstTask *t = against;
    TabiaError error;
    uint64_t depth;
    task_end(&t->task);
    bool good = t->opponent || tabia_fail(&error, "no program was named: tabia serve --against PROGRAM");
    good = good && (http_number(request, "depth", 1, DIVIDE_DEPTH_MAX, 1, &depth) ||
                    tabia_fail(&error, "depth: a number from 1 to %d", DIVIDE_DEPTH_MAX));
    good = good && read_game(t, request, &error);
    if (!good) return answer_error(request, &error);
    t->depth = (int)depth;
    task_start(&t->task, request, HTTP_EVENTS, ask, t);
}
