/* SPDX-License-Identifier: MIT */
/*
 * An engine of the game, spoken to by its protocol, UCI for chess: one command line at a time. Output goes to a stream,
 * from the calling thread and the search's, each line atomically.
 */
#pragma once
#include <stdio.h>

#include "base/closest.h"
#include "base/error.h"
#include "search/search.h"

typedef struct Engine Engine;

/* Hooks for a program that runs the engine on several processes over a table distributed over them. */
typedef struct {
    void *context;
    TabiaTable *table;        /* the caller's */
    const SearchPeers *peers; /* the caller's */
    const Network *network;   /* the caller's, the same in all processes; NULL: the one that is built in */
    bool is_follower;         /* another process sets position and limits: no limits are applied here */
    /* A command that applies to all processes is executed now. Called by the thread of the UCI loop. */
    void (*command)(void *context, const char *line);
    /* The option Hash changed: false with an error, and nothing has changed. */
    bool (*resize)(void *context, uint64_t bytes, TabiaError *error);
    /* Writes a line about the last search for `info string`; an empty text: none. */
    void (*summary)(void *context, char *text, size_t room);
} EngineHooks;

/* NULL with an error if there is not enough memory. `out` and the hooks (may be NULL) belong to the caller. */
Engine *engine_create(FILE *out, const EngineHooks *hooks, TabiaError *error);
/* Stops a running search, whose best move is still printed, and frees everything. NULL is allowed. */
void engine_destroy(Engine *e);

/* Evaluates by the network of a file from now on, as the option EvalFile does; an empty name: by the one that is built
   in. False with an error, and nothing has changed. */
bool engine_load_network(Engine *e, const char *file_name, TabiaError *error);

/* Stops the running search; any thread. */
void engine_stop(Engine *e);

/* Executes one command line; an unknown command prints one `info string`. False: it was "quit". */
bool engine_execute(Engine *e, const char *line);

/* Is that a command's first word, and may more follow it? */
bool engine_knows(const char *name, bool *takes_arguments);

/* Looks at the names of commands, for the one that a mistyped word meant. */
void engine_closest_command(Closest *closest);

/* Waits for a search with a limit; one without continues. */
void engine_wait(Engine *e);

/*
 * The UCI loop: executes all lines of a stream up to "quit" or to the end of the stream. "stop" and "quit" end what runs
 * at once, also while an earlier line waits for it. The end of the stream ends a search without a limit, and after a
 * second one for a mate or to a depth above 40 without a limit of time or nodes. A line of 1 MiB or more is left out, and
 * an `info string` says so.
 */
void engine_loop(Engine *e, FILE *in);

/*
 * Searches a fixed list of positions to a fixed depth with one thread, 16 MiB and the engine's network; prints `N nodes`
 * and `N nps` last.
 * Tables and histories of the engine do not change. False: no memory, which was printed.
 */
bool engine_bench(Engine *e, int depth);
