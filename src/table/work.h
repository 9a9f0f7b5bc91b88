/* SPDX-License-Identifier: MIT */
/*
 * A long piece of work cut into numbered pieces that threads take in turn, the caller's watch asked meanwhile.
 *
 *     pieces  0 1 2 3 4 5 6 7 ...      taken in this order, by whoever is free
 *             ^worker 1   ^worker 0 asks the watch at every tick, some times a second
 *
 * Because pieces are taken in order, the failure that is reported is always that of the first piece that fails, whatever
 * the number of threads.
 */
#pragma once
#include <pthread.h>

#include "table_internal.h"

typedef struct WorkRun WorkRun;
struct WorkRun {
    uint64_t pieces;
    uint64_t bytes_all; /* what the watch is given */
    const TabiaWatch *watch;
    void (*piece)(WorkRun *work, uint64_t number, unsigned worker);

    /* below: the work's own */
    Word next, bytes_done;
    _Atomic int code; /* 0, or what ended the work */
    double asked;     /* when the watch was asked last: worker 0 alone */
    pthread_mutex_t lock;
    uint64_t failed; /* the piece */
    TabiaError error;
};

/* Makes *work ready. bytes_done: what an earlier part of the same call has done. */
void tabia_work_begin(WorkRun *work, const TabiaWatch *watch, uint64_t bytes_done, uint64_t bytes_all);

/* Asks the watch now. 0, or TABIA_ERROR_STOPPED with its line. The calling thread only. */
int tabia_work_ask(WorkRun *work, TabiaError *error);

/* Runs pieces 0 .. pieces-1 on that many threads, on fewer where the system refuses them; what the watch or a piece
   ended with, its line in *error. */
int tabia_work_run(WorkRun *work, unsigned threads, TabiaError *error);

/* For pieces: so much more is done. False: the work is to end, leave. */
bool tabia_work_tick(WorkRun *work, unsigned worker, uint64_t bytes);

/* For pieces: the work has failed here. */
void tabia_work_fail(WorkRun *work, uint64_t piece, int code, const TabiaError *error);

/* Piece number `piece` of a range of n, as [from, to). */
static inline void work_part(const WorkRun *work, uint64_t piece, uint64_t n, uint64_t *from, uint64_t *to) {
    assert(piece < work->pieces);
    *from = (uint64_t)((unsigned __int128)n * piece / work->pieces);
    *to = (uint64_t)((unsigned __int128)n * (piece + 1) / work->pieces);
}
