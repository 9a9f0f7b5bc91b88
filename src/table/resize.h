/* SPDX-License-Identifier: MIT */
#pragma once
#include "tabia/table.h"

/* tabia_table_resize with the memory that may still be used given: the content is kept if the new size fits there. */
int tabia_table_resize_within(TabiaTable *table, uint64_t bytes, uint64_t available, bool *kept, TabiaError *error);
