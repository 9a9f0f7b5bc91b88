/* SPDX-License-Identifier: MIT */
#include "partition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rules/movegen.h"

/* The keys that were drawn, later those that no slot of the levels before has taken; and the load of each slot. */
typedef struct {
    OwnerKey *key;
    size_t n, capacity;
    double load[PARTITION_LEVELS][PARTITION_SLOTS];
} PartitionSample;

/* Adds the children of a position reached from the unit by random moves. A walk that ends early adds nothing. */
static bool sample_children(PartitionSample *s, Position p, int plies, uint64_t *random) {
    Move list[MOVES_MAX];
    for (; plies; plies--) {
        const unsigned n = moves_list(&p, list);
        if (!n) return true;
        position_make_move(&p, &p, list[random_below(random, n)]);
    }
    const unsigned n = moves_list(&p, list);
    if (s->n + n > s->capacity) {
        const size_t capacity = 2 * (s->n + n) + 1024;
        void *larger = realloc(s->key, capacity * sizeof *s->key);
        if (!larger) return false;
        s->key = larger, s->capacity = capacity;
    }
    for (unsigned i = 0; i < n; i++) s->key[s->n++] = owner_key_of_move(&p, list[i]);
    return true;
}

/* Keeps the keys whose slot leads to the next level. */
static void keep_finer(const PartitionMap *map, PartitionSample *s, unsigned level) {
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++)
        if (map->owner[level][partition_slot(s->key[i], level)] == PARTITION_NEXT_LEVEL) s->key[kept++] = s->key[i];
    s->n = kept;
}

/* Level by level: the load of each slot by those keys that no coarser slot has taken. */
static void split_heavy_slots(PartitionMap *map, PartitionSample *s, unsigned ranks) {
    const double load_max = 0.5 * (double)s->n / ranks;
    for (unsigned level = 0; level < PARTITION_LEVELS && s->n; level++) {
        for (size_t i = 0; i < s->n; i++) s->load[level][partition_slot(s->key[i], level)]++;
        for (unsigned slot = 0; slot < PARTITION_SLOTS && level + 1 < PARTITION_LEVELS; slot++)
            if (s->load[level][slot] > load_max) map->owner[level][slot] = PARTITION_NEXT_LEVEL;
        keep_finer(map, s, level);
    }
}

typedef struct {
    double load;
    uint16_t level, slot;
} PartitionSlot;

static int compare_load(const void *left, const void *right) {
    const PartitionSlot *a = left, *b = right;
    if (a->load != b->load) return a->load > b->load ? -1 : 1;
    return (a->level - b->level) * PARTITION_SLOTS + a->slot - b->slot;
}

/* Slots that the sample did not meet have a small load, so that they are spread as well. */
static unsigned list_slots(const PartitionMap *map, const PartitionSample *s, PartitionSlot *list) {
    unsigned n = 0;
    for (unsigned level = 0; level < PARTITION_LEVELS; level++)
        for (unsigned slot = 0; slot < PARTITION_SLOTS; slot++)
            if (map->owner[level][slot] != PARTITION_NEXT_LEVEL)
                list[n++] = (PartitionSlot){s->load[level][slot] + 0.01, (uint16_t)level, (uint16_t)slot};
    return n;
}

static void assign_slots(PartitionMap *map, const PartitionSample *s, double *rank_load, unsigned ranks) {
    PartitionSlot list[PARTITION_LEVELS * PARTITION_SLOTS];
    const unsigned n = list_slots(map, s, list);
    qsort(list, n, sizeof *list, compare_load);
    for (unsigned i = 0; i < n; i++) {
        unsigned lightest = 0;
        for (unsigned r = 1; r < ranks; r++)
            if (rank_load[r] < rank_load[lightest]) lightest = r;
        map->owner[list[i].level][list[i].slot] = (uint16_t)lightest;
        rank_load[lightest] += list[i].load;
    }
}

void partition_fill(PartitionMap *map, unsigned rank) {
    for (unsigned level = 0; level < PARTITION_LEVELS; level++)
        for (unsigned slot = 0; slot < PARTITION_SLOTS; slot++) map->owner[level][slot] = (uint16_t)rank;
}

bool partition_build(PartitionMap *map, const Frontier *f, int plies, unsigned ranks, TabiaError *error) {
    enum { WALKS = 2000 };
    assert(ranks > 0 && ranks < PARTITION_NEXT_LEVEL && plies >= 0);
    partition_fill(map, 0);
    if (ranks == 1) return true;
    PartitionSample *s = calloc(1, sizeof *s);
    double *rank_load = calloc(ranks, sizeof *rank_load);
    bool good = s && rank_load;
    uint64_t random = 1;
    for (size_t i = 0; good && f->units.n && i < WALKS; i++)
        good = sample_children(s, f->units.position[i * f->units.n / WALKS % f->units.n], plies, &random);
    if (good) {
        split_heavy_slots(map, s, ranks);
        assign_slots(map, s, rank_load, ranks);
    }
    if (s) free(s->key);
    free(s);
    free(rank_load);
    return good || tabia_fail(error, "not enough memory to share out positions");
}
