/* SPDX-License-Identifier: MIT */
/* What an engine is made of. Private to src/protocol. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "engine.h"
#include "options.h"
#include "search/search.h"
#include "words.h"

enum { ENGINE_MOVES_MOST = 6000, ENGINE_PATH_MOST = 1000 };

typedef struct {
#define SPIN_MEMBER(name, member, initial, least, most) int64_t member;
    SPIN_OPTIONS(SPIN_MEMBER)
#undef SPIN_MEMBER
#define CHECK_MEMBER(name, member, initial) bool member;
    CHECK_OPTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
    HistoryKey history_key;
    Scheme scheme;
    EvaluationKind evaluation;
    char hash_file[ENGINE_PATH_MOST], table_name[WORD_MAX];
} EngineOptions;

struct Engine {
    FILE *out, *log;
    pthread_mutex_t lock;     /* one line at a time */
    const EngineHooks *hooks; /* or NULL */
    EngineOptions options;
    Search *search;
    Position start;
    Move moves[ENGINE_MOVES_MOST];
    unsigned moves_n;
    atomic_uint stops_heard; /* that stand in lines not yet done */
    atomic_bool waiting;     /* for the end of a search */
    pthread_mutex_t aside_lock;
    Search *aside; /* what engine_begin_aside made, or NULL; behind its lock */
};

/* Has a stop been heard behind the line that is being done? What counts or searches by itself ends then. */
INLINE bool engine_told_to_end(Engine *e) {
    return atomic_load(&e->stops_heard) != 0;
}

/* ---- life.c ---- */

/* Forgets what was learnt. */
void engine_forget(Engine *e);

/* A search beside the user's, with the default options and nothing learnt: what it finds is the same whatever was set
   or searched before, and the user's table stays as it is. NULL: there is no memory, which was said. */
Search *engine_begin_aside(Engine *e);
void engine_end_aside(Engine *e);
/* From any thread; does nothing where there is none. */
void engine_stop_aside(Engine *e);

/* ---- say.c ---- */
void engine_say(Engine *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void engine_log(Engine *e, const char *prefix, const char *line);
void engine_report(void *engine, const SearchReport *report);
void engine_best(void *engine, Move best, Move ponder);
/* Counts as `perft --divide` does. */
void engine_perft(Engine *e, int depth);

/* ---- openings.c ---- */

/* N seed S book FILE (None: no book). The same for every setting of the options, up to a stop. */
void engine_openings(Engine *e, Words *w);

/* ---- set_option.c ---- */
void engine_default_options(EngineOptions *o);
void engine_say_options(Engine *e);
/* The words of `line` behind its first. */
void engine_set_option(Engine *e, Words *w, const char *line);
SearchSettings engine_settings(const EngineOptions *o);
/* Those of the user's search: with the hooks' table. */
SearchSettings engine_own_settings(const Engine *e);
/* Narrows the limits as UCI_LimitStrength and nodestime ask. */
void engine_weaken(Engine *e, SearchLimits *l);
