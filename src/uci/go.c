/* SPDX-License-Identifier: MIT */
/*
 * The command "go": the limits of a search. A limit that was given never means a search without end: one that cannot be
 * read is the least of its kind, and an `info string` names it.
 */
#include <string.h>

#include "engine_state.h"
#include "protocol/engine_protocol.h"

/* Those before GO_MOVETIME are of a clock, those before GO_DEPTH of time: what ponderhit knows. */
typedef enum {
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_BYOYOMI,
    GO_MOVESTOGO,
    GO_MOVETIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_PERFT,
    GO_NUMBERS
} GoNumber;

enum { DEPTH_REACHED_MAX = 40 };
#define GO_TIME_MAX ((int64_t)1 << 40) /* milliseconds; what is computed from it fits 64 bits */

static const struct {
    const char *name;
    int64_t min, max;
} go_numbers[GO_NUMBERS] = {
    [GO_WTIME] = {"wtime", 0, GO_TIME_MAX},
    [GO_BTIME] = {"btime", 0, GO_TIME_MAX},
    [GO_WINC] = {"winc", 0, GO_TIME_MAX},
    [GO_BINC] = {"binc", 0, GO_TIME_MAX},
    [GO_BYOYOMI] = {PROTOCOL_GO_BYOYOMI, 0, GO_TIME_MAX},
    [GO_MOVESTOGO] = {"movestogo", 0, 10000},
    [GO_MOVETIME] = {"movetime", 1, GO_TIME_MAX},
    [GO_DEPTH] = {"depth", 1, PLY_MAX - 1},
    [GO_NODES] = {"nodes", 1, INT64_MAX},
    [GO_MATE] = {"mate", 1, PROTOCOL_MATE_IS_TIMED ? GO_TIME_MAX : PLY_MAX / 2},
    [GO_PERFT] = {"perft", 1, 60},
};

/* What a line says. */
typedef struct {
    const char *command; /* go or ponderhit */
    int numbers;         /* how many of the list it knows; all of them: the other words of go, too */
    bool given[GO_NUMBERS];
    int64_t number[GO_NUMBERS]; /* 0: not given, or without a limit */
    bool unknown;               /* a word that is none of these */
    SearchLimits limits;
} GoRequest;

/* ---- reading ---- */

static int find_number(const Tokenizer *w, const GoRequest *r) {
    for (int i = 0; i < r->numbers; i++)
        if (go_numbers[i].name && tokenizer_is(w, go_numbers[i].name)) return i;
    return -1;
}

static bool is_keyword(const Tokenizer *w, const GoRequest *r) {
    return find_number(w, r) >= 0 ||
           (r->numbers == GO_NUMBERS &&
            (tokenizer_is(w, "infinite") || tokenizer_is(w, "ponder") || tokenizer_is(w, "searchmoves")));
}

/* What follows a keyword; a keyword after it is not its number. */
static void read_number(Engine *e, Tokenizer *w, GoRequest *r, int i) {
    Tokenizer ahead = *w, nothing = {.cursor = ""};
    char what[32];
    snprintf(what, sizeof what, "%s: %s", r->command, go_numbers[i].name);
    r->given[i] = true;
    const bool missing = tokenizer_next(&ahead) && is_keyword(&ahead, r);
    if (i == GO_MATE && PROTOCOL_MATE_IS_TIMED && missing && tokenizer_is(&ahead, "infinite")) {
        *w = ahead;
        return;
    }
    r->number[i] = engine_read_number(e, missing ? &nothing : w, what,
                                      (NumberBounds){go_numbers[i].min, go_numbers[i].max, go_numbers[i].min});
}

static void add_search_move(SearchLimits *l, Move m) {
    for (unsigned i = 0; i < l->search_moves_n; i++)
        if (l->search_moves[i] == m) return;
    assert(l->search_moves_n < MOVES_MAX);
    l->search_moves[l->search_moves_n++] = m;
}

/* All tokens up to a keyword. */
static void read_search_moves(Engine *e, Tokenizer *w, GoRequest *r) {
    SearchLimits *l = &r->limits;
    for (Tokenizer ahead = *w; tokenizer_next(&ahead) && !is_keyword(&ahead, r); *w = ahead) {
        const Move m = engine_read_move(search_root(e->search), ahead.token);
        if (m)
            add_search_move(l, m);
        else
            engine_print(e, "info string go: searchmoves: '%s' is not a legal move, and is left out\n", ahead.token);
    }
    if (!l->search_moves_n)
        engine_print(e, "info string go: searchmoves: no legal move is named, so all are searched\n");
}

static void read_request(Engine *e, Tokenizer *w, GoRequest *r) {
    r->limits.overhead = e->options.overhead, r->limits.multi_pv = (unsigned)e->options.multi_pv;
    r->limits.may_ponder = e->options.ponder;
    while (tokenizer_next(w)) {
        const int i = find_number(w, r);
        if (i >= 0)
            read_number(e, w, r, i);
        else if (!is_keyword(w, r))
            engine_print(e, "info string %s: what is '%s'?\n", r->command, w->token), r->unknown = true;
        else if (tokenizer_is(w, "infinite"))
            r->limits.infinite = true;
        else if (tokenizer_is(w, "ponder"))
            r->limits.ponder = true;
        else
            read_search_moves(e, w, r);
    }
}

/* ---- limits ---- */

static bool has_clock(const GoRequest *r) {
    for (int i = 0; i < GO_MOVETIME; i++)
        if (r->given[i]) return true;
    return false;
}

/* A time of 0 is used up, and none is no limit. */
static int64_t time_left(const GoRequest *r, GoNumber i) {
    return r->given[i] && !r->number[i] ? 1 : r->number[i];
}

static void set_times(GoRequest *r) {
    SearchLimits *l = &r->limits;
    l->time[WHITE] = time_left(r, GO_WTIME), l->time[BLACK] = time_left(r, GO_BTIME);
    l->increment[WHITE] = r->number[GO_WINC], l->increment[BLACK] = r->number[GO_BINC];
    l->byoyomi = r->number[GO_BYOYOMI], l->moves_to_go = (int)r->number[GO_MOVESTOGO];
    l->move_time = r->number[GO_MOVETIME];
}

static void set_mate(Engine *e, GoRequest *r) {
    SearchLimits *l = &r->limits;
    if (!r->given[GO_MATE]) return;
    if (!PROTOCOL_MATE_IS_TIMED) {
        l->mate = (int)r->number[GO_MATE];
        return;
    }
    e->asks_mate = true;
    if (!l->move_time || (r->number[GO_MATE] && r->number[GO_MATE] < l->move_time)) l->move_time = r->number[GO_MATE];
}

/* A search for a mate in N ends where a longer one would be found. */
static int mate_depth(int moves) {
    return moves > (PLY_MAX - 7) / 2 ? PLY_MAX - 1 : 2 * moves + 6;
}

/* A search that has no other end has one if the line asked for any, or waits for a stop. */
static void set_end(const Engine *e, GoRequest *r) {
    SearchLimits *l = &r->limits;
    if (l->infinite || e->asks_mate || limits_are_timed(l) || l->depth || l->nodes) return;
    if (l->mate)
        l->depth = mate_depth(l->mate);
    else if (has_clock(r) || r->unknown)
        l->depth = 1;
    else if (!l->ponder)
        l->infinite = true;
}

/* A follower searches until it is stopped. */
static void remove_limits(SearchLimits *l) {
    l->time[0] = l->time[1] = l->increment[0] = l->increment[1] = l->byoyomi = l->move_time = 0;
    l->nodes = l->soft_nodes = 0;
    l->mate = 0;
    l->ponder = false, l->infinite = true;
}

/* A mate may not be there, and a great depth is never reached. */
static bool ends_by_itself(const SearchLimits *l) {
    return limits_are_timed(l) || l->nodes || (!l->mate && l->depth <= DEPTH_REACHED_MAX);
}

static void set_limits(Engine *e, GoRequest *r) {
    SearchLimits *l = &r->limits;
    l->depth = (int)r->number[GO_DEPTH], l->nodes = (uint64_t)r->number[GO_NODES];
    set_times(r);
    set_mate(e, r);
    engine_limit_strength(e, l);
    set_end(e, r);
    if (!e->asks_mate && game_may_declare_win(search_root(e->search))) l->depth = 1; /* no move is better */
    if (e->hooks && e->hooks->is_follower) remove_limits(l);
    e->ends = ends_by_itself(l);
}

/* May the solver look for the mate before the search does? Not on a clock or so many nodes, and not where tables are others'. */
static bool may_prove_mate(const Engine *e, const GoRequest *r) {
    const SearchLimits *l = &r->limits;
    return l->mate && l->multi_pv == 1 && !l->nodes && !has_clock(r) && !e->hooks;
}

void engine_go(Engine *e, Tokenizer *w, const char *line) {
    GoRequest r = {.command = "go", .numbers = GO_NUMBERS};
    search_wait(e->search);
    e->asks_mate = false;
    read_request(e, w, &r);
    if (r.given[GO_PERFT]) {
        engine_perft(e, (int)r.number[GO_PERFT]);
        return;
    }
    if (e->hooks && !e->options.limit_strength)
        e->hooks->command(e->hooks->context, line); /* limited strength: this process alone */
    set_limits(e, &r);
    const bool solves = e->asks_mate || may_prove_mate(e, &r);
    const SearchListener listener = {.context = e,
                                     .report = engine_report_info,
                                     .best = solves ? engine_report_mate : engine_report_best_move,
                                     .move = engine_report_move,
                                     .move_after = 3000,
                                     .instead = solves ? engine_solve_mate : NULL};
    assert(r.limits.multi_pv >= 1 && r.limits.search_moves_n <= MOVES_MAX);
    if (!solves && e->mates) engine_end_mates(e);
    engine_tell_resources(e);
    if (solves) engine_begin_mates(e);
    search_start(e->search, &r.limits, &listener);
}

void engine_ponderhit(Engine *e, Tokenizer *w, const char *line) {
    GoRequest r = {.command = "ponderhit", .numbers = GO_DEPTH};
    (void)line;
    read_request(e, w, &r);
    set_times(&r);
    SearchLimits *l = &r.limits;
    const bool none_read = has_clock(&r) || (r.unknown && !search_has_limit(e->search));
    if (none_read && !limits_are_timed(l)) l->time[0] = l->time[1] = 1;
    if (search_is_pondering(e->search))
        search_ponderhit(e->search, limits_are_timed(l) ? l : NULL);
    else
        engine_print(e, "info string ponderhit: no search is pondering\n");
}
