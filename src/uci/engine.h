/* SPDX-License-Identifier: MIT */
/*
 * A chess engine that is talked to in UCI, one line at a time. Answers go to a stream, from this thread and from the
 * search's, each line whole.
 */
#pragma once
#include <stdio.h>

#include "base/fault.h"
#include "search/search.h"

typedef struct Engine Engine;

/* Other processes that search with this one, and the table they spread: all that an engine knows of them. */
typedef struct {
    void *context;
    TabiaTable *table;        /* the caller's */
    const SearchPeers *peers; /* the caller's */
    bool follows;             /* this one is told what to search, and for how long: it sets no limit itself */
    /* A line that concerns all processes takes effect now. Called by the thread that does the lines. */
    void (*line)(void *context, const char *line);
    /* The option Hash: false with a fault, and nothing has changed. */
    bool (*resize)(void *context, uint64_t bytes, Fault *fault);
    /* Writes what is to be said of the last search behind `info string`; nothing: an empty text. */
    void (*summary)(void *context, char *text, size_t room);
} EngineAllies;

/* NULL with a fault if there is not enough memory. `out` stays the caller's, as do allies, or NULL. */
Engine *engine_create(FILE *out, const EngineAllies *allies, Fault *fault);
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
