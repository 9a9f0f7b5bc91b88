/* SPDX-License-Identifier: MIT */
/* The time of a search, and its other limits. Private to src/search. */
#pragma once
#include "worker.h"

void time_management_start(Search *s);
/* The soft and the hard time from now on by other limits. */
void time_management_set(Search *s, const SearchLimits *l);
int64_t search_elapsed_ms(const Search *s);
/* Since the soft and the hard time count. */
int64_t search_timed_ms(const Search *s);
/* Tests the time and node limits every few nodes. */
void check_limits(Worker *w);
