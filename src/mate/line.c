/* SPDX-License-Identifier: MIT */
/*
 * The line of a proof: the attacker's moves are the shortest that are proven, the defender's last longest. What the table
 * has lost is proven again, in as many plies as it was proven before. Every move is looked at once more by the rules.
 */
#include <assert.h>
#include <string.h>

#include "mate_worker.h"

/* How long the proven mate of the attacker's position is, at most `max` plies; 0: a limit came first. */
static unsigned ensure_proof(MateWorker *w, const Position *p, unsigned max) {
    const MateFrame at = {.position = *p, .key = zobrist_key(w->solver->zobrist, p), .left = max + 1};
    MateRecord r;
    if (!mate_probe(w->solver, &at, &r) || r.number[PROOF]) {
        mate_run(w, p, max + 1);
        return w->is_solved && !w->frame[0].number[PROOF] ? w->frame[0].length : 0;
    }
    return r.length;
}

/* The proven length of the defender's position; -1: it is not proven, or longer than max. */
static int defender_length(const MateWorker *w, const Position *p, unsigned max) {
    if (!game_has_move(p)) return game_no_move_loses(p) ? 0 : -1;
    const MateFrame at = {.position = *p, .key = zobrist_key(w->solver->zobrist, p), .left = max + 1};
    MateRecord r;
    return mate_probe(w->solver, &at, &r) && !r.number[PROOF] ? r.length : -1;
}

/* The attacker's move with the shortest proof of at most `max` plies after it; 0: the table has none. */
static Move shortest_attack(const MateWorker *w, const Position *p, int max) {
    Move list[MOVES_MAX], best = 0;
    const unsigned n = mate_moves(w->solver, p, true, list);
    for (unsigned i = 0; i < n; i++) {
        Position next;
        game_make_move(&next, p, list[i]);
        const int length = defender_length(w, &next, (unsigned)max);
        if (length >= 0 && (!best || length < max)) best = list[i], max = length;
    }
    return best;
}

/* The defence that lasts longest of the proven ones; 0: there is none, it is mate. *lost: a limit came first. */
static Move longest_defence(MateWorker *w, const Position *p, unsigned max, bool *lost) {
    Move list[MOVES_MAX], best = 0;
    unsigned longest = 0;
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; i < n && !*lost; i++) {
        Position next;
        game_make_move(&next, p, list[i]);
        const unsigned length = ensure_proof(w, &next, max);
        if (!length) *lost = true;
        if (length > longest) longest = length, best = list[i];
    }
    return best;
}

/* Plies that are left to the mate after the attacker's move; the proof of a lost record is looked for again. */
static Move attack(MateWorker *w, const Position *p, unsigned max) {
    const Move m = shortest_attack(w, p, (int)max - 1);
    if (m) return m;
    mate_run(w, p, max + 1);
    return w->is_solved && !w->frame[0].number[PROOF] ? w->frame[0].move : 0;
}

bool mate_find_line(MateWorker *w, MateSolution *solution) {
    Position p = w->solver->root;
    Move *line = solution->line;
    unsigned n = 0;
    for (unsigned max = solution->plies;;) {
        const unsigned left = ensure_proof(w, &p, max);
        const Move m = left ? attack(w, &p, left) : 0;
        if (!m || (!w->solver->settings.all_moves && !game_gives_check(&p, m)) || !game_is_legal(&p, m)) return false;
        line[n++] = m;
        game_make_move(&p, &p, m);
        bool lost = false;
        const Move defence = longest_defence(w, &p, left - 2, &lost);
        if (lost) return false;
        if (!defence) break;
        line[n++] = defence;
        game_make_move(&p, &p, defence);
        max = left - 2;
    }
    solution->moves = n;
    return !game_has_move(&p) && game_no_move_loses(&p);
}
