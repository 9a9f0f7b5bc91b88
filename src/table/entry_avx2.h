/* SPDX-License-Identifier: MIT */
/*
 * The route standard in a build for any x86-64 processor (-Dportable=true). Its text needs AVX2, so a source of its own is
 * compiled for that, and tables take the route where the processor has it:
 *
 *     tabia_entry_probe   route standard ---> tabia_entry_probe_avx2   entry_avx2.c, for AVX2
 *     (entry.c)           any other -------->  entry_inline.h           for any processor
 *
 * The processor is asked when a table is made (tabia_standard_runs, table.c); a call compares the route, as it does in
 * every build, and jumps. What is stored and found is the same to the bit.
 */
#pragma once
#include "bucket_simd.h"
#include "tabia/entry.h"
#include "table_internal.h"

#if defined(TABIA_ENTRY_AVX2) && !defined(THREAD_SANITIZED) && !STACK_UNALIGNED && !TABIA_PLAIN_XOR
#define STANDARD_AVX2
TabiaHit tabia_entry_probe_avx2(const TabiaTable *t, TabiaKey key, uint64_t path);
void tabia_entry_store_avx2(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry);
void tabia_entry_probe_batch_avx2(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                                  size_t n);

/* By the text for any processor: what entry_avx2.c leaves to it. */
TabiaHit tabia_entry_probe_plain(const TabiaTable *t, TabiaKey key, uint64_t path);
void tabia_entry_store_plain(const TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry);
#endif

/* Has this build a text of the route standard that this processor runs? */
bool tabia_standard_runs(void);
/* What it is called: "avx2"; "plain" where there is none, and all tables have the text for any processor. */
const char *tabia_entry_text(void);
