/* SPDX-License-Identifier: MIT */
/*
 * The search: principal variation search by iterative deepening, on any number of threads that share one transposition
 * table. It knows its game through game.h only.
 *
 *     Search *s = search_create(&settings, &error);
 *     search_set_position(s, &root, moves, n);
 *     search_start(s, &limits, &listener);      returns at once
 *     search_stop(s); search_wait(s);           listener.best was called exactly once
 *     search_destroy(s);
 *
 * One thread owns a Search and makes all calls; search_stop may come from any thread.
 */
#pragma once
#include "base/error.h"
#include "game.h"
#include "peers.h"
#include "score.h"

/* The seed of the search's Zobrist keys. */
enum { SEARCH_IDENTITY = 20260921 };

/*
 * The identity of a table of entries: of the keys and of the evaluation that it holds values of, so that a search never
 * uses entries of another network. For tables that are passed to a search, shared between processes or saved.
 */
INLINE uint64_t search_table_identity(EvaluationType evaluation, const Network *network) {
    return evaluation_identity(evaluation, network) ^ SEARCH_IDENTITY;
}

/* How threads share the work, besides the table: they spread over depths, or share moves at split points. */
typedef enum { SMP_LAZY, SMP_SPLIT, SMP_MODES } SmpMode;
const char *smp_mode_name(SmpMode mode);

typedef struct {
    uint64_t hash_bytes;
    unsigned threads;
    SmpMode smp_mode;
    PathKeyForm path_key;
    EvaluationType evaluation;
    const Network *network;       /* owned by the caller, and must outlive its use; NULL: the one that is built in */
    TabiaReplacement replacement; /* of the table of entries */
    const char *table_name;       /* name of a table shared between processes, or NULL; copied */
    TabiaTable *table;            /* owned and cleared by the caller, or NULL: the search makes one */
    const SearchPeers *peers;     /* owned by the caller, or NULL; must outlive the search */
    const TabiaWatch *watch;      /* when it ends, a table's memory is provided later; NULL: a request to stop fails */
} SearchSettings;

/* The limits of a search. 0 or false: no such limit. Times in milliseconds. */
typedef struct {
    int64_t time[2], increment[2];
    int64_t byoyomi; /* for each move, after the time is used up */
    int moves_to_go;
    int64_t move_time;
    int depth, mate;
    uint64_t nodes, soft_nodes; /* soft: tested between iterations only */
    bool infinite, ponder;
    bool may_ponder; /* the client lets the engine ponder: more time can be spent on a move */
    int64_t overhead;
    unsigned multi_pv;
    unsigned search_moves_n; /* 0: all */
    Move search_moves[MOVES_MAX];
} SearchLimits;

/* Is there a limit of time? */
INLINE bool limits_are_timed(const SearchLimits *l) {
    return l->move_time || l->byoyomi || l->time[0] || l->time[1] || l->increment[0] || l->increment[1];
}

/* The state after an iteration, for each of the best lines. */
typedef struct {
    int depth, selective_depth, score;
    TabiaBound bound;
    unsigned number; /* from 1 */
    uint64_t nodes;
    int64_t milliseconds;
    unsigned hashfull;
    const Move *pv;
    unsigned pv_length;
} SearchReport;

/* The root move that is about to be searched. */
typedef struct {
    int depth;
    Move move;
    unsigned number; /* from 1, in the order of this iteration */
} SearchMoveReport;

/* Any function may be NULL. */
typedef struct {
    void *context;
    void (*report)(void *context, const SearchReport *report);
    /* best is 0 if there is no legal move; ponder may be 0. Called by the thread that controls the search. */
    void (*best)(void *context, Move best, Move ponder);
    /* Called by the first thread, once so many milliseconds have passed. */
    void (*move)(void *context, const SearchMoveReport *report);
    int64_t move_after;
    /* Called by the thread that controls the search, before it: limits, stop and ponderhit apply to this, which asks
       search_is_over. True: best is called without a move, and nothing is searched. */
    bool (*instead)(void *context, const SearchLimits *limits);
} SearchListener;

/* The result of the last search for a root move. */
typedef struct {
    Move move; /* 0: no legal move, and the score is that of mate or stalemate */
    int score;
    TabiaBound bound;
    int depth; /* of the last completed iteration */
} SearchResult;

/* NULL with an error if memory or tables cannot be allocated. */
Search *search_create(const SearchSettings *settings, TabiaError *error);
/* Stops a running search and frees everything. NULL is allowed. */
void search_destroy(Search *s);

/*
 * Changes the settings; only between searches. On failure false, and the settings stay as they were. If the form of the
 * path keys changes, the table is cleared. If the evaluation changes, histories are cleared and tables made anew, except
 * for a table owned by the caller.
 */
bool search_configure(Search *s, const SearchSettings *settings, TabiaError *error);
/* Clears tables and histories for a new game, except for a table owned by the caller. */
void search_clear(Search *s);
/*
 * Sets the root position and the game before it: the keys of up to n earlier positions are computed by playing moves[]
 * from start.
 */
void search_set_position(Search *s, const Position *start, const Move *moves, unsigned n);

/* The time for a move in milliseconds, increased by a quarter if the client lets the engine ponder. */
int64_t time_with_ponder(const SearchLimits *l, int64_t time);

/* Starts a search and returns. A request to stop (base/stop.h) ends it as search_stop does, unless it is infinite. */
void search_start(Search *s, const SearchLimits *limits, const SearchListener *listener);
void search_stop(Search *s);
/*
 * As search_start and search_wait, but on the calling thread, which is one of the workers, and without reports: for
 * many short searches, where starting a thread costs too much. The limits must end it.
 */
void search_run(Search *s, const SearchLimits *limits);
/*
 * After a search: the best move (number 0), and with multi_pv the second and so on. search_result_count: the number of
 * results, at most the number of legal moves.
 */
SearchResult search_result(const Search *s, unsigned number);
unsigned search_result_count(const Search *s);
/* The expected move was played: limits apply from now on. Those of time are `times`, which count from now; NULL: those of
   search_start, which count from there. Only while search_is_pondering. */
void search_ponderhit(Search *s, const SearchLimits *times);
/* Does a search wait for search_ponderhit? */
bool search_is_pondering(const Search *s);
void search_wait(Search *s);
/* Does a limit end the last search, once search_ponderhit has been called if it ponders? */
bool search_has_limit(const Search *s);
/* Is a limit reached, after so many nodes? Then the search is stopped. Any thread. */
bool search_is_over(Search *s, uint64_t nodes);
/* Is a search running that ends only when search_stop or search_ponderhit is called? */
bool search_is_unbounded(const Search *s);
/* Has search_stop been called, has the last search reached its end, or was there none? */
bool search_is_stopping(const Search *s);
/* Adds a limit of so many milliseconds from now, in place of other times. Any thread, while a search runs. */
void search_end_within(Search *s, int64_t milliseconds);

/* Nodes of the last or current search, including those of the peers. */
uint64_t search_nodes(const Search *s);
/* Nodes of this process only. */
uint64_t search_nodes_here(const Search *s);
const Position *search_root(const Search *s);
TabiaTable *search_table(Search *s);
const Zobrist *search_zobrist(const Search *s);
