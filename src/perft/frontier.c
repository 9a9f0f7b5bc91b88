/* SPDX-License-Identifier: MIT */
#include "frontier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

/* Makes room for the multiplicities of all units, and sets those of the units from `first` on to 0. */
static bool begin_multiplicities(Frontier *f, size_t first, TabiaError *error) {
    const size_t each = f->roots * sizeof *f->multiplicity;
    assert(first <= f->units.n && f->units.n <= f->units.capacity);
    if (f->capacity < f->units.n) {
        uint64_t *larger = realloc(f->multiplicity, f->units.capacity * each);
        if (!larger) return tabia_fail(error, "not enough memory for a frontier of %zu positions", f->units.capacity);
        f->multiplicity = larger, f->capacity = f->units.capacity;
    }
    if (first < f->units.n) memset(f->multiplicity + first * f->roots, 0, (f->units.n - first) * each);
    return true;
}

/* Adds to `next` what stands one move below unit u of f. At the root each move has a multiplicity of its own. */
static bool expand_unit(const Frontier *f, size_t u, Frontier *next, const Zobrist *z, TabiaError *error) {
    ChildNumbers children;
    const size_t first = next->units.n;
    if (!position_set_expand(&next->units, &f->units.position[u], f->units.key[u], z, &children, error) ||
        !begin_multiplicities(next, first, error))
        return false;
    for (unsigned i = 0; i < children.n; i++) {
        uint64_t *multiplicity = next->multiplicity + (size_t)children.number[i] * f->roots;
        if (f->ply == 0)
            multiplicity[i]++;
        else
            for (unsigned r = 0; r < f->roots; r++) multiplicity[r] += f->multiplicity[u * f->roots + r];
    }
    return true;
}

static bool expand(Frontier *f, const Zobrist *z, FrontierLimits limits, bool *grew, TabiaError *error) {
    enum { CAPACITY_MIN = 768 };
    Frontier next = *f;
    next.ply++;
    next.units = (PositionSet){.is_multiset = !limits.merge};
    next.multiplicity = NULL, next.capacity = 0;
    bool good = position_set_reserve(&next.units, CAPACITY_MIN, error);
    for (size_t u = 0; good && u < f->units.n && next.units.n <= limits.max; u++)
        good = expand_unit(f, u, &next, z, error);
    position_set_complete(&next.units);
    *grew = good && next.units.n <= limits.max;
    if (!*grew) {
        frontier_free(&next);
        return good;
    }
    frontier_free(f);
    *f = next;
    f->positions_at[f->ply] = f->units.n;
    return true;
}

static bool begin_at_root(Frontier *f, const Position *root, const Zobrist *z, TabiaError *error) {
    size_t unit;
    bool is_new;
    *f = (Frontier){0};
    f->roots = moves_list(root, f->root_move);
    if (!position_set_add(&f->units, zobrist_key(z, root), &unit, &is_new, error)) return false;
    f->units.position[unit] = *root;
    f->positions_at[0] = 1;
    return true;
}

bool frontier_make(Frontier *f, const Position *root, const Zobrist *z, FrontierLimits limits, TabiaError *error) {
    if (!begin_at_root(f, root, z, error)) return false;
    if (limits.max_ply > FRONTIER_PLIES_MAX) limits.max_ply = FRONTIER_PLIES_MAX;
    bool grew = true;
    while (grew && f->units.n && f->ply < limits.max_ply && (f->ply == 0 || f->units.n < limits.enough))
        if (!expand(f, z, limits, &grew, error)) {
            frontier_free(f);
            return false;
        }
    return true;
}

void frontier_free(Frontier *f) {
    position_set_free(&f->units);
    free(f->multiplicity);
    f->multiplicity = NULL, f->capacity = 0;
}
