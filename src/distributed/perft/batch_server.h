/* SPDX-License-Identifier: MIT */
/*
 * Batches of sibling sets on the side of the rank that owns the children (the asker's side: batch_client.h). Batches
 * wait in the order in which they came; their sets are submitted to the worker pool one after the other and counted in
 * any order; when the last is counted, the sums go back in one answer.
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "rank_context.h"
#include "wire.h"
#include "worker_pool.h"

typedef struct BatchServer BatchServer;

/* Takes the answer to a batch of `to`, a SUMS message. The bytes are the server's. */
typedef struct {
    void *context;
    void (*call)(void *context, unsigned to, const void *bytes, size_t n);
} AnswerCallback;

/* *rank and the pool must outlive the server. NULL with an error when memory is out. */
BatchServer *batch_server_create(const RankContext *rank, WorkerPool *pool, AnswerCallback answer, TabiaError *error);
void batch_server_destroy(BatchServer *s);

/* A BATCH message; it is copied. False: memory is out, or it is none; its asker will recount it. */
bool batch_server_receive(BatchServer *s, unsigned from, const void *bytes, size_t n);

/* Submits the next sibling set; the pool must have room for one item. False: there is none. */
bool batch_server_submit(BatchServer *s);

/* Do two batches or more have sets that are not submitted? */
bool batch_server_has_backlog(const BatchServer *s);

/* A work item of type WORK_SIBLINGS is counted. May answer its batch, unless the run is stopped. */
void batch_server_finish(BatchServer *s, const WorkItem *item);

/* Adds sibling_sets_served: those counted for other ranks. */
void batch_server_add_stats(const BatchServer *s, DistributedPerftStats *stats);
