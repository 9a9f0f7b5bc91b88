/* SPDX-License-Identifier: MIT */
#include "data/piece_curve.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "data/pack.h"
#include "data/temp_file.h"

enum { BOUNDS_INTERVAL = 4096 };

typedef struct {
    DataPackedRecord record;
    double draw;
} HeldRecord;

/* The share of positions with that many pieces that is wanted: a cubic through the five points, the slope at an inner one
   being that from the point before to the point behind; beyond the last one constant. */
static double wanted_share(const FilterNumbers *curve, unsigned pieces) {
    const double *y = curve->number;
    const double x = fmin((double)pieces / GAME_CURVE_STEP, 4);
    const int i = x < 4 ? (int)x : 3;
    const double t = x - i;
    const double begin = i ? (y[i + 1] - y[i - 1]) / 2 : y[1] - y[0];
    const double end = i < 3 ? (y[i + 2] - y[i]) / 2 : y[4] - y[3];
    const double value =
        y[i] + t * (begin + t * (3 * (y[i + 1] - y[i]) - 2 * begin - end + t * (2 * (y[i] - y[i + 1]) + begin + end)));
    return fmax(0, value);
}

/* Of the number of pieces that is most too frequent one record in 40 is kept, of the others so many more as they are
   wanted more, but no record twice. */
static void set_keep(PieceCurve *c) {
    static const double least_kept = 0.025;
    double least = INFINITY;
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) {
        const double wanted = wanted_share(c->shares, n);
        c->keep[n] = c->pieces[n] ? wanted / (double)c->pieces[n] : 0;
        if (c->keep[n] > 0) least = fmin(least, c->keep[n]);
    }
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) c->keep[n] = fmin(1, c->keep[n] / least * least_kept);
}

/* The counts so far are a sample of games; the margin is for what the rest may be other than them. */
static void set_bounds(PieceCurve *c) {
    const double margin = 1.5 + 640 / sqrt((double)c->seen);
    set_keep(c);
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) c->bound[n] = c->pieces[n] ? margin * c->keep[n] : 1;
}

bool piece_curve_begin(PieceCurve *c, const FilterNumbers *shares, const char *prefix, TabiaError *error) {
    *c = (PieceCurve){.shares = shares, .prefix = prefix, .file = data_temp_file(prefix, error)};
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) c->bound[n] = c->dropped[n] = 1;
    return c->file != NULL;
}

void piece_curve_end(PieceCurve *c) {
    if (c->file) fclose(c->file);
    c->file = NULL;
}

bool piece_curve_add(PieceCurve *c, const DataRecord *r, double draw, TabiaError *error) {
    const unsigned n = (unsigned)position_piece_count(&r->position);
    c->pieces[n] += draw != PIECE_CURVE_KEPT;
    if (draw < c->bound[n]) {
        HeldRecord held = {.draw = draw};
        data_pack(&held.record, r);
        if (fwrite(&held, sizeof held, 1, c->file) != 1)
            return tabia_fail(error, "%.300s: a temporary file beside it cannot be written: %s", c->prefix,
                              strerror(errno));
    } else {
        c->dropped[n] = fmin(c->dropped[n], draw);
    }
    if (++c->seen % BOUNDS_INTERVAL == 0) set_bounds(c);
    return true;
}

bool piece_curve_settle(PieceCurve *c) {
    set_keep(c);
    rewind(c->file);
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++)
        if (c->dropped[n] < c->keep[n]) return false;
    return true;
}

bool piece_curve_keeps(const PieceCurve *c, const DataRecord *r, double draw) {
    return draw < c->keep[position_piece_count(&r->position)];
}

bool piece_curve_next(PieceCurve *c, DataRecord *r, TabiaError *error) {
    HeldRecord held;
    *error = (TabiaError){0};
    while (fread(&held, sizeof held, 1, c->file) == 1) {
        data_unpack(r, &held.record);
        if (piece_curve_keeps(c, r, held.draw)) return true;
    }
    if (ferror(c->file))
        tabia_fail(error, "%.300s: a temporary file beside it cannot be read: %s", c->prefix, strerror(errno));
    return false;
}
