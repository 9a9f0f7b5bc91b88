/* SPDX-License-Identifier: MIT */
/*
 * The search: principal variation search by iterative deepening, on any number of threads that share one transposition
 * table and one pawn table. It knows its game through game.h only.
 *
 *     Search *s = search_create(&settings, &error);
 *     search_set_position(s, &root, moves, n);
 *     search_start(s, &limits, &listener);      returns at once
 *     search_stop(s); search_wait(s);           listener.best was called exactly once
 *     search_destroy(s);
 *
 * One thread owns a Search and makes all calls; search_stop and search_ponderhit may come from any thread.
 */
#pragma once
#include "base/error.h"
#include "game.h"
#include "path_key.h"
#include "peers.h"
#include "score.h"

/* Of its keys. */
enum { SEARCH_IDENTITY = 20260921 };

/* Of a table of entries that is given to the search, shared with others or saved: of its keys and of the evaluations
   in it, so that no search believes those of another network. */
INLINE uint64_t search_table_identity(void) {
    return evaluation_identity() ^ SEARCH_IDENTITY;
}

typedef enum { SCHEME_LAZY, SCHEME_DEFERRAL } Scheme;

typedef struct {
    uint64_t hash_bytes, pawn_bytes;
    unsigned threads;
    Scheme scheme;
    HistoryKey history_key;
    EvaluationKind evaluation;
    TabiaIntegrity integrity; /* of both tables */
    unsigned locks;           /* if they are locked; as in TabiaOptions */
    const char *table_name;   /* shared with other processes, or NULL; the search keeps a copy */
    TabiaTable *table;        /* of entries, the caller's, who keeps it for as long as it is searched with, and clears
                                 it; NULL: one of its own, by what is above */
    const SearchPeers *peers; /* the caller's, or NULL; kept for as long as it is searched with */
    bool shadow;              /* counts false hits, for experiments: what the key's signature leaves out lies beside the
                                 path, for which the table has 32 bits, and history_key needs 8 at most (off, fifty,
                                 fifty-count). What the search believes is as without */
} SearchSettings;

/* 0 or false: no such limit. Times in milliseconds. */
typedef struct {
    int64_t time[2], increment[2];
    int moves_to_go;
    int64_t move_time;
    int depth, mate;
    uint64_t nodes, soft_nodes; /* soft: looked at between iterations only */
    bool infinite, ponder;
    bool may_ponder; /* the client lets the engine think while the opponent does: the clock lasts longer */
    int64_t overhead;
    unsigned multi_pv;
    unsigned search_moves_n; /* 0: all */
    Move search_moves[MOVES_MAX];
} SearchLimits;

/* What is known after an iteration, for each of the best lines. */
typedef struct {
    int depth, selective_depth, score;
    LineBound bound;
    unsigned number; /* from 1 */
    uint64_t nodes;
    int64_t milliseconds;
    unsigned hashfull;
    const Move *line;
    unsigned line_n;
} SearchReport;

typedef struct {
    void *context;
    void (*report)(void *context, const SearchReport *report);
    /* best is 0 if there is no legal move; ponder may be 0. Called by the search's own thread. */
    void (*best)(void *context, Move best, Move ponder);
} SearchListener;

/* What the last search thinks of a move of the root. */
typedef struct {
    Move move; /* 0: there is no legal one, and the score is that of mate or stalemate */
    int score;
    LineBound bound;
    int depth; /* of the last iteration that was finished */
} SearchAnswer;

/* NULL with an error if memory or tables cannot be had. */
Search *search_create(const SearchSettings *settings, TabiaError *error);
/* Stops what runs. NULL is fine. */
void search_destroy(Search *s);

/* Between searches. On failure false, and the search goes on with what it had. Where the form of the path keys changes,
   all entries are forgotten, and the position is to be set again; where the evaluation does, too, but for what is in a
   table of the caller's. */
bool search_configure(Search *s, const SearchSettings *settings, TabiaError *error);
/* Forgets everything learnt, for a new game: but for what is in a table of the caller's. */
void search_clear(Search *s);
/* The root and how the game came to it: up to n earlier positions' keys are taken from playing moves[] from start. */
void search_set_position(Search *s, const Position *start, const Move *moves, unsigned n);

/* The time for a move, with what pondering gains if the client lets the engine ponder. */
int64_t limits_with_ponder(const SearchLimits *l, int64_t time);

/* A request to stop (base/stop.h) ends it as search_stop does, unless it is infinite. */
void search_start(Search *s, const SearchLimits *limits, const SearchListener *listener);
void search_stop(Search *s);
/* As search_start and search_wait, but on the calling thread, which is one of the workers, and without reports: for
   many short searches, to which starting a thread is a cost. The limits must end it. */
void search_run(Search *s, const SearchLimits *limits);
/* After a search: its best move, and with several best lines (multi_pv) the second and so on, from 0. How many lines
   there are: as many as were asked for, or as there are legal moves. */
SearchAnswer search_answer(const Search *s, unsigned number);
unsigned search_answers(const Search *s);
void search_ponderhit(Search *s);
void search_wait(Search *s);
/* Is a search running that ends only when it is told? */
bool search_is_unbounded(const Search *s);

/* Of the last or the present search, with those of the peers. */
uint64_t search_nodes(const Search *s);
/* Without. */
uint64_t search_nodes_here(const Search *s);
/* Probes so far, of all searches, that found another position's entry; 0 without `shadow`. */
uint64_t search_false_hits(const Search *s);
const Position *search_root(const Search *s);
TabiaTable *search_table(Search *s);
const Zobrist *search_zobrist(const Search *s);
