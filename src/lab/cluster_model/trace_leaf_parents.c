/* SPDX-License-Identifier: MIT */
/* A position of the floor: its children go home (distributed/perft/partition.h). */
#include <string.h>

#include "base/stop.h"
#include "rules/movegen.h"
#include "trace_make.h"

/* The homes of what a move leads to, for each number of them; where nothing is recorded, for the number that counts, so
   that a position falls into no more parts than on so many ranks. */
static void find_homes(const Making *m, const Position *p, Move move, uint16_t home[TRACE_HOMES_MAX]) {
    const OwnerKey view = owner_key_of_move(p, move);
    memset(home, 0, TRACE_HOMES_MAX * sizeof *home);
    for (unsigned i = 0; i < m->job->homes_n; i++)
        if (m->trace || m->place == i + 1) home[i] = (uint16_t)partition_owner(&m->map[i], view);
}

/* From the home's table, or counted there. */
uint64_t trace_count_at_home(Making *m, const Position *p, Key key, int depth, TabiaTable *home) {
    const TabiaKey table_key = {key[0], key[1]};
    uint64_t leaves = tabia_counts_probe(home, table_key, (unsigned)depth);
    if (leaves) return leaves;
    CountContext c = {.zobrist = m->zobrist, .table = home, .stop = tabia_stop_flag()};
    leaves = (uint64_t)m->kernel->count(&c, p, key, depth);
    m->sums.counted += c.probes - c.hits + 1;
    tabia_counts_store(home, table_key, (unsigned)depth, leaves);
    return leaves;
}

/* A position of the floor, and the homes of its children. */
typedef struct {
    unsigned n;
    Move move[MOVES_MAX];
    uint16_t home[MOVES_MAX][TRACE_HOMES_MAX];
} Family;

/* As a home counts them. Two plies are asked of no table, and each counts as one that none knew. */
static uint64_t count_children(const Making *m, CountContext *c, const Position *p, Key key, const Move *list,
                               unsigned n, int depth) {
    enum { MERGED = 3 };
    Key keys[MOVES_MAX];
    if (depth >= MERGED) {
        m->kernel->keys(m->zobrist, p, key, list, n, keys);
        const Siblings children = {p, list, keys, n, depth};
        m->kernel->expect(c, &children);
        return (uint64_t)m->kernel->children(c, &children);
    }
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++, c->probes++) {
        Position child;
        position_play(&child, p, list[i]);
        leaves += m->kernel->last_two(&child);
    }
    return leaves;
}

/* The moves from `first` on that have the same homes; they are taken out. */
static uint64_t count_part(Making *m, Family *f, unsigned first, const Position *p, Key key, int depth,
                           unsigned *moves) {
    const unsigned home = m->place ? f->home[first][m->place - 1] : 0;
    CountContext c = {.zobrist = m->zobrist, .table = m->table[home], .stop = tabia_stop_flag()};
    Move list[MOVES_MAX];
    *moves = 0;
    for (unsigned i = first; i < f->n; i++) {
        if (!f->move[i] || memcmp(f->home[i], f->home[first], sizeof f->home[i])) continue;
        list[(*moves)++] = f->move[i];
        f->move[i] = 0;
    }
    const uint64_t leaves = count_children(m, &c, p, key, list, *moves, depth - 1);
    m->sums.counted += c.probes - c.hits;
    m->busy[home] += c.probes - c.hits;
    return leaves;
}

uint64_t trace_count_by_homes(Making *m, const Position *p, Key key, int depth) {
    Family f;
    f.n = moves_list(p, f.move);
    for (unsigned i = 0; i < f.n; i++) find_homes(m, p, f.move[i], f.home[i]);
    uint64_t leaves = 0;
    trace_note(m, TRACE_WORK, 0, 0);
    for (unsigned first = 0, parts = 0, moves; first < f.n; first++) {
        if (!f.move[first]) continue;
        leaves += count_part(m, &f, first, p, key, depth, &moves);
        if (m->trace) trace_add_send(m->trace, parts++, moves, f.home[first], trace_take_time(m));
    }
    return leaves;
}
