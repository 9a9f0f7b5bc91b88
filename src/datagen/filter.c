/* SPDX-License-Identifier: MIT */
#include "filter.h"

#include <assert.h>
#include <stdlib.h>

#include "records/statistics.h"
#include "search/score.h"

static bool matches(unsigned index, const DatagenOutput *out, const DataRecord *r) {
    const unsigned properties = record_properties(&r->position, r->move);
    switch (index) {
    case FILTER_INDEX_check:
        return properties >> GAME_PROPERTY_in_check & 1;
    case FILTER_INDEX_capture:
        return properties >> GAME_PROPERTY_captures & 1;
    case FILTER_INDEX_promotion:
        return properties >> GAME_PROPERTY_promotions & 1;
    case FILTER_INDEX_mate:
        return score_is_mate(r->score);
    case FILTER_INDEX_draw:
        return r->result == 0;
    default:
        assert(index == FILTER_INDEX_score);
        return (uint64_t)abs(r->score) > out->filter_score;
    }
}

unsigned filter_match(const DatagenOutput *out, const DataRecord *r) {
    assert(out->filters >> FILTERS_N == 0);
    EACH (index, out->filters)
        if (matches((unsigned)index, out, r)) return (unsigned)index;
    return FILTERS_N;
}

unsigned filter_records(const DatagenOutput *out, DataRecord *records, unsigned n, unsigned first_ply,
                        DatagenCounts *counts) {
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned filter = filter_match(out, &records[i]);
        if (first_ply + i < out->min_ply) {
            counts->below_min_ply++;
        } else if (filter < FILTERS_N) {
            counts->filtered[filter]++;
        } else {
            records[kept++] = records[i];
        }
    }
    return kept;
}
