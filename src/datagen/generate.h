/* SPDX-License-Identifier: MIT */
/*
 * The whole run: games on many threads, written in the order of their numbers.
 *
 *     workers    take the next game's number, play it, put it into the window
 *     window     a ring of finished games; nobody begins a game that lies further ahead than it holds
 *     in order   whoever finishes the game that comes next writes it, and those behind it that are there
 *     blocks     end after the game that fills them, so where they end follows from the games alone
 *
 * So the file is the same byte for byte for any number of threads, and after any number of kills: what lies behind the
 * last whole block is played again. With a shared table it is not: what one thread stores another finds.
 */
#pragma once
#include "sidecar.h"

typedef struct {
    const char *path;
    uint64_t positions; /* at least so many, with whole games; going on with more continues the same file */
    unsigned threads;
    bool resume; /* go on if the file is there */
} GenerateJob;

typedef struct {
    Counts counts; /* of the whole file */
    uint64_t positions, bytes, next_game;
    uint64_t
        file_games;   /* as a reader counts them in the file, at the end of a run: what is left out in the middle of a
                            game begins another there, and games of which all is left out are none */
    uint64_t resumed; /* of the positions, those that were there before */
    double seconds;   /* of this run */
} GenerateState;

typedef struct {
    bool (*stop)(void *context);                             /* asked by all threads, between moves; may be NULL */
    void (*show)(void *context, const GenerateState *state); /* some times a second, by one at a time; may be NULL */
    void *context;
} GenerateWatch;

typedef enum { GENERATE_DONE, GENERATE_STOPPED, GENERATE_FAILED } GenerateEnd;

/*
 * The settings have passed settings_check, and book_sum is set. Stopped: what is in the file is whole, and `resume`
 * goes on. Failed, with an error: no memory, a file that is there already or belongs to other settings, or that cannot
 * be written; what was written before stays whole. *state is filled in any case.
 */
GenerateEnd generate_run(const Settings *s, const Openings *o, const GenerateJob *job, const GenerateWatch *watch,
                         GenerateState *state, TabiaError *error);
