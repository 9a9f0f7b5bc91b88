/* SPDX-License-Identifier: MIT */
/*
 * The command "go mate": src/mate, under the limits of a search and in its place. In USI it asks for a mate by checks, and
 * for no move. In UCI it asks for a mate in N moves of any kind; where none is proven by half of the time, and by MATE_NODES,
 * the search finds a move.
 *
 * The solver's records share the memory of the option Hash with the search's entries, which are lost: from the first "go
 * mate" to the next search without one, game or option the entries have a sixteenth of it, in UCI half.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "engine_state.h"
#include "notation/move_text.h"

enum { MATE_NODES = 1 << 20 };

void engine_begin_mates(Engine *e) {
    TabiaError error;
    if (e->mates) return;
    SearchSettings entries = engine_search_settings(e);
    MateSettings records = {.hash_bytes = entries.hash_bytes, .threads = entries.threads, .all_moves = !e->asks_mate};
    entries.hash_bytes /= e->asks_mate ? 16 : 2, entries.table_name = NULL;
    records.hash_bytes -= entries.hash_bytes;
    if (search_configure(e->search, &entries, &error)) e->mates = mate_create(&records, &error);
    if (e->mates) return;
    engine_end_mates(e);
    engine_print(e, "info string go mate: %s\n", error.text);
}

void engine_end_mates(Engine *e) {
    TabiaError error;
    const SearchSettings settings = engine_search_settings(e);
    mate_destroy(e->mates);
    e->mates = NULL;
    if (!search_configure(e->search, &settings, &error)) engine_print(e, "info string %s\n", error.text);
}

/* ---- a search ---- */

static bool is_over(void *engine, uint64_t nodes) {
    return search_is_over(((Engine *)engine)->search, nodes);
}

static void append_counts(char *text, size_t room, uint64_t nodes, double seconds, unsigned hashfull) {
    tabia_text_append(text, room, " nodes %" PRIu64 " nps %.0f hashfull %u time %.0f", nodes,
                      (double)nodes / (seconds > 1e-3 ? seconds : 1e-3), hashfull, seconds * 1000);
}

/* Each second. */
static void report(void *engine, uint64_t nodes) {
    Engine *e = engine;
    char text[200] = "info";
    const double now = tabia_clock_wall();
    if (now - e->mate_reported < 1) return;
    e->mate_reported = now;
    append_counts(text, sizeof text, nodes, now - e->mate_began, mate_hashfull(e->mates));
    engine_print(e, "%s\n", text);
}

static void write_line(const Engine *e, char *text, size_t room) {
    Position p = *search_root(e->search);
    text[0] = '\0';
    for (unsigned i = 0; i < e->mate->moves; i++) {
        char move[UCI_MAX];
        move_to_uci(&p, e->mate->line[i], e->options.chess960, move);
        tabia_text_append(text, room, " %s", move);
        position_make_move(&p, &p, e->mate->line[i]);
    }
}

/* What the search does not have to look for. */
static bool is_answered(Engine *e, const SearchLimits *l) {
    if (!e->asks_mate && e->mate->result == MATE_NONE && !l->search_moves_n)
        engine_print(e, "info string there is no mate in %d\n", l->mate);
    if (!e->asks_mate) return e->mate->result == MATE_FOUND;
    if (e->mate->result == MATE_NONE && (l->depth || l->search_moves_n))
        e->mate->result = MATE_UNKNOWN; /* nothing is proven of other moves, and of longer mates */
    return true;
}

bool engine_solve_mate(void *engine, const SearchLimits *l) {
    Engine *e = engine;
    TabiaError error;
    const bool asks = e->asks_mate;
    const MateLimits limits = {.plies = (unsigned)(asks ? l->depth : 2 * l->mate - 1),
                               .nodes = asks ? 0 : MATE_NODES,
                               .seconds = asks ? 0 : (double)l->move_time / 2000,
                               .is_over = is_over,
                               .progress = report,
                               .context = e,
                               .start = &e->start,
                               .moves = e->moves,
                               .moves_n = e->moves_n,
                               .root_moves = l->search_moves,
                               .root_moves_n = l->search_moves_n};
    e->mate_began = e->mate_reported = tabia_clock_wall();
    if (!e->mates) return asks;
    e->mate = mate_solve(e->mates, search_root(e->search), &limits, &error);
    if (!e->mate) return engine_print(e, "info string go mate: %s\n", error.text), asks;
    if (is_answered(e, l)) return true;
    mate_solution_destroy(e->mate);
    e->mate = NULL;
    return false;
}

void engine_report_mate(void *engine, Move best, Move ponder) {
    Engine *e = engine;
    const MateSolution *s = e->mate;
    const bool found = s && s->result == MATE_FOUND;
    char text[ENGINE_LINE_MAX] = "info", line[ENGINE_LINE_MAX] = " timeout";
    if (s && s->result == MATE_NONE) strcpy(line, " nomate");
    if (found) {
        best = s->line[0], ponder = s->moves > 1 ? s->line[1] : 0;
        write_line(e, line, sizeof line);
        tabia_text_append(text, sizeof text, " depth %u score mate %d", s->plies, engine_mate_distance((int)s->plies));
    }
    if (s) {
        append_counts(text, sizeof text, s->nodes, s->seconds, s->hashfull);
        engine_print(e, found ? "%s pv%s\n" : "%s\n", text, line);
    }
    if (e->asks_mate)
        engine_print(e, "checkmate%s\n", line);
    else
        engine_report_best_move(e, best, ponder);
    mate_solution_destroy(e->mate);
    e->mate = NULL;
}
