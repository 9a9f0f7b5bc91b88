/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <assert.h>

typedef enum { AT_TABLE, BEFORE_CAPTURES, AT_WINNING, AT_KILLERS, BEFORE_QUIETS, AT_QUIETS, AT_LOSING, AT_END } Stage;

/* A rank holds a score of 23 bits and an index of 9. Those of losing captures lie below all others. */
enum { INDEX_BITS = 9, LOSS = 1 << 21, TAKEN = INT32_MIN };

static int capture_score(const Position *p, Move m, const OrderHints *hints) {
    return 16 * game_gain(p, m) + *order_capture_history(hints->histories, p, m) / 8;
}

/* ---- ranks ---- */

static int32_t rank_of(int score, unsigned index) {
    assert(score > -LOSS && score < LOSS);
    return (int32_t)((uint32_t)score << INDEX_BITS | (ORDER_ROOM - 1 - index));
}
static int score_of(int32_t rank) {
    return rank >> INDEX_BITS;
}
static unsigned index_of(int32_t rank) {
    return ORDER_ROOM - 1 - ((uint32_t)rank & (ORDER_ROOM - 1));
}

/* Fills up to whole lanes; returns where the next list may begin. */
static unsigned fill_up(Picker *k, unsigned n) {
    while (n % ORDER_LANES) k->rank[n++] = TAKEN;
    return n;
}

/* The highest rank from index `from` to `end`, which are multiples of ORDER_LANES; TAKEN: none left. */
static int32_t highest(const Picker *k, unsigned from, unsigned end) {
    int32_t best[ORDER_LANES];
    for (int lane = 0; lane < ORDER_LANES; lane++) best[lane] = TAKEN;
    for (const int32_t *r = &k->rank[from]; r < &k->rank[end]; r += ORDER_LANES)
        for (int lane = 0; lane < ORDER_LANES; lane++) best[lane] = r[lane] > best[lane] ? r[lane] : best[lane];
    for (int half = ORDER_LANES / 2; half; half /= 2)
        for (int lane = 0; lane < half; lane++)
            best[lane] = best[lane + half] > best[lane] ? best[lane + half] : best[lane];
    return best[0];
}

/* ---- lists ---- */

static void list_captures(Picker *k) {
    const unsigned n = game_captures(k->p, k->move);
    for (unsigned i = 0; i < n; i++)
        k->rank[i] = k->move[i] == k->table ? TAKEN : rank_of(capture_score(k->p, k->move[i], k->hints), i);
    k->captures_end = fill_up(k, n);
}

static void list_quiets(Picker *k) {
    const unsigned begin = k->captures_end, end = begin + game_quiets(k->p, &k->move[begin]);
    for (unsigned i = begin; i < end; i++) {
        const Move m = k->move[i];
        const bool given = m == k->table || m == k->refuting[0] || m == k->refuting[1] || m == k->refuting[2];
        k->rank[i] = given ? TAKEN : rank_of(order_quiet_history(k->p, m, k->hints), i);
    }
    k->quiets_end = fill_up(k, end);
}

/* ---- stages: each gives a move, or 0 when it is done ---- */

static Move next_winning(Picker *k, int *order) {
    for (;;) {
        const int32_t rank = highest(k, 0, k->captures_end);
        const int score = score_of(rank);
        if (score <= -LOSS / 2) return 0;
        const unsigned i = index_of(rank);
        const Move m = k->move[i];
        *order = ORDER_CAPTURE + score;
        k->rank[i] = TAKEN;
        if (k->captures_only || game_see_at_least(k->p, m, -20)) return m;
        k->rank[i] = rank_of(score - LOSS / 2 - LOSS / 4, i);
    }
}

static Move next_killer(Picker *k, int *order) {
    while (k->refutation < 3) {
        const unsigned i = k->refutation++;
        const Move m = k->refuting[i];
        *order = ORDER_KILLER + 2 - (int)i;
        const bool again = m == k->table || (i > 0 && m == k->refuting[0]) || (i > 1 && m == k->refuting[1]);
        if (m && !again && game_is_quiet(k->p, m) && game_is_legal(k->p, m)) return m;
        k->refuting[i] = 0;
    }
    return 0;
}

static Move next_ranked(Picker *k, unsigned from, unsigned end, int *score) {
    const int32_t rank = highest(k, from, end);
    if (rank == TAKEN) return 0;
    const unsigned i = index_of(rank);
    k->rank[i] = TAKEN;
    *score = score_of(rank);
    return k->move[i];
}

static Move next_losing(Picker *k, int *order) {
    int score = 0;
    const Move m = next_ranked(k, 0, k->captures_end, &score);
    *order = ORDER_LOSING + score + LOSS / 2 + LOSS / 4;
    return m;
}

static Move next_of_stage(Picker *k, int *order) {
    switch ((Stage)k->stage) {
    case AT_TABLE:
        *order = ORDER_TABLE;
        return k->given ? 0 : k->table;
    case BEFORE_CAPTURES:
        list_captures(k);
        return 0;
    case AT_WINNING:
        return next_winning(k, order);
    case AT_KILLERS:
        return k->no_quiets ? 0 : next_killer(k, order);
    case BEFORE_QUIETS:
        if (!k->no_quiets) list_quiets(k);
        return 0;
    case AT_QUIETS:
        return k->no_quiets ? 0 : next_ranked(k, k->captures_end, k->quiets_end, order);
    default:
        return next_losing(k, order);
    }
}

Move order_next(Picker *k, int *order) {
    int ignored;
    if (!order) order = &ignored;
    for (; k->stage < AT_END; k->stage++) {
        const Move m = next_of_stage(k, order);
        if (!m) continue;
        k->given++;
        return m;
    }
    return 0;
}

/* ---- beginning ---- */

static void begin(Picker *k, const Position *p, const OrderHints *hints, bool captures_only) {
    const Move m = hints->table;
    k->p = p, k->hints = hints;
    k->stage = AT_TABLE;
    k->captures_only = k->no_quiets = captures_only;
    k->given = k->refutation = 0;
    k->table = m && (!captures_only || game_is_capture(p, m)) && game_is_legal(p, m) ? m : 0;
}

void order_all(Picker *k, const Position *p, const OrderHints *hints) {
    begin(k, p, hints, false);
    k->refuting[0] = hints->killer[0], k->refuting[1] = hints->killer[1], k->refuting[2] = hints->counter;
}

void order_captures(Picker *k, const Position *p, const OrderHints *hints) {
    begin(k, p, hints, true);
}
