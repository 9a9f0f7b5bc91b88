/* SPDX-License-Identifier: MIT */
#include "units.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "notation/fen.h"
#include "rules/movegen.h"

FrontierLimits units_limits(const PerftJob *job, unsigned workers) {
    if (job->kinds) /* nothing is merged below the units: in a long count many are worth their memory */
        return (FrontierLimits){.max_ply = job->depth > 3 ? job->depth - 2 : job->depth > 1,
                                .enough = job->depth > 7 ? 1000000 : 20000,
                                .max = 1000000,
                                .merge = job->hash_bytes != 0};
    if (!job->hash_bytes && !job->ledger)
        return (FrontierLimits){
            .max_ply = job->depth > 4 ? job->depth - 3 : job->depth > 0, .enough = 100 * workers, .max = 200000};
    return (FrontierLimits){.max_ply = job->depth > 5 ? job->depth - 4 : job->depth > 0,
                            .enough = 20000,
                            .max = 1000000,
                            .merge = job->hash_bytes != 0};
}

/* Leaves of most units fit a word, and then a product is a third of the work. */
INLINE void add_paths(PerftState *s, const uint64_t *multiplicity, uint64_t low, uint64_t high) {
    uint64_t paths = 0; /* of all root moves: they fit (frontier.h) */
    for (unsigned r = 0; r < s->frontier.roots; r++) {
        paths += multiplicity[r];
        s->divide[r] += (U128)low * multiplicity[r] + ((U128)(high * multiplicity[r]) << 64);
    }
    s->nodes += (U128)low * paths + ((U128)(high * paths) << 64);
}

void units_sum(PerftState *s) {
    const PositionSet *units = &s->frontier.units;
    for (size_t u = 0; u < units->n; u++) s->work_total += units_size(&units->position[u]);
}

void units_add(PerftState *s, size_t unit, U128 leaves) {
    const Frontier *f = &s->frontier;
    assert(unit < f->units.n && s->units_done < f->units.n);
    s->units_done++, s->work_done += units_size(&f->units.position[unit]);
    if (f->ply == 0) { /* the root itself, which has no multiplicities; at most one ply is counted from it */
        s->nodes += leaves;
        for (unsigned r = 0; r < f->roots; r++) s->divide[r] = s->job->depth;
        return;
    }
    const uint64_t *multiplicity = f->multiplicity + unit * f->roots;
    if (leaves >> 64)
        add_paths(s, multiplicity, (uint64_t)leaves, (uint64_t)(leaves >> 64));
    else
        add_paths(s, multiplicity, (uint64_t)leaves, 0);
}

void units_add_kinds(PerftState *s, size_t unit, const U128 kinds[KINDS]) {
    const Frontier *f = &s->frontier;
    uint64_t paths = f->ply == 0;
    for (unsigned r = 0; f->ply && r < f->roots; r++) paths += f->multiplicity[unit * f->roots + r];
    for (unsigned k = 0; k < KINDS; k++) s->kinds[k] += kinds[k] * paths;
}

void units_prefetch(const PerftState *s, size_t unit) {
    enum { CACHE_LINE = 64 };
    const Frontier *f = &s->frontier;
    if (f->ply == 0) return;
    const char *multiplicity = (const char *)(f->multiplicity + unit * f->roots);
    for (size_t at = 0; at < f->roots * sizeof *f->multiplicity; at += CACHE_LINE)
        __builtin_prefetch(multiplicity + at);
}

/* ---- the ledger ---- */

typedef struct {
    PerftState *state;
    bool *done;
    U128 *leaves;
} Resume;

static void resume_unit(void *context, uint64_t unit, U128 leaves) {
    Resume *r = context;
    if (unit >= r->state->frontier.units.n || r->done[unit]) return;
    r->done[unit] = true;
    if (r->leaves) r->leaves[unit] = leaves;
    units_add(r->state, unit, leaves);
    r->state->units_resumed++;
    r->state->nodes_resumed = r->state->nodes;
}

/* One number for all the positions that the units are, in their order. */
static uint64_t units_fingerprint(const Frontier *f) {
    uint64_t sum = f->units.n;
    for (size_t u = 0; u < f->units.n; u++) {
        uint64_t words[sizeof(Position) / 8];
        memcpy(words, &f->units.position[u], sizeof words);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            uint64_t state = sum ^ words[i];
            sum = random_next(&state);
        }
    }
    return sum;
}

static void ignore_unit(void *context, uint64_t unit, U128 leaves) {
    (void)context, (void)unit, (void)leaves;
}

/* Are these two the same count, "perft 11 in ... of FEN", in other units? */
static bool is_same_count(const char *a, const char *b) {
    const char *a_units = strstr(a, " in "), *b_units = strstr(b, " in "), *a_root = strstr(a, " of "),
               *b_root = strstr(b, " of ");
    return a_units && b_units && a_root && b_root && a_units - a == b_units - b &&
           !strncmp(a, b, (size_t)(a_units - a)) && !strcmp(a_root, b_root) && strcmp(a, b) != 0;
}

/* A ledger of other units was refused in words that leave the reader to find what differs: say it, if it is that. */
static void explain_units(const PerftJob *job, const char *run, TabiaError *error) {
    LedgerFacts facts;
    if (ledger_read(job->ledger, ignore_unit, NULL, &facts, NULL) && is_same_count(facts.run, run))
        tabia_fail(
            error,
            "ledger %.150s: of the same count in other units: it was begun %s --hash off, which this run has%s, or "
            "by another version; the file is left as it is",
            job->ledger, job->hash_bytes ? "with" : "without", job->hash_bytes ? " not" : "");
}

/* The run's name holds the units themselves, not only how many: a program that would number them in another order must
   not take over these counts. It stands in front of the FEN, which a refusal may cut off. */
Ledger *units_open_ledger(const PerftJob *job, PerftState *s, bool *done, U128 *leaves, TabiaError *error) {
    const Frontier *f = &s->frontier;
    char fen[FEN_MAX], name[FEN_MAX + 100];
    fen_write(&job->root, FEN_SHREDDER, fen);
    snprintf(name, sizeof name, "%s %d in %zu units (%016" PRIx64 ") at ply %d of %s", job->mates ? "mates" : "perft",
             job->depth, f->units.n, units_fingerprint(f), f->ply, fen);
    Resume resume = {s, done, leaves};
    Ledger *ledger = ledger_open(job->ledger, name, resume_unit, &resume, &s->ledger_cut, error);
    if (!ledger) explain_units(job, name, error);
    return ledger;
}

/* ---- order and size ---- */

typedef struct {
    LocalityKey locality;
    uint32_t unit;
} UnitLocality;

static int compare_locality(const void *left, const void *right) {
    const UnitLocality *a = left, *b = right;
    for (int i = 0; i < LOCALITY_WORDS; i++)
        if (a->locality.word[i] != b->locality.word[i]) return a->locality.word[i] < b->locality.word[i] ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

bool units_order(const Frontier *f, uint32_t *todo, size_t n, TabiaError *error) {
    UnitLocality *item = malloc((n + 1) * sizeof *item);
    if (!item) return tabia_fail(error, "not enough memory to sort %zu units of work", n);
    for (size_t i = 0; i < n; i++)
        item[i] = (UnitLocality){position_locality_key(&f->units.position[todo[i]]), todo[i]};
    qsort(item, n, sizeof *item, compare_locality);
    for (size_t i = 0; i < n; i++) todo[i] = item[i].unit;
    free(item);
    return true;
}

uint32_t units_size(const Position *p) {
    Position other;
    make_null_move(&other, p, (Colour)p->turn);
    return (moves_count(p) + 1) * (moves_count(&other) + 1);
}

/* Positions below the frontier, down to `lowest` plies below the root. Each ply grows as much as when the same side moved
   last, and less by half of what that had lost since its move before: the deeper, the more moves transpose. */
static double positions_below(const Frontier *f, int lowest) {
    double growth[4] = {0}, positions = (double)f->positions_at[0], sum = 0; /* growth of the last four plies */
    for (int ply = 1; ply <= lowest; ply++) {
        double *now = &growth[ply % 4], last = growth[(ply + 2) % 4];
        if (last == 0) last = growth[(ply + 3) % 4];
        const double falls = *now == 0 || last > *now ? 1 : last / *now;
        *now = ply <= f->ply ? (double)f->positions_at[ply] / positions : last * sqrt(falls);
        positions *= *now;
        if (ply > f->ply) sum += positions;
    }
    return sum;
}

uint64_t units_table_bytes(const PerftJob *job, const Frontier *f) {
    enum { BYTES_MIN = 1 << 20, LOWEST_MERGED = 2, SLOT_BYTES = 16 };
    const double entries = f->units.n ? positions_below(f, job->depth - LOWEST_MERGED) : 0;
    const double bytes = BYTES_MIN + 1.5 * entries * SLOT_BYTES;
    return bytes < (double)job->hash_bytes ? (uint64_t)bytes : job->hash_bytes;
}
