/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <assert.h>

typedef enum {
    STAGE_TABLE_MOVE,
    STAGE_LIST_CAPTURES,
    STAGE_GOOD_CAPTURES,
    STAGE_LIST_QUIETS,
    STAGE_QUIETS,
    STAGE_BAD_CAPTURES,
    STAGE_END
} PickerStage;

/* A sort key holds an index and above it a score. Those of bad captures lie below all others. */
enum { BAD_CAPTURE_OFFSET = 1 << (30 - PICKER_INDEX_BITS), USED_KEY = INT32_MIN };

static int capture_score(const Position *p, Move m, const OrderingHints *hints) {
    return 16 * game_capture_value(p, m) + *capture_history_entry(hints->histories, p, m) / 8;
}

/* ---- sort keys ---- */

static int32_t sort_key_of(int score, unsigned index) {
    assert(score > -BAD_CAPTURE_OFFSET && score < BAD_CAPTURE_OFFSET);
    return (int32_t)((uint32_t)score << PICKER_INDEX_BITS | (PICKER_CAPACITY - 1 - index));
}
static int score_of_key(int32_t sort_key) {
    return sort_key >> PICKER_INDEX_BITS;
}
static unsigned index_of_key(int32_t sort_key) {
    return PICKER_CAPACITY - 1 - ((uint32_t)sort_key & (PICKER_CAPACITY - 1));
}

/* Pads to whole lanes; returns where the next list begins. */
static unsigned pad_to_lanes(MovePicker *k, unsigned n) {
    while (n % PICKER_LANES) k->sort_key[n++] = USED_KEY;
    return n;
}

/* The maximum sort key from index `from` to `end`, which are multiples of PICKER_LANES; USED_KEY: none left. */
static int32_t max_sort_key(const MovePicker *k, unsigned from, unsigned end) {
    typedef int32_t KeyLanes __attribute__((vector_size(PICKER_LANES * sizeof(int32_t)), may_alias));
    KeyLanes best = (KeyLanes){0} + USED_KEY;
    for (unsigned i = from; i < end; i += PICKER_LANES) {
        const KeyLanes keys = *(const KeyLanes *)&k->sort_key[i], above = keys > best;
        best = (keys & above) | (best & ~above);
    }
    int32_t max = best[0];
    for (int lane = 1; lane < PICKER_LANES; lane++) max = best[lane] > max ? best[lane] : max;
    return max;
}

/* ---- lists ---- */

static void list_captures(MovePicker *k) {
    const unsigned n = game_captures(k->p, k->move);
    assert(n <= MOVES_MAX);
    for (unsigned i = 0; i < n; i++)
        k->sort_key[i] = k->move[i] == k->table ? USED_KEY : sort_key_of(capture_score(k->p, k->move[i], k->hints), i);
    k->captures_end = pad_to_lanes(k, n);
}

static void list_quiets(MovePicker *k) {
    const unsigned begin = k->captures_end, end = begin + game_quiets(k->p, &k->move[begin]);
    for (unsigned i = begin; i < end; i++) {
        const Move m = k->move[i];
        k->sort_key[i] = m == k->table ? USED_KEY : sort_key_of(quiet_history_score(k->p, m, k->hints), i);
    }
    k->quiets_end = pad_to_lanes(k, end);
    assert(k->captures_end % PICKER_LANES == 0 && k->quiets_end <= PICKER_CAPACITY);
}

/* ---- stages: each returns a move, or 0 at its end ---- */

static Move next_good_capture(MovePicker *k, int *ordering_score) {
    for (;;) {
        const int32_t sort_key = max_sort_key(k, 0, k->captures_end);
        const int score = score_of_key(sort_key);
        if (score <= -BAD_CAPTURE_OFFSET / 2) return 0;
        const unsigned i = index_of_key(sort_key);
        const Move m = k->move[i];
        *ordering_score = ORDER_CAPTURE + score;
        k->sort_key[i] = USED_KEY;
        if (k->captures_only || game_see_at_least(k->p, m, -20)) return m;
        k->sort_key[i] = sort_key_of(score - BAD_CAPTURE_OFFSET / 2 - BAD_CAPTURE_OFFSET / 4, i);
    }
}

static Move next_by_sort_key(MovePicker *k, unsigned from, unsigned end, int *score) {
    const int32_t sort_key = max_sort_key(k, from, end);
    if (sort_key == USED_KEY) return 0;
    const unsigned i = index_of_key(sort_key);
    assert(i >= from && i < end);
    k->sort_key[i] = USED_KEY;
    *score = score_of_key(sort_key);
    return k->move[i];
}

static Move next_bad_capture(MovePicker *k, int *ordering_score) {
    int score = 0;
    const Move m = next_by_sort_key(k, 0, k->captures_end, &score);
    *ordering_score = ORDER_LOSING + score + BAD_CAPTURE_OFFSET / 2 + BAD_CAPTURE_OFFSET / 4;
    return m;
}

static Move next_in_stage(MovePicker *k, int *ordering_score) {
    switch ((PickerStage)k->stage) {
    case STAGE_TABLE_MOVE:
        *ordering_score = ORDER_TABLE;
        return k->returned ? 0 : k->table;
    case STAGE_LIST_CAPTURES:
        list_captures(k);
        return 0;
    case STAGE_GOOD_CAPTURES:
        return next_good_capture(k, ordering_score);
    case STAGE_LIST_QUIETS:
        if (!k->no_quiets) list_quiets(k);
        return 0;
    case STAGE_QUIETS:
        return k->no_quiets ? 0 : next_by_sort_key(k, k->captures_end, k->quiets_end, ordering_score);
    default:
        return next_bad_capture(k, ordering_score);
    }
}

Move picker_next(MovePicker *k, int *ordering_score) {
    int ignored;
    if (!ordering_score) ordering_score = &ignored;
    for (; k->stage < STAGE_END; k->stage++) {
        const Move m = next_in_stage(k, ordering_score);
        if (!m) continue;
        assert(game_is_legal(k->p, m) && k->returned < MOVES_MAX);
        k->returned++;
        return m;
    }
    return 0;
}

/* ---- initialisation ---- */

static void init_picker(MovePicker *k, const Position *p, const OrderingHints *hints, bool captures_only) {
    const Move m = hints->table;
    k->p = p, k->hints = hints;
    k->stage = STAGE_TABLE_MOVE;
    k->captures_only = k->no_quiets = captures_only;
    k->returned = 0;
    k->table = m && (!captures_only || game_is_capture(p, m)) && game_is_legal(p, m) ? m : 0;
}

void picker_init(MovePicker *k, const Position *p, const OrderingHints *hints) {
    init_picker(k, p, hints, false);
}

void picker_init_captures(MovePicker *k, const Position *p, const OrderingHints *hints) {
    init_picker(k, p, hints, true);
}
