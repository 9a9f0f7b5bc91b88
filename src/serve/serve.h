/* SPDX-License-Identifier: MIT */
/*
 * A page on the loopback, for people who would rather look than read: a board whose position is analysed while they watch, counts
 * below each move, training data game by game.
 * The page is in the program (web/); its parts ask for what they show by the routes in serve.c.
 *
 *     Serve *s = serve_open(&settings, &error);
 *     puts(serve_address(s));
 *     serve_run(s, &error);                      until the program is asked to stop
 *     serve_close(s);
 *
 * All calls belong to one thread. Nothing runs between requests.
 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "serve/against.h"

typedef struct {
    unsigned port;            /* 0: any that is free */
    uint64_t hash_bytes;      /* of the table of an analysis, and of that of a count */
    unsigned threads;         /* of each */
    const char *const *files; /* of training data; they and their names outlive the server */
    unsigned files_n;
    const char *ledger;     /* of a long count, or NULL; as the files */
    AgainstProgram against; /* whose divides are set beside ours */
} ServeSettings;

typedef struct Serve Serve;

/* NULL with an error: no memory, or the port is another's. */
Serve *serve_open(const ServeSettings *settings, TabiaError *error);
/* What a browser is to open. */
const char *serve_address(const Serve *s);
/* False with an error: the system failed. */
bool serve_run(Serve *s, TabiaError *error);
/* NULL is allowed. */
void serve_close(Serve *s);
