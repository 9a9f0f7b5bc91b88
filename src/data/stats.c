/* SPDX-License-Identifier: MIT */
#include "data/stats.h"

#include <math.h>

const DataHistogramShape *data_histogram_shape(unsigned number) {
#define SHAPE(name, title, of, least, width, bins) {#name, title, of, least, width, bins},
    static const DataHistogramShape shapes[] = {DATA_HISTOGRAMS(SHAPE)};
#undef SHAPE
    return &shapes[number];
}

/* The bin of a value; those beyond an end are in the last one there. */
static unsigned add(DataHistogram *h, unsigned number, int value) {
    const DataHistogramShape *shape = data_histogram_shape(number);
    int bin = value < shape->least ? 0 : (value - shape->least) / shape->width;
    if (bin >= shape->bins) bin = shape->bins - 1;
    if (!h->n || value < h->least) h->least = value;
    if (!h->n || value > h->most) h->most = value;
    h->bin[bin]++;
    h->n++;
    h->sum += value;
    h->squares += (double)value * value;
    return (unsigned)bin;
}

static int men(Bits set, const Position *p, Colour c) {
    return count(set & p->side[c]);
}

/* Knights, bishops 1, rooks 2, queens 4. */
static int phase(const Position *p) {
    return count(p->knight) + count(p->diag & ~p->orth) + 2 * count(p->orth & ~p->diag) + 4 * count(p->diag & p->orth);
}

static int pawns_worth(const Position *p, Colour c) {
    return men(p->pawn, p, c) + 3 * men(p->knight | (p->diag & ~p->orth), p, c) + 5 * men(p->orth & ~p->diag, p, c) +
           9 * men(p->diag & p->orth, p, c);
}

static void end_game(DataStats *s) {
    if (s->length) add(&s->histogram[DATA_HISTOGRAM_length], DATA_HISTOGRAM_length, (int)s->length);
    s->length = 0;
}

static void add_move(DataStats *s, const DataRecord *r) {
    if (!r->move) return;
    s->with_move++;
    s->promotions += move_promotes(r->move);
    s->captures += move_flag(r->move) != CASTLING &&
                   ((occupied(&r->position) & bit(move_to(r->move))) || move_flag(r->move) == EN_PASSANT);
}

/* One that trainers learn from. */
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
    const int whole_phase = phase(p);
    add(&h[DATA_HISTOGRAM_phase], DATA_HISTOGRAM_phase, whole_phase);
    add(&h[DATA_HISTOGRAM_men], DATA_HISTOGRAM_men, count(occupied(p)));
    add(&h[DATA_HISTOGRAM_material], DATA_HISTOGRAM_material, pawns_worth(p, us) - pawns_worth(p, (Colour)!us));
    add(&h[DATA_HISTOGRAM_ply], DATA_HISTOGRAM_ply, r->ply);
    const unsigned bin = add(&h[DATA_HISTOGRAM_score], DATA_HISTOGRAM_score, r->score);
    s->points[bin] += (uint64_t)(r->result + 1);
}

void data_stats_add(DataStats *s, const DataRecord *r) {
    if (r->first) {
        end_game(s);
        s->games++;
    }
    s->length++;
    s->records++;
    s->skip_marks += r->skip;
    if (!r->skip) add_record(s, r);
}

void data_stats_end(DataStats *s) {
    end_game(s);
}

double data_histogram_mean(const DataHistogram *h) {
    return h->n ? h->sum / (double)h->n : 0;
}

double data_histogram_deviation(const DataHistogram *h) {
    const double mean = data_histogram_mean(h);
    return h->n ? sqrt(fmax(0, h->squares / (double)h->n - mean * mean)) : 0;
}
