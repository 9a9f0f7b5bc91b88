/* SPDX-License-Identifier: MIT */
#include "order.h"

int order_quiet_history(const Position *p, Move m, const OrderHints *hints) {
    const int piece = game_piece(p, m), to = game_target(m);
    int sum = 2 * hints->histories->quiet[p->turn][game_way(m)];
    for (int i = 0; i < 3; i++) sum += (*hints->before[i])[piece][to];
    return sum;
}

int16_t *order_capture_history(Histories *h, const Position *p, Move m) {
    const Kind taken = game_taken(p, m);
    return &h->capture[game_piece(p, m)][game_target(m)][taken == NO_KIND ? PAWN : taken];
}

static int capture_score(const Position *p, Move m, const OrderHints *hints) {
    return 16 * game_gain(p, m) + *order_capture_history(hints->histories, p, m) / 8;
}

static int score_of(const Position *p, Move m, const OrderHints *hints) {
    if (m == hints->table) return ORDER_TABLE;
    if (!game_is_quiet(p, m))
        return capture_score(p, m, hints) + (game_see_at_least(p, m, -20) ? ORDER_CAPTURE : ORDER_LOSING);
    if (m == hints->killer[0]) return ORDER_KILLER + 2;
    if (m == hints->killer[1]) return ORDER_KILLER + 1;
    if (m == hints->counter) return ORDER_KILLER;
    return order_quiet_history(p, m, hints);
}

void order_all(Picker *k, const Position *p, const OrderHints *hints) {
    k->n = game_moves(p, k->move);
    k->next = 0;
    for (unsigned i = 0; i < k->n; i++) k->score[i] = score_of(p, k->move[i], hints);
}

void order_captures(Picker *k, const Position *p, const OrderHints *hints) {
    k->n = game_captures(p, k->move);
    k->next = 0;
    for (unsigned i = 0; i < k->n; i++)
        k->score[i] = k->move[i] == hints->table ? ORDER_TABLE : capture_score(p, k->move[i], hints);
}

Move order_next(Picker *k, int *score) {
    if (k->next == k->n) return 0;
    unsigned best = k->next;
    for (unsigned i = best + 1; i < k->n; i++)
        if (k->score[i] > k->score[best]) best = i;
    const Move m = k->move[best];
    const int s = k->score[best];
    k->move[best] = k->move[k->next], k->score[best] = k->score[k->next];
    k->next++;
    if (score) *score = s;
    return m;
}
