/* SPDX-License-Identifier: MIT */
/* Which positions of a game are written. */
#pragma once
#include "selfplay.h"

/* The number of the first filter that r meets, or FILTERS_N. */
unsigned filter_met(const Settings *s, const DataRecord *r);

/* Leaves out what is not to be written, and counts it; how many are left. record[0] was the game's position after
   `plies_before` plies. */
unsigned filter_records(const Settings *s, DataRecord *record, unsigned n, unsigned plies_before, Counts *counts);
