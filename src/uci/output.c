/* SPDX-License-Identifier: MIT */
/* The output of the engine: lines, info of the search, best moves. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "engine_state.h"
#include "notation/move_text.h"
#include "protocol/engine_protocol.h"
#include "rules/movegen.h"
#include "search/wdl.h"

/* Requires the lock. A log that cannot be written is closed, and the client is informed. */
static void write_log(Engine *e, const char *prefix, const char *line) {
    if (!e->log) return;
    fprintf(e->log, "%s%s%s", prefix, line, line[0] && line[strlen(line) - 1] == '\n' ? "" : "\n");
    const int code = tabia_output_flush(e->log);
    if (!code) return;
    fclose(e->log);
    e->log = NULL;
    fprintf(e->out, "info string Debug Log File: cannot be written, so it is closed: %s\n", strerror(code));
    fflush(e->out);
}

void engine_log(Engine *e, const char *prefix, const char *line) {
    pthread_mutex_lock(&e->lock);
    write_log(e, prefix, line);
    pthread_mutex_unlock(&e->lock);
}

void engine_print(Engine *e, const char *format, ...) {
    char text[ENGINE_LINE_MAX + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&e->lock);
    fputs(text, e->out);
    fflush(e->out);
    write_log(e, "<< ", text);
    pthread_mutex_unlock(&e->lock);
}

static void append_wdl(char *text, size_t room, int score) {
    const ScoreChances c = score_chances(score);
    tabia_text_append(text, room, " wdl %d %d %d", c.win, c.draw, c.loss);
}

int engine_mate_distance(int plies) {
    return PROTOCOL_MATES_IN_PLIES ? plies : (plies + 1) / 2;
}

static void append_score(char *text, size_t room, int score) {
    if (score >= SCORE_MATE_MIN)
        tabia_text_append(text, room, " score mate %d", engine_mate_distance(SCORE_MATE - score));
    else if (score <= -SCORE_MATE_MIN)
        tabia_text_append(text, room, " score mate %d", -engine_mate_distance(SCORE_MATE + score));
    else
        tabia_text_append(text, room, " score cp %d", score);
}

/* A principal variation is printed as far as its moves are legal: entries of other threads are not trusted. */
static void append_pv(const Engine *e, char *text, size_t room, const SearchReport *r) {
    Position p = *search_root(e->search);
    tabia_text_append(text, room, r->pv_length ? " pv" : "");
    for (unsigned i = 0; i < r->pv_length; i++) {
        Move list[MOVES_MAX];
        unsigned n = moves_list(&p, list);
        while (n && list[n - 1] != r->pv[i]) n--;
        if (!n) return;
        char move[UCI_MAX];
        move_to_uci(&p, r->pv[i], e->options.chess960, move);
        tabia_text_append(text, room, " %s", move);
        position_make_move(&p, &p, r->pv[i]);
    }
}

void engine_report_info(void *engine, const SearchReport *r) {
    Engine *e = engine;
    assert(r->number >= 1 && r->hashfull <= 1000);
    char text[4096] = "info";
    tabia_text_append(text, sizeof text, " depth %d seldepth %d", r->depth, r->selective_depth);
    if (e->options.multi_pv > 1) tabia_text_append(text, sizeof text, " multipv %u", r->number);
    append_score(text, sizeof text, r->score);
    if (r->bound == TABIA_BOUND_LOWER) tabia_text_append(text, sizeof text, " lowerbound");
    if (r->bound == TABIA_BOUND_UPPER) tabia_text_append(text, sizeof text, " upperbound");
    if (e->options.show_wdl) append_wdl(text, sizeof text, r->score);
    const int64_t ms = r->milliseconds;
    tabia_text_append(text, sizeof text, " nodes %" PRIu64 " nps %" PRIu64 " hashfull %u time %" PRId64, r->nodes,
                      r->nodes * 1000 / (uint64_t)(ms > 0 ? ms : 1), r->hashfull, ms);
    append_pv(e, text, sizeof text, r);
    engine_print(e, "%s\n", text);
}

void engine_report_move(void *engine, const SearchMoveReport *r) {
    Engine *e = engine;
    char move[UCI_MAX];
    move_to_uci(search_root(e->search), r->move, e->options.chess960, move);
    engine_print(e, "info depth %d currmove %s currmovenumber %u\n", r->depth, move, r->number);
}

static void print_summary(Engine *e) {
    char text[1000] = "";
    if (e->hooks) e->hooks->summary(e->hooks->context, text, sizeof text);
    if (text[0]) engine_print(e, "info string %s\n", text);
}

void engine_report_best_move(void *engine, Move best, Move ponder) {
    Engine *e = engine;
    const Position *p = search_root(e->search);
    print_summary(e);
    if (game_may_declare_win(p)) {
        engine_print(e, "bestmove " PROTOCOL_WIN "\n");
        return;
    }
    if (!best) {
        engine_print(e, "bestmove " PROTOCOL_NO_MOVE "\n");
        return;
    }
    assert(move_is_legal(p, best));
    char move[UCI_MAX], second[UCI_MAX];
    Position next;
    move_to_uci(p, best, e->options.chess960, move);
    position_make_move(&next, p, best);
    if (ponder) move_to_uci(&next, ponder, e->options.chess960, second);
    engine_print(e, ponder ? "bestmove %s ponder %s\n" : "bestmove %s\n", move, second);
}
