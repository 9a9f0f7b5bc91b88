/* SPDX-License-Identifier: MIT */
#include "frontier.h"

#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

static bool ply_grow(FrontierPly *p, TabiaError *error) {
    const size_t room = p->room ? 2 * p->room : 512, slots = 2 * room;
    Position *position = aligned_alloc(64, room * sizeof *position);
    Key *key = realloc(p->f.key, room * sizeof *key);
    if (key) p->f.key = key;
    uint64_t *multiplicity = realloc(p->f.multiplicity, room * p->f.roots * sizeof *multiplicity);
    if (multiplicity) p->f.multiplicity = multiplicity;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!position || !key || !multiplicity || !slot) {
        free(position);
        free(slot);
        return tabia_fail(error, "not enough memory for a frontier of %zu positions", room);
    }
    if (p->f.units) memcpy(position, p->f.position, p->f.units * sizeof *position);
    free(p->f.position);
    free(p->slot);
    p->f.position = position, p->slot = slot, p->slots = slots, p->room = room;
    for (size_t u = 0; u < p->f.units; u++) {
        size_t at = p->f.key[u][0] & (slots - 1);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)u + 1;
    }
    return true;
}

bool frontier_ply_find(FrontierPly *p, const Position *child, Key key, bool merge, size_t *unit, TabiaError *error) {
    if (p->f.units == p->room && !ply_grow(p, error)) return false;
    size_t at = key[0] & (p->slots - 1);
    for (; p->slot[at]; at = (at + 1) & (p->slots - 1)) {
        *unit = p->slot[at] - 1;
        if (merge && key_same(p->f.key[*unit], key)) return true;
    }
    *unit = p->f.units++;
    p->slot[at] = (uint32_t)p->f.units;
    p->f.position[*unit] = *child;
    p->f.key[*unit] = key;
    memset(p->f.multiplicity + *unit * p->f.roots, 0, p->f.roots * sizeof *p->f.multiplicity);
    return true;
}

/* Adds to `next` what stands one move below unit u of f. At the root each move has a multiplicity of its own. */
static bool expand_unit(const Frontier *f, size_t u, FrontierPly *next, const Zobrist *z, bool merge,
                        TabiaError *error) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(&f->position[u], list);
    for (unsigned i = 0; i < n; i++) {
        Position child;
        size_t unit;
        position_make_move(&child, &f->position[u], list[i]);
        if (!frontier_ply_find(next, &child, position_key_after(&f->position[u], f->key[u], list[i], z), merge, &unit,
                               error))
            return false;
        uint64_t *multiplicity = next->f.multiplicity + unit * f->roots;
        if (f->ply == 0)
            multiplicity[i]++;
        else
            for (unsigned r = 0; r < f->roots; r++) multiplicity[r] += f->multiplicity[u * f->roots + r];
    }
    return true;
}

static bool expand(Frontier *f, const Zobrist *z, FrontierLimits limits, bool *grew, TabiaError *error) {
    FrontierPly next = {.f = *f};
    next.f.units = 0, next.f.position = NULL, next.f.key = NULL, next.f.multiplicity = NULL;
    next.f.ply++;
    bool good = true;
    for (size_t u = 0; good && u < f->units && next.f.units <= limits.most; u++)
        good = expand_unit(f, u, &next, z, limits.merge, error);
    free(next.slot);
    *grew = good && next.f.units <= limits.most;
    if (!*grew) {
        frontier_free(&next.f);
        return good;
    }
    frontier_free(f);
    *f = next.f;
    return true;
}

bool frontier_make(Frontier *f, const Position *root, const Zobrist *z, FrontierLimits limits, TabiaError *error) {
    *f = (Frontier){.units = 1};
    f->roots = moves_list(root, f->root_move);
    f->position = aligned_alloc(64, sizeof *f->position);
    f->key = malloc(sizeof *f->key);
    if (!f->position || !f->key) {
        frontier_free(f);
        return tabia_fail(error, "not enough memory for one position");
    }
    *f->position = *root;
    *f->key = zobrist_key(z, root);
    if (limits.max_ply > FRONTIER_PLIES_MAX) limits.max_ply = FRONTIER_PLIES_MAX;
    bool grew = true;
    while (grew && f->units && f->ply < limits.max_ply && (f->ply == 0 || f->units < limits.enough))
        if (!expand(f, z, limits, &grew, error)) {
            frontier_free(f);
            return false;
        }
    return true;
}

void frontier_free(Frontier *f) {
    free(f->position);
    free(f->key);
    free(f->multiplicity);
    f->position = NULL, f->key = NULL, f->multiplicity = NULL, f->units = 0;
}

void frontier_ply_free(FrontierPly *p) {
    frontier_free(&p->f);
    free(p->slot);
    *p = (FrontierPly){0};
}
