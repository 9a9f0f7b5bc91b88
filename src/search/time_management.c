/* SPDX-License-Identifier: MIT */
/* Time management. */
#include "base/time.h"
#include "worker.h"

static int64_t now(void) {
    return (int64_t)(tabia_clock_wall() * 1000);
}

int64_t search_elapsed_ms(const Search *s) {
    return now() - s->started;
}

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Pondering regains time where the move was predicted: a quarter more. */
int64_t time_with_ponder(const SearchLimits *l, int64_t time) {
    return l->may_ponder ? time + time / 4 : time;
}

/* A byoyomi is lost if it is not used: all of it where nothing else is left. */
static void divide_byoyomi(Search *s) {
    const SearchLimits *l = &s->limits;
    const int64_t each = l->byoyomi > l->overhead ? l->byoyomi - l->overhead : 1, left = l->time[s->root.turn];
    const int64_t allotment = each + left / 32;
    const bool only = left < each / 8;
    s->hard_time = only ? each : min64(allotment * 4, each + left * 6 / 10);
    s->soft_time = only ? each * 1000 : time_with_ponder(l, allotment * 7 / 10) + 1;
}

void time_management_start(Search *s) {
    const SearchLimits *l = &s->limits;
    const int us = s->root.turn;
    s->started = now();
    s->soft_time = s->hard_time = 0;
    if (l->move_time) {
        s->soft_time = s->hard_time = l->move_time > l->overhead ? l->move_time - l->overhead : 1;
        s->soft_time *= 1000; /* use all of it */
        return;
    }
    if (l->byoyomi) {
        divide_byoyomi(s);
        return;
    }
    if (!limits_are_timed(l)) return;
    /* A side without a time has none left: it moves at once. */
    const int64_t left = l->time[us] - l->overhead;
    const int64_t moves = l->moves_to_go > 0 ? min64(l->moves_to_go, 40) : 32;
    const int64_t allotment = min64(left / moves + l->increment[us] * 9 / 10, left * 6 / 10);
    s->soft_time = time_with_ponder(l, allotment * 7 / 10);
    s->hard_time = min64(allotment * 4, left * (moves == 1 ? 90 : 60) / 100);
    if (s->soft_time < 1) s->soft_time = 1;
    if (s->hard_time < 1) s->hard_time = 1;
    assert(s->soft_time >= 1 && s->hard_time >= 1);
}
