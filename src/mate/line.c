/* SPDX-License-Identifier: MIT */
/*
 * The line of a proof: the attacker's moves are the shortest that are proven, the defender's last longest. What the table
 * has lost is proven again, in as many plies as it was proven before. Every move is looked at once more by the rules.
 */
#include <assert.h>
#include <string.h>

#include "mate_worker.h"

/* How long the proven mate of the attacker's position is, in the plies that are left; -1: there is none, or a limit came first. */
static int ensure_proof(MateWorker *w, MateFrame *at) {
    MateRecord r;
    at->attacks = true;
    at->key = zobrist_key(w->solver->zobrist, &at->position);
    if (mate_probe(w->solver, at, &r) && !r.number[PROOF]) return r.length;
    mate_run(w, at);
    return w->is_solved && !w->frame[0].number[PROOF] ? w->frame[0].length : -1;
}

/* The proven length of the defender's position; -1: it is not proven, or longer than max. */
static int defender_length(const MateWorker *w, const Position *p, unsigned max) {
    if (mate_is_mated(p)) return 0;
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

/* The defence that lasts longest, of at most so many plies; those that do not interpose come first, since they say which of the
   others are left out. 0: a limit came first. */
static Move longest_defence(MateWorker *w, const Position *p, unsigned max) {
    Move list[MOVES_MAX], best = 0;
    int longest = 0, others = 0;
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; i < 2 * n; i++) {
        const Move m = list[i % n];
        if ((game_interposes(p, m) != 0) != (i >= n)) continue;
        MateFrame next = {.left = max + 1, .others_left = i < n ? 0 : (unsigned)others + 1, .interposition = m};
        game_make_move(&next.position, p, m);
        int length = ensure_proof(w, &next);
        if (length < 0 && i >= n) next.others_left = max + 2, length = ensure_proof(w, &next);
        if (length < 0) return 0;
        if (length > longest) longest = length, best = m;
        if (i < n) others = longest + 1;
    }
    return best;
}

/* Plies that are left to the mate after the attacker's move; the proof of a lost record is looked for again. */
static Move attack(MateWorker *w, const Position *p, unsigned max) {
    const Move m = shortest_attack(w, p, (int)max - 1);
    if (m) return m;
    mate_run(w, &(MateFrame){.position = *p, .left = max + 1});
    return w->is_solved && !w->frame[0].number[PROOF] ? w->frame[0].move : 0;
}

bool mate_find_line(MateWorker *w, MateSolution *solution) {
    Position p = w->solver->root;
    Move *line = solution->line;
    unsigned n = 0;
    for (unsigned max = solution->plies;;) {
        const int left = ensure_proof(w, &(MateFrame){.position = p, .left = max + 1});
        const Move m = left > 0 && left <= (int)max ? attack(w, &p, (unsigned)left) : 0;
        if (!m || (!w->solver->settings.all_moves && !game_gives_check(&p, m)) || !game_is_legal(&p, m)) return false;
        line[n++] = m;
        game_make_move(&p, &p, m);
        if (mate_is_mated(&p)) break;
        const Move defence = longest_defence(w, &p, (unsigned)left - 2);
        if (!defence) return false;
        line[n++] = defence;
        game_make_move(&p, &p, defence);
        max = (unsigned)left - 2;
    }
    solution->moves = n;
    return true;
}
