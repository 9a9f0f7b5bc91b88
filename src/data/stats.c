/* SPDX-License-Identifier: MIT */
#include "data/stats.h"

#include <assert.h>
#include <math.h>

#include "records/filters.h"

const DataHistogramShape *data_histogram_shape(unsigned index) {
#define SHAPE(name, title, description, min, width, bins) {#name, title, description, min, width, bins},
    static const DataHistogramShape shapes[] = {DATA_HISTOGRAMS(SHAPE)};
#undef SHAPE
    assert(index < DATA_HISTOGRAMS_N);
    return &shapes[index];
}

const DataProperty *data_property(unsigned index) {
#define PROPERTY(name, of_move, words) {#name, words, of_move},
    static const DataProperty properties[] = {GAME_PROPERTIES(PROPERTY)};
#undef PROPERTY
    assert(index < GAME_PROPERTIES_N);
    return &properties[index];
}

const DataTableShape *data_table_shape(unsigned index) {
#define TABLE(name, title, cells, columns) {#name, title, cells, columns},
    static const DataTableShape shapes[] = {GAME_TABLES(TABLE)};
#undef TABLE
    assert(index < GAME_TABLES_N);
    return &shapes[index];
}

/* Counts a value and returns its bin; values beyond an end are in the outermost bin. */
static unsigned add(DataHistogram *h, unsigned index, int value) {
    const DataHistogramShape *shape = data_histogram_shape(index);
    int bin = value < shape->min ? 0 : (value - shape->min) / shape->width;
    if (bin >= shape->bins) bin = shape->bins - 1;
    if (!h->count || value < h->min) h->min = value;
    if (!h->count || value > h->max) h->max = value;
    assert(bin >= 0 && bin < shape->bins);
    h->bin[bin]++;
    h->count++;
    h->sum += value;
    h->sum_of_squares += (double)value * value;
    return (unsigned)bin;
}

static void finish_game(DataStats *s) {
    if (s->game_length) add(&s->histogram[DATA_HISTOGRAM_length], DATA_HISTOGRAM_length, (int)s->game_length);
    s->game_length = 0;
}

/* A record that trainers use. */
static void add_record(DataStats *s, const DataRecord *r) {
    int value[GAME_HISTOGRAMS_N];
    DataHistogram *h = s->histogram;
    s->result[r->result + 1]++;
    s->white_result[data_white_result(r) + 1]++;
    s->with_move += r->move != 0;
    EACH (i, record_properties(&r->position, r->move)) s->property[i]++;
    record_count_cells(&r->position, r->move, s->table);
    position_values(&r->position, value);
    for (unsigned i = 0; i < GAME_HISTOGRAMS_N; i++) add(&h[i], i, value[i]);
    add(&h[DATA_HISTOGRAM_ply], DATA_HISTOGRAM_ply, r->ply);
    const unsigned bin = add(&h[DATA_HISTOGRAM_score], DATA_HISTOGRAM_score, r->score);
    s->half_points[bin] += (uint64_t)(r->result + 1);
}

void data_stats_add(DataStats *s, const DataRecord *r) {
    if (r->starts_game) {
        finish_game(s);
        s->games++;
    }
    s->game_length++;
    s->records++;
    s->skipped += r->skip;
    if (!r->skip) add_record(s, r);
}

void data_stats_end(DataStats *s) {
    finish_game(s);
}

double data_histogram_mean(const DataHistogram *h) {
    return h->count ? h->sum / (double)h->count : 0;
}

double data_histogram_deviation(const DataHistogram *h) {
    const double mean = data_histogram_mean(h);
    return h->count ? sqrt(fmax(0, h->sum_of_squares / (double)h->count - mean * mean)) : 0;
}
