/* SPDX-License-Identifier: MIT */
/*
 * A chess engine that is talked to in UCI, one line at a time. Answers go to a stream, from this thread and from the
 * search's, each line whole.
 */
#pragma once
#include <stdio.h>

#include "base/error.h"
#include "search/search.h"

typedef struct Engine Engine;

/* Hooks for a program that runs the engine on several processes over a table distributed over them. */
typedef struct {
    void *context;
    TabiaTable *table;        /* the caller's */
    const SearchPeers *peers; /* the caller's */
    bool is_follower;         /* another process says what to search and for how long: no limits are set here */
    /* A command that concerns all processes takes effect now. Called by the thread of the UCI loop. */
    void (*command)(void *context, const char *line);
    /* The option Hash: false with an error, and nothing has changed. */
    bool (*resize)(void *context, uint64_t bytes, TabiaError *error);
    /* Writes a line about the last search for `info string`; an empty text: none. */
    void (*summary)(void *context, char *text, size_t room);
} EngineHooks;

/* NULL with an error if there is not enough memory. `out` stays the caller's, as do hooks, or NULL. */
Engine *engine_create(FILE *out, const EngineHooks *hooks, TabiaError *error);
/* Stops what runs, without an answer to it being lost. NULL is fine. */
void engine_destroy(Engine *e);

/* Stops the search that runs; any thread. */
void engine_stop(Engine *e);

/* Does what one line says; unknown words are answered by one `info string` line. False: it was "quit". */
bool engine_line(Engine *e, const char *line);

/* Waits for the end of a search that ends by itself; one that does not goes on. */
void engine_finish(Engine *e);

/* Does all lines of a stream, of any length, up to "quit", which ends what is searched, or to the stream's end, which
   ends only a search without a limit. A stop is heard at once, also where the line before it waits for a search to
   end. */
void engine_converse(Engine *e, FILE *in);

/* Searches a fixed list of positions to a fixed depth with one thread and 16 MiB; prints `N nodes` and `N nps` last.
   What the engine has learnt stays. False: no memory for it, which was said. */
bool engine_bench(Engine *e, int depth);
