/* SPDX-License-Identifier: MIT */
/* The updates of the histories by a node. */
#include "history.h"
#include "node.h"

/* Of a quiet move, once the moves of the node are ordered. */
static int16_t *butterfly_entry(Worker *w, const StackFrame *f, Move m) {
    return &w->histories->quiet[f->position.turn][game_from_to(m, f->threats)];
}

static void update_quiet_history(Worker *w, const StackFrame *f, Move m, int bonus) {
    const int piece = game_piece(&f->position, m), to = game_target(m);
    history_update(butterfly_entry(w, f, m), bonus);
    for (int i = 0; i < CONTINUATIONS; i++)
        history_update(&(*f[-CONTINUATION_PLIES[i]].continuation)[piece][to], bonus);
}

static bool is_after_quiet_move(const Node *n) {
    const StackFrame *before = n->f - 1;
    return n->ply > 0 && before->move && game_is_quiet(&before->position, before->move);
}

void node_update_by_evaluation(const Node *n) {
    const StackFrame *f = n->f, *before = f - 1;
    if (f->excluded || before->evaluation == SCORE_NONE || !is_after_quiet_move(n)) return;
    const int gain = -HISTORY_EVALUATION * (before->evaluation + f->evaluation), max = HISTORY_EVALUATION_MAX;
    history_update(butterfly_entry(n->w, before, before->move), gain > max ? max : gain < -max ? -max : gain);
}

static void update_by_cutoff(Node *n, int bonus) {
    const StackFrame *f = n->f;
    const TriedMoves *t = &n->tried;
    Histories *h = n->w->histories;
    if (game_is_quiet(&f->position, n->best_move)) {
        update_quiet_history(n->w, f, n->best_move, bonus);
        for (int i = 0; i < (int)t->quiets; i++)
            if (t->quiet[i] != n->best_move)
                update_quiet_history(n->w, f, t->quiet[i], -bonus * HISTORY_MALUS / (HISTORY_MALUS + i));
    } else {
        history_update(capture_history_entry(h, &f->position, n->best_move), bonus);
    }
    for (unsigned i = 0; i < t->captures; i++)
        if (t->capture[i] != n->best_move)
            history_update(capture_history_entry(h, &f->position, t->capture[i]), -bonus);
}

void node_update_histories(Node *n) {
    const int bonus = history_bonus(n->depth);
    if (n->best_move && n->best >= n->beta) update_by_cutoff(n, bonus);
    if (!n->best_move && is_after_quiet_move(n)) update_quiet_history(n->w, n->f - 1, n->f[-1].move, bonus / 2);
}
