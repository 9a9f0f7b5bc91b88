/* SPDX-License-Identifier: MIT */
#include "filter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "records/statistics.h"
#include "search/score.h"

const char *filter_name(unsigned index) {
#define NAME(name, words) #name,
    static const char *const all[] = {DATAGEN_FILTERS(NAME)};
#undef NAME
    assert(index < FILTERS_N);
    return all[index];
}

const char *filter_description(unsigned index) {
#define WORDS(name, words) words,
    static const char *const all[] = {DATAGEN_FILTERS(WORDS)};
#undef WORDS
    assert(index < FILTERS_N);
    return all[index];
}

/* ---- parsing ---- */

static bool parse_score(const char *text, const char *end, DatagenOutput *out, TabiaError *error) {
    char *rest;
    out->filter_score = strtoull(text, &rest, 10);
    if (rest != end || !out->filter_score || out->filter_score > 32000)
        return tabia_fail(error, "--filter: 'score=' needs centipawns from 1 to 32000, as in score=1500");
    return out->filters |= FILTER_score, true;
}

static bool add_filter(const char *name, size_t length, DatagenOutput *out, TabiaError *error) {
    if (length == 5 && !strncmp(name, "quiet", length)) return out->filters |= FILTER_quiet, true;
    if (length > 6 && !strncmp(name, "score=", 6)) return parse_score(name + 6, name + length, out, error);
    for (unsigned i = 0; i < FILTER_INDEX_score; i++)
        if (strlen(filter_name(i)) == length && !strncmp(name, filter_name(i), length))
            return out->filters |= 1u << i, true;
    return tabia_fail(error, "--filter: '%.*s' is none of quiet, check, capture, promotion, mate, draw, score=CP, none",
                      (int)length, name);
}

bool filters_parse(const char *text, DatagenOutput *out, TabiaError *error) {
    out->filters = 0;
    out->filter_score = 0;
    if (!strcmp(text, "none")) return true;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (!add_filter(at, length, out, error)) return false;
        at += length;
        if (!*at) return true;
    }
}

/* ---- filtering ---- */

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
