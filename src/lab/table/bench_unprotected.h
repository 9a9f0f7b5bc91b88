/* SPDX-License-Identifier: MIT */
/* A probe and a store of entries by the library's text without its check: torn slots are taken as they come. */
#pragma once
#include "tabia/entry.h"

TabiaHit bench_probe_unprotected(const TabiaTable *t, TabiaKey key);
void bench_store_unprotected(const TabiaTable *t, TabiaKey key, TabiaEntry e);
