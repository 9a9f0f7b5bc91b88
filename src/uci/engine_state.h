/* SPDX-License-Identifier: MIT */
/* The state of an engine. Private to src/uci. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "engine.h"
#include "mate/mate.h"
#include "search/search.h"
#include "tokenizer.h"

enum { ENGINE_FILE_NAME_MAX = 1000, ENGINE_LINE_MAX = 1 << 15 };

/* The values of the options (set_option.c). */
typedef struct {
    int64_t hash, threads, multi_pv, overhead, elo, nodes_time, eval_scale;
    bool ponder, chess960, show_wdl, limit_strength;
    int path_key, replacement, smp_mode, evaluation; /* the numbers of their values */
    const Network *network;                          /* NULL: the one that is built in */
    char hash_file[ENGINE_FILE_NAME_MAX], table_name[TOKEN_MAX];
} EngineOptions;

struct Engine {
    FILE *out, *log;
    pthread_mutex_t lock;     /* of the output, a line at a time */
    const EngineHooks *hooks; /* or NULL */
    EngineOptions options;
    Network *network;                        /* that was read, or NULL */
    char network_file[ENGINE_FILE_NAME_MAX]; /* its file */
    Search *search;
    Position start;
    Move *moves; /* of the game, from the start */
    unsigned moves_n;
    bool asks_mate;                   /* the client wants a mate, not a move */
    MateSolver *mates;                /* or NULL (go_mate.c) */
    MateSolution *mate;               /* what it has found */
    double mate_began, mate_reported; /* seconds */
    atomic_uint pending_stops;        /* in lines that are not executed yet */
    atomic_bool quits;                /* quit was read: tables that lines before it ask for are not touched */
    TabiaWatch watch;                 /* which says so */
    atomic_bool waiting;              /* for the end of a search; stored under wait_lock */
    pthread_mutex_t wait_lock;
    bool input_ended;                       /* guarded by wait_lock, and so are these: */
    unsigned ready_pending, ready_answered; /* isready in lines that are not executed yet, answered or not */
    bool ends;                              /* the search reaches its limit by itself; see go.c */
    bool resources_reported;                /* since an option changed */
    pthread_mutex_t auxiliary_lock;
    Search *auxiliary; /* the auxiliary search or NULL; guarded by auxiliary_lock */
};

/* Has a stop been received after the line being executed? Then bench, perft and genfens end. */
INLINE bool engine_stop_pending(Engine *e) {
    return atomic_load(&e->pending_stops) != 0;
}

/* ---- lifecycle.c ---- */

/*
 * An auxiliary search with default options, empty tables and that network (NULL: the one that is built in): its results
 * do not depend on options or earlier searches, and the user's table does not change. NULL: no memory, which was printed.
 */
Search *engine_create_auxiliary(Engine *e, const Network *network);
void engine_destroy_auxiliary(Engine *e);
/* From any thread; no effect without an auxiliary search. */
void engine_stop_auxiliary(Engine *e);

/* Waits for a search with a limit, or for a stop; stops one without. */
void engine_wait_for_search(Engine *e);
/* The thread that reads has come to the end: a search that does not end by itself has a second from now. */
void engine_end_input(Engine *e);
/* isready was read: it is answered at once where a line before it waits for a search that still runs. */
void engine_receive_ready(Engine *e);
/* That line is executed now: has it been answered? */
bool engine_ready_is_answered(Engine *e);

/* ---- arguments.c ---- */

typedef struct {
    int64_t min, max, otherwise;
} NumberBounds;
/* tokenizer_number, and an `info string` where `what` has no such number. */
int64_t engine_read_number(Engine *e, Tokenizer *w, const char *what, NumberBounds bounds);
/* The legal move that a token spells, in capitals or not; or 0. */
Move engine_read_move(const Position *p, const char *token);

/* ---- go.c ---- */

/* Starts a search, or a count, by the limits that the rest of the line gives. */
void engine_go(Engine *e, Tokenizer *w, const char *line);
/* Times in the rest of the line replace those of go, and count from now. */
void engine_ponderhit(Engine *e, Tokenizer *w, const char *line);

/* ---- output.c ---- */
void engine_print(Engine *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void engine_log(Engine *e, const char *prefix, const char *line);
/* In plies or in moves, as the client counts. */
int engine_mate_distance(int plies);
void engine_report_info(void *engine, const SearchReport *report);
void engine_report_move(void *engine, const SearchMoveReport *report);
void engine_report_best_move(void *engine, Move best, Move ponder);

/* ---- show.c ---- */
void engine_show_position(Engine *e);
void engine_show_evaluation(Engine *e);
/* Once after each change: the table's size and pages as obtained, threads and processors, and the kernel of perft. */
void engine_tell_resources(Engine *e);

/* ---- go_mate.c ---- */
/* Gives part of the table's memory to the solver; if there is none, which is printed, it finds nothing. */
void engine_begin_mates(Engine *e);
/* Gives it back. Between searches, as the other. */
void engine_end_mates(Engine *e);
/* The listener of a search that the solver replaces. */
bool engine_solve_mate(void *engine, const SearchLimits *limits);
void engine_report_mate(void *engine, Move best, Move ponder);

/* ---- go_perft.c ---- */
/* Counts the leaves `depth` plies (1 or more) below the root by src/perft, on the threads of the option Threads, without
   a table, and prints a divide in the order of the move generator. A stop ends it at once. */
void engine_perft(Engine *e, int depth);

/* ---- openings.c ---- */

/* genfens N seed S book FILE (None: no book). The same for all settings of the options, up to a stop. */
void engine_genfens(Engine *e, Tokenizer *w);

/* ---- set_option.c ---- */
void engine_default_options(EngineOptions *o);
void engine_print_options(Engine *e);
/* The tokens of `line` after its first. */
void engine_set_option(Engine *e, Tokenizer *w, const char *line);

/* ---- settings.c ---- */

SearchSettings engine_settings_from_options(const EngineOptions *o);
/* The settings of the user's search: with the hooks' table. */
SearchSettings engine_search_settings(const Engine *e);
/* Reduces the limits by UCI_LimitStrength and nodestime. */
void engine_limit_strength(Engine *e, SearchLimits *l);
/* Hands the options to the search. Where that fails they are those of before again, which is printed. */
void engine_configure(Engine *e, const EngineOptions *before);
/* Clears tables and histories. */
void engine_clear(Engine *e);
