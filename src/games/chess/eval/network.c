/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <string.h>

/* Rows in pieces that the compiler keeps in registers, as wide as the machine has them. */
enum { LANES = 32 };
typedef int16_t Lanes16 __attribute__((vector_size(LANES * 2), may_alias));

INLINE Lanes16 at(const int16_t *row) {
    return *(const Lanes16 *)row;
}
INLINE void put(int16_t *row, Lanes16 v) {
    *(Lanes16 *)row = v;
}

/* ---- sums ---- */

/* The squares on which not the same man stands in both. */
static Bits apart(const Position *a, const Position *b) {
    return (a->side[WHITE] ^ b->side[WHITE]) | (a->side[BLACK] ^ b->side[BLACK]) | (a->pawn ^ b->pawn) |
           (a->knight ^ b->knight) | (a->diag ^ b->diag) | (a->orth ^ b->orth) | (a->king ^ b->king);
}

/* The rows of the men that came, and of those that went. */
typedef struct {
    const int16_t *came[32], *went[32];
    int came_n, went_n;
} Changes;

INLINE const int16_t *row_of(const Network *n, const Position *p, int s, Colour c, int view) {
    const Colour owner = p->side[BLACK] >> s & 1 ? BLACK : WHITE;
    return n->input[network_input(c, view, owner, kind_looked_up(p, s), s)];
}

INLINE void list_changes(Changes *l, const Network *n, const Position *from, const Position *p, Bits changed, Colour c,
                         int view) {
    l->came_n = l->went_n = 0;
    EACH (s, changed) {
        if (occupied(p) >> s & 1) l->came[l->came_n++] = row_of(n, p, (int)s, c, view);
        if (occupied(from) >> s & 1) l->went[l->went_n++] = row_of(n, from, (int)s, c, view);
    }
}

/* to = from + came - went, which may be one place. */
INLINE void exchange_rows(int16_t *to, const int16_t *from, const int16_t *came, const int16_t *went) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) put(to + i, at(from + i) + at(came + i) - at(went + i));
}
INLINE void add_row(int16_t *to, const int16_t *from, const int16_t *came) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) put(to + i, at(from + i) + at(came + i));
}
INLINE void take_row(int16_t *to, const int16_t *from, const int16_t *went) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) put(to + i, at(from + i) - at(went + i));
}

INLINE void change_sums(int16_t *to, const int16_t *from, const Changes *l) {
    int i = 0;
    for (; i < l->came_n && i < l->went_n; i++, from = to) exchange_rows(to, from, l->came[i], l->went[i]);
    for (int j = i; j < l->came_n; j++, from = to) add_row(to, from, l->came[j]);
    for (int j = i; j < l->went_n; j++, from = to) take_row(to, from, l->went[j]);
    if (from != to) memcpy(to, from, NETWORK_WIDTH * sizeof *to);
}

/* Something that is remembered, and where it differs from a position. */
typedef struct {
    const NetworkSums *sums;
    Bits changed;
} Start;

/* The nearer of two as side c sees them; no men at all, if its king was in the other half of the board. */
INLINE Start nearest(const NetworkMemory *m, const Start start[2], const Position *p, Colour c, int view) {
    Start best = {&m->none, occupied(p)};
    for (int i = 0; i < 2; i++) {
        const Position *of = &start[i].sums->of;
        if (of->king && network_view(of, c) == view && count(start[i].changed) < count(best.changed)) best = start[i];
    }
    return best;
}

static void bring_up(NetworkMemory *m, const Network *n, const Position *p, unsigned ply) {
    NetworkSums *own = &m->line[ply % NETWORK_LINE];
    const NetworkSums *parent = &m->line[(ply - 1) % NETWORK_LINE];
    const Start start[2] = {{parent, apart(&parent->of, p)}, {own, apart(&own->of, p)}};
    for (int c = WHITE; c <= BLACK; c++) {
        const int view = network_view(p, (Colour)c);
        const Start from = nearest(m, start, p, (Colour)c, view);
        Changes changes;
        list_changes(&changes, n, &from.sums->of, p, from.changed, (Colour)c, view);
        change_sums(own->sum[c], from.sums->sum[c], &changes);
    }
    own->of = *p;
}

void network_forget(NetworkMemory *m, const Network *n) {
    memset(m, 0, sizeof *m);
    for (int c = WHITE; c <= BLACK; c++) memcpy(m->none.sum[c], n->input_bias, sizeof n->input_bias);
}

/* ---- output ---- */

INLINE Lanes16 clipped(Lanes16 v) {
    const Lanes16 most = (Lanes16){0} + NETWORK_INPUT_ONE, low = v < most, kept = (v & low) | (most & ~low);
    return kept & (kept > 0);
}

/* The square is taken by halves, (v * weight) * v, since v * weight still has 16 bits. */
INLINE int32_t output_of(const int16_t *sum, const int16_t *weight) {
    _Alignas(64) int16_t v[NETWORK_WIDTH], weighted[NETWORK_WIDTH];
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) {
        const Lanes16 value = clipped(at(sum + i));
        put(v + i, value), put(weighted + i, value * at(weight + i));
    }
    int32_t total = 0;
    for (int i = 0; i < NETWORK_WIDTH; i++) total += weighted[i] * v[i];
    return total;
}

int network_value(NetworkMemory *m, const Network *n, const Position *p, unsigned ply) {
    bring_up(m, n, p, ply);
    const NetworkSums *own = &m->line[ply % NETWORK_LINE];
    const int bucket = network_bucket(count(occupied(p)));
    const int64_t squared = (int64_t)output_of(own->sum[p->turn], n->output[bucket][0]) +
                            output_of(own->sum[!p->turn], n->output[bucket][1]);
    const int64_t total = squared / NETWORK_INPUT_ONE + n->output_bias[bucket];
    return (int)(total * NETWORK_SCALE / (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE));
}
