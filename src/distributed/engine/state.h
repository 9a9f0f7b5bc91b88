/* SPDX-License-Identifier: MIT */
/*
 * The engine on ranks from inside.
 *
 *     threads that search   take messages in passing (peers.c): what cannot wait is done there and then, the rest is
 *                           put into the inbox
 *     the pump              a thread that mostly sleeps: the stream of orders, the inbox, everything while nothing is
 *                           searched, and what adapts
 *     the main thread       the conversation: rank 0 hears the client, the others hear the orders through a pipe, so
 *                           that they are engines like any other
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "command_broadcast.h"
#include "distributed_engine.h"
#include "uci/engine.h"

/* Kinds of messages. halt, count, begun and answer carry the number of the search that they are about. */
typedef enum { TALK_ORDER, TALK_CONFIRM, TALK_HALT, TALK_COUNT, TALK_BEGUN, TALK_ANSWER } Talk;

enum { THREADS_TOLD = 8 }; /* of each rank's threads, so many tell the others which depth they are on */

typedef struct {
    uint32_t number;
    SearchOutcome outcome;
    uint64_t nodes;
    TabiaClusterCounters did;
} Answer;

/* What is known of another rank. */
typedef struct {
    _Atomic uint32_t number; /* of the search that the rest is about */
    _Atomic int begun[THREADS_TOLD];
    _Atomic uint64_t nodes;    /* of it and those behind it in the tree */
    _Atomic uint32_t answered; /* number of the search that the answer is about */
    Answer *answer;            /* on rank 0 */
    atomic_bool late;          /* it did not answer in time; nothing has come since */
} Colleague;

/* A message for the pump. */
typedef struct Letter {
    struct Letter *next;
    unsigned from, kind;
    size_t n;
    _Alignas(8) char bytes[];
} Letter;

typedef struct {
    EnsembleWish wish;
    unsigned rank, ranks;
    TabiaTable *table;
    TabiaCluster *cluster;
    _Atomic(Engine *) engine;
    SearchPeers peers;
    EngineAllies allies;

    /* The search: line, conclude and summary are called by the engine's own threads, never two at once. */
    _Atomic uint32_t number;      /* of the search that runs or ran last */
    atomic_bool together;         /* it runs, on all ranks */
    _Atomic double concluded_at;  /* when the last search was over here, on the cluster's clock */
    atomic_int root_depth;        /* the deepest iteration begun */
    _Atomic uint64_t final_nodes; /* of the others, when they have answered */
    atomic_int spread_left;       /* entries that may be spread until the pump allows more */
    unsigned served;              /* by the first thread */
    TabiaClusterCounters before;  /* the search */
    TabiaClusterCounters together_did;
    unsigned answers; /* to the last search; 0: nothing to be summed up */
    Colleague *colleague;

    pthread_t pump;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    Letter *letters, **letters_end;
    char *said; /* by rank 0, not yet in the stream */
    size_t said_n, said_room;
    bool over;

    Orders orders; /* the pump's, as is the rest */
    int pipe[2];   /* where the orders of this rank are read */
    bool quitting;
    double refilled_at, adapted_at;
    uint64_t refused;
    atomic_bool arrived, alone; /* all has been confirmed; ranks are missing */
} Ensemble;

/* ---- peers.c ---- */
void ensemble_peers_begin(Ensemble *r);
/* A search begins on all ranks. */
void ensemble_search_begins(Ensemble *r);
/* The cluster's receive. */
void ensemble_receive(void *context, unsigned from, unsigned kind, const void *bytes, size_t n);
void ensemble_summary(void *context, char *text, size_t room);
/* More entries may be spread; how deep the stores are that go to their owners. */
void ensemble_adapt(Ensemble *r);

/* ---- pump.c ---- */
/* Before anything is received: rank 0 may have begun while this rank still waits for the verdict. */
void ensemble_inbox_begin(Ensemble *r);
bool ensemble_pump_begin(Ensemble *r, Fault *fault);
void ensemble_pump_end(Ensemble *r);
/* Text for all others. */
void ensemble_say(Ensemble *r, const char *text, size_t n);
/* The pump looks how long it may sleep now, from any thread. */
void ensemble_wake(Ensemble *r);
/* A message for the pump, from any thread. */
void ensemble_post(Ensemble *r, unsigned from, unsigned kind, const void *bytes, size_t n);
