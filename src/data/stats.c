/* SPDX-License-Identifier: MIT */
#include "data/stats.h"

#include <assert.h>
#include <math.h>

const DataHistogramShape *data_histogram_shape(unsigned index) {
#define SHAPE(name, title, description, min, width, bins) {#name, title, description, min, width, bins},
    static const DataHistogramShape shapes[] = {DATA_HISTOGRAMS(SHAPE)};
#undef SHAPE
    assert(index < DATA_HISTOGRAMS_N);
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

static int piece_count(Bits set, const Position *p, Colour c) {
    return popcount(set & p->side[c]);
}

/* Knights and bishops 1, rooks 2, queens 4. */
static int phase(const Position *p) {
    return popcount(p->knight) + popcount(p->diag & ~p->orth) + 2 * popcount(p->orth & ~p->diag) +
           4 * popcount(p->diag & p->orth);
}

static int material_in_pawns(const Position *p, Colour c) {
    return piece_count(p->pawn, p, c) + 3 * piece_count(p->knight | (p->diag & ~p->orth), p, c) +
           5 * piece_count(p->orth & ~p->diag, p, c) + 9 * piece_count(p->diag & p->orth, p, c);
}

static void finish_game(DataStats *s) {
    if (s->game_length) add(&s->histogram[DATA_HISTOGRAM_length], DATA_HISTOGRAM_length, (int)s->game_length);
    s->game_length = 0;
}

static void add_move(DataStats *s, const DataRecord *r) {
    if (!r->move) return;
    s->with_move++;
    s->promotions += move_promotes(r->move);
    s->captures += move_flag(r->move) != CASTLING &&
                   ((occupied(&r->position) & bit(move_to(r->move))) || move_flag(r->move) == EN_PASSANT);
}

/* A record that trainers use. */
static void add_record(DataStats *s, const DataRecord *r) {
    const Position *p = &r->position;
    const Colour us = (Colour)p->turn;
    DataHistogram *h = s->histogram;
    s->result[r->result + 1]++;
    s->white_result[data_white_result(r) + 1]++;
    s->in_check += in_check(p);
    s->castling += (p->castle[WHITE] | p->castle[BLACK]) != 0;
    s->chess960 += !castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK);
    add_move(s, r);
    const int game_phase = phase(p);
    add(&h[DATA_HISTOGRAM_phase], DATA_HISTOGRAM_phase, game_phase);
    add(&h[DATA_HISTOGRAM_pieces], DATA_HISTOGRAM_pieces, popcount(occupied(p)));
    add(&h[DATA_HISTOGRAM_material], DATA_HISTOGRAM_material,
        material_in_pawns(p, us) - material_in_pawns(p, (Colour)!us));
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
