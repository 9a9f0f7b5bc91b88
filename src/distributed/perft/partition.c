/* SPDX-License-Identifier: MIT */
#include "partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rules/movegen.h"

enum { WALKS = 2000 };

/* What was drawn, later what no slice of the levels before has taken; and what each slice weighs. */
typedef struct {
    OwnerKey *view;
    size_t n, room;
    double load[PARTITION_LEVELS][PARTITION_SLOTS];
} Sample;

/* Notes the children of a position reached from the unit by random moves. A walk that ends early notes nothing. */
static bool walk(Sample *s, Position p, int plies, uint64_t *random) {
    Move list[MOVES_MAX];
    for (; plies; plies--) {
        const unsigned n = moves_list(&p, list);
        if (!n) return true;
        position_play(&p, &p, list[random_below(random, n)]);
    }
    const unsigned n = moves_list(&p, list);
    if (s->n + n > s->room) {
        const size_t room = 2 * (s->n + n) + 1024;
        void *larger = realloc(s->view, room * sizeof *s->view);
        if (!larger) return false;
        s->view = larger, s->room = room;
    }
    for (unsigned i = 0; i < n; i++) s->view[s->n++] = owner_key_of_move(&p, list[i]);
    return true;
}

/* Those of slices that are told apart by the next level. */
static void keep_finer(const PartitionMap *map, Sample *s, unsigned level) {
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++)
        if (map->rank[level][partition_slot(s->view[i], level)] == PARTITION_NEXT_LEVEL) s->view[kept++] = s->view[i];
    s->n = kept;
}

/* Level by level: what each slice weighs of those positions that no coarser slice has taken. */
static void split_heavy(PartitionMap *map, Sample *s, unsigned ranks) {
    const double most = 0.5 * (double)s->n / ranks;
    for (unsigned level = 0; level < PARTITION_LEVELS && s->n; level++) {
        for (size_t i = 0; i < s->n; i++) s->load[level][partition_slot(s->view[i], level)]++;
        for (unsigned slice = 0; slice < PARTITION_SLOTS && level + 1 < PARTITION_LEVELS; slice++)
            if (s->load[level][slice] > most) map->rank[level][slice] = PARTITION_NEXT_LEVEL;
        keep_finer(map, s, level);
    }
}

typedef struct {
    double load;
    uint16_t level, slice;
} Piece;

static int heavier_first(const void *left, const void *right) {
    const Piece *a = left, *b = right;
    if (a->load != b->load) return a->load > b->load ? -1 : 1;
    return (a->level - b->level) * PARTITION_SLOTS + a->slice - b->slice;
}

/* Slices that the sample did not meet weigh a little, so that they are spread as well. */
static void give_out(PartitionMap *map, const Sample *s, double *rank_load, unsigned ranks) {
    Piece piece[PARTITION_LEVELS * PARTITION_SLOTS];
    unsigned n = 0;
    for (uint16_t level = 0; level < PARTITION_LEVELS; level++)
        for (uint16_t slice = 0; slice < PARTITION_SLOTS; slice++)
            if (map->rank[level][slice] != PARTITION_NEXT_LEVEL)
                piece[n++] = (Piece){s->load[level][slice] + 0.01, level, slice};
    qsort(piece, n, sizeof *piece, heavier_first);
    for (unsigned i = 0; i < n; i++) {
        unsigned least = 0;
        for (unsigned r = 1; r < ranks; r++)
            if (rank_load[r] < rank_load[least]) least = r;
        map->rank[piece[i].level][piece[i].slice] = (uint16_t)least;
        rank_load[least] += piece[i].load;
    }
}

void partition_fill(PartitionMap *map, unsigned rank) {
    for (unsigned level = 0; level < PARTITION_LEVELS; level++)
        for (unsigned slice = 0; slice < PARTITION_SLOTS; slice++) map->rank[level][slice] = (uint16_t)rank;
}

bool partition_build(PartitionMap *map, const Frontier *f, int plies, unsigned ranks, Fault *fault) {
    partition_fill(map, 0);
    if (ranks == 1) return true;
    Sample *s = calloc(1, sizeof *s);
    double *rank_load = calloc(ranks, sizeof *rank_load);
    bool good = s && rank_load;
    uint64_t random = 1;
    for (size_t i = 0; good && f->units && i < WALKS; i++)
        good = walk(s, f->position[i * f->units / WALKS % f->units], plies, &random);
    if (good) {
        split_heavy(map, s, ranks);
        give_out(map, s, rank_load, ranks);
    }
    if (s) free(s->view);
    free(s);
    free(rank_load);
    return good || tabia_fault(fault, "not enough memory to share out positions");
}
