/* SPDX-License-Identifier: MIT */
#include "filter.h"

#include <stdlib.h>

#include "game.h"

static bool meets(unsigned number, const Settings *s, const DataRecord *r) {
    switch (number) {
    case FILTER_NUMBER_check:
        return in_check(&r->position);
    case FILTER_NUMBER_capture:
        return game_captured(&r->position, r->move) != NO_PIECE_TYPE;
    case FILTER_NUMBER_promotion:
        return move_promotes(r->move);
    case FILTER_NUMBER_mate:
        return score_is_mate(r->score);
    case FILTER_NUMBER_draw:
        return r->result == 0;
    default:
        return (uint64_t)abs(r->score) > s->filter_score;
    }
}

unsigned filter_met(const Settings *s, const DataRecord *r) {
    EACH (number, s->filters)
        if (meets((unsigned)number, s, r)) return (unsigned)number;
    return FILTERS_N;
}

unsigned filter_records(const Settings *s, DataRecord *record, unsigned n, unsigned plies_before, Counts *counts) {
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned met = filter_met(s, &record[i]);
        if (plies_before + i < s->write_min_ply) {
            counts->early++;
        } else if (met < FILTERS_N) {
            counts->filtered[met]++;
        } else {
            record[kept++] = record[i];
        }
    }
    return kept;
}
