/* SPDX-License-Identifier: MIT */
/* A table's memory: getting it as the options say, and making the system provide it. */
#pragma once
#include "table_internal.h"

/* Gets t->memory and t->base for all buckets of a table that has its shape, not yet touched; named ones join or make
   their file. returned: as below. */
int tabia_allocate_addresses(TabiaTable *t, uint64_t returned, TabiaError *error);

/* First touch of a whole in equal parts, with as many threads as its options say. Named tables even when the options say later: shared memory that runs out would end the process. The watch,
   NULL or the caller's, may end it: TABIA_ERROR_STOPPED. */
int tabia_allocate(TabiaTable *t, const TabiaWatch *watch, TabiaError *error);

/* tabia_table_create, where another table will give back `returned` bytes before this one is touched
   (TABIA_TOUCH_LATER). */
int tabia_table_create_after(TabiaTable **table, const TabiaOptions *options, uint64_t returned, TabiaError *error);
