/* SPDX-License-Identifier: MIT */
/*
 * Outgoing messages of a rank. The cluster refuses a message when there is no room for it; the outbox keeps a copy and
 * sends it later. A message is lost when memory is out or its receiver is dead, as any message may be.
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include <stdbool.h>

#include "tabia/cluster.h"
#include "wire.h"

typedef struct Outbox Outbox;

/* NULL when memory is out. The cluster stays the caller's and must outlive the outbox. */
Outbox *outbox_create(TabiaCluster *cluster);
/* Drops what has not been sent. NULL is fine. */
void outbox_destroy(Outbox *o);

/* Sends n bytes (0 to TABIA_CLUSTER_BYTES_MAX), now or by a later flush. A message to this rank itself is mostly
   received before this returns. */
void outbox_send(Outbox *o, unsigned to, WireType type, const void *bytes, size_t n);

/* Tries again what is waiting. Messages to one rank mostly keep their order, but the receiver may not rely on it. */
void outbox_flush(Outbox *o);

/* Has everything been handed to the cluster? */
bool outbox_is_empty(const Outbox *o);
