/* SPDX-License-Identifier: MIT */
/* A table's memory: getting it as the options say, and making the system provide it. */
#pragma once
#include "table/core.h"

/* Gets t->memory and t->base for all buckets of a table that has its shape, not yet touched; named ones join or make
   their file. promised: bytes got before for the same whole and not touched yet. */
int tabia_provide_addresses(TabiaTable *t, uint64_t promised, TabiaReason *why);

/* First touch of a whole, with as many threads as its options say: a memory in equal parts, private shares each by one
   thread. Named tables even when the options say later: shared memory that runs out would end the process. */
int tabia_provide(TabiaTable *t, TabiaReason *why);
