/* SPDX-License-Identifier: MIT */
/*
 * The hazard (hazard.h) at many settings: series in each of which one setting varies and the others are those of a base.
 * Every point is measured with several seeds, each a run of its own. Threads take the runs in the order of the points;
 * each repeats, whatever the number of threads.
 */
#pragma once
#include "hazard.h"

enum {
    HAZARD_SERIES_BITS,
    HAZARD_SERIES_DEPTH,
    HAZARD_SERIES_SIZE,
    HAZARD_SERIES_LIMIT,
    HAZARD_SERIES_CURES,
    HAZARD_SERIES
};
enum { HAZARD_POINTS_MAX = 40, HAZARD_SEEDS_MAX = 100, HAZARD_CURE_PLAYERS = 4 };

/* "bits", "depth", "size", "limit", "cures". */
extern const char *const hazard_series_names[HAZARD_SERIES];

typedef struct {
    unsigned series;
    DatagenSettings settings;
    HazardCure cure;
    unsigned players;
    uint64_t nodes; /* of each seed */
    /* What came of it: of the runs that were complete. */
    HazardCounts counts;
    unsigned seeds, seeds_fallen;
    double incident_squares; /* the sum of the squares of the seeds' incidents */
} HazardPoint;

/* Variance of the seeds' incidents over their mean, at least 1: 1 if they are independent, more if they come in clusters.
   1 with fewer than two seeds. */
double hazard_dispersion(const HazardPoint *p);

typedef struct {
    HazardPoint point[HAZARD_POINTS_MAX];
    unsigned points;
} HazardGrid;

/* The games of the base: those of collisions.h, ended by a lower score, so that falls are frequent enough to count. */
void hazard_defaults(DatagenSettings *s);

/* The points of the series in the set `series`, a bit for each. `nodes` are those of a seed; points where falls are rare
   have up to eight times as many. */
void hazard_grid_make(HazardGrid *grid, const DatagenSettings *base, uint64_t series, uint64_t nodes);

typedef struct {
    unsigned threads, seeds; /* the first seed is that of the settings */
    /* After each game, under a lock: the part of all nodes that is done, 0 to 1, and the point of that game. True ends
       all runs. NULL: nobody. */
    bool (*watch)(void *context, double done, const HazardPoint *point);
    void *context;
} HazardGridJob;

/* Measures all points. False with an error: no memory, no thread. A run that is ended by watch has the runs completed
   until then. */
bool hazard_grid_run(HazardGrid *grid, const HazardGridJob *job, TabiaError *error);
