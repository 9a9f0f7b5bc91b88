/* SPDX-License-Identifier: MIT */
/* Time management. */
#include "time_management.h"
#include "base/time.h"
#include "worker.h"

static int64_t now(void) {
    return (int64_t)(tabia_clock_wall() * 1000);
}

int64_t search_elapsed_ms(const Search *s) {
    return now() - s->started;
}

int64_t search_timed_ms(const Search *s) {
    return search_elapsed_ms(s) - s->timed_at;
}

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Pondering regains time where the move was predicted: a quarter more. */
int64_t time_with_ponder(const SearchLimits *l, int64_t time) {
    return l->may_ponder ? time + time / 4 : time;
}

/* A byoyomi is lost if it is not used: all of it where nothing else is left. */
static void divide_byoyomi(Search *s, const SearchLimits *l) {
    const int64_t each = l->byoyomi > l->overhead ? l->byoyomi - l->overhead : 1, left = l->time[s->root.turn];
    const int64_t allotment = each + left / 32;
    const bool only = left < each / 8;
    s->hard_time = only ? each : min64(allotment * 4, each + left * 6 / 10);
    s->soft_time = only ? each * 1000 : time_with_ponder(l, allotment * 7 / 10) + 1;
}

/* Without moves to go the first moves take the most, each a 22nd of what is left. More than the increment is divided, since most
   searches end before their allotment does. A side without a time has none left: it moves at once. */
static void divide_time(Search *s, const SearchLimits *l) {
    const int us = s->root.turn;
    const int64_t left = l->time[us] - l->overhead;
    const int64_t moves = l->moves_to_go > 0 ? min64(l->moves_to_go, 40) : 22;
    const int64_t allotment = min64(left / moves + l->increment[us] * 13 / 10, left * 6 / 10);
    const int64_t soft = time_with_ponder(l, allotment * 7 / 10);
    const int64_t hard = min64(allotment * 7, left * (moves == 1 ? 90 : 60) / 100);
    s->soft_time = soft < 1 ? 1 : soft;
    s->hard_time = hard < 1 ? 1 : hard;
}

void time_management_set(Search *s, const SearchLimits *l) {
    s->timed_at = search_elapsed_ms(s);
    s->soft_time = s->hard_time = 0;
    if (l->move_time) {
        s->hard_time = l->move_time > l->overhead ? l->move_time - l->overhead : 1;
        s->soft_time = s->hard_time * 1000; /* use all of it */
    } else if (l->byoyomi) {
        divide_byoyomi(s, l);
    } else if (limits_are_timed(l)) {
        divide_time(s, l);
    }
}

void time_management_start(Search *s) {
    s->started = now();
    time_management_set(s, &s->limits);
}
