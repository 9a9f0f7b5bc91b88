/* SPDX-License-Identifier: MIT */
/* What is known of a node's moves before they are searched. */
#include <stdlib.h>

#include "mate_worker.h"
#include "rules/checking_moves.h"

static bool is_root_move(const MateLimits *l, Move m) {
    for (unsigned i = 0; i < l->root_moves_n; i++)
        if (l->root_moves[i] == m) return true;
    return false;
}

unsigned mate_moves(const MateSolver *s, const Position *p, bool is_attacker, Move list[MOVES_MAX]) {
    const unsigned n =
        is_attacker && !s->settings.all_moves ? list_checking_moves(p, (Colour)p->turn, list) : game_moves(p, list);
    if (!s->limits.root_moves_n || !is_attacker || !position_same(p, &s->root)) return n;
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (is_root_move(&s->limits, list[i])) list[kept++] = list[i];
    return kept;
}

static void set_proof(MateChild *c, unsigned length) {
    c->number[PROOF] = 0, c->number[DISPROOF] = MATE_NUMBER_MAX;
    c->length = (uint16_t)length;
}

static void set_disproof(MateChild *c, MatePlies hangs) {
    c->number[PROOF] = MATE_NUMBER_MAX, c->number[DISPROOF] = 0;
    c->hangs = hangs;
}

/* Where on the path is the position of a frame, or its board with no less for the attacker? -1: nowhere. Of a mate the shortest
   line does not lead from more in hand to less. */
static int path_find(const MateWorker *w, const MateFrame *n) {
    const Key board = mate_board_key(w->solver, n);
    if (!w->filter[board[0] % MATE_FILTER]) return -1;
    for (int i = w->ply - 1; i >= 0; i -= 2) {
        const MateFrame *f = &w->frame[i];
        if (!key_same(f->board, board)) continue;
        if (key_same(f->key, n->key)) return i;
        if (w->solver->uses_hands &&
            game_hand_covers(mate_hand(&f->position, f->attacks), mate_hand(&n->position, n->attacks)))
            return i;
    }
    return -1;
}

/* ---- the table ---- */

/* The key of a frame's record with so many plies left. */
static TabiaKey record_key(const MateFrame *f, unsigned left, uint64_t path) {
    return mate_record_key(f->key, left | (f->interposition ? f->others_left << 16 : 0), path);
}

static bool probe(const MateSolver *s, TabiaKey key, MateRecord *r) {
    uint64_t words[MATE_RECORD_WORDS] = {0};
    if (!tabia_record_probe(s->table, key, words)) return false;
    *r = mate_record_unpack(words);
    return true;
}

static void store(MateSolver *s, TabiaKey key, const MateRecord *r) {
    uint64_t words[MATE_RECORD_WORDS];
    mate_record_pack(r, words);
    tabia_record_store(s->table, key, words);
}

/* What the table knows of a position for all paths; with a limit of plies also what it knows without one. */
static bool probe_all_paths(const MateSolver *s, const MateFrame *f, MateRecord *r) {
    const bool found = probe(s, record_key(f, 0, 0), r);
    if (found && (r->number[DISPROOF] == 0 || (r->number[PROOF] == 0 && (!f->left || r->length < f->left))))
        return true;
    MateRecord other;
    if (s->uses_hands && mate_probe_hands(s, f, &other)) return *r = other, true;
    return f->left ? probe(s, record_key(f, f->left, 0), r) : found;
}

bool mate_probe(const MateSolver *s, const MateFrame *f, MateRecord *r) {
    return probe_all_paths(s, f, r) && mate_is_solved(r->number);
}

/* A disproof that hangs on plies of this path, the last one being `last`; 0: there is none. */
static MatePlies probe_path(const MateWorker *w, const MateFrame *n, int last) {
    uint64_t words[MATE_RECORD_WORDS] = {0};
    const uint64_t path = w->frame[last].path_key;
    const bool found = tabia_record_probe(w->solver->table, record_key(n, n->left, path), words);
    return found && (uint32_t)words[2] == (uint32_t)path ? (MatePlies)words[1] << 64 | words[0] : 0;
}

/* Stores a disproof that hangs on the path under that; of the position all paths know only what was known before. */
static void store_path(MateWorker *w, const MateFrame *f, MateRecord *all) {
    const int last = mate_last_ply(f->hangs, w->ply);
    const uint64_t path = w->frame[last].path_key;
    const uint64_t words[MATE_RECORD_WORDS] = {(uint64_t)f->hangs, (uint64_t)(f->hangs >> 64),
                                               (uint64_t)all->work << 32 | (uint32_t)path};
    tabia_record_store(w->solver->table, record_key(f, f->left, path), words);
    all->number[PROOF] = f->entry.number[PROOF], all->number[DISPROOF] = f->entry.number[DISPROOF];
    all->length = (uint16_t)(last + 1), all->hand = f->entry.overlaps;
}

void mate_store(MateWorker *w) {
    MateFrame *f = mate_top(w);
    MateSolver *s = w->solver;
    const uint64_t work = w->nodes - f->entry.nodes;
    MateRecord known, r = {.number = {f->number[PROOF], f->number[DISPROOF]},
                           .move = f->move,
                           .length = f->number[PROOF] ? f->entry.last : f->length,
                           .ply = f->entry.ply < w->ply ? f->entry.ply : (int16_t)w->ply,
                           .work = work > UINT32_MAX ? UINT32_MAX : (uint32_t)work,
                           .hand = mate_is_solved(f->number) ? f->hand : f->entry.overlaps};
    if (probe_all_paths(s, f, &known)) {
        if (mate_is_solved(known.number) && (r.number[PROOF] || known.length <= r.length)) return;
        r.work = r.work + known.work < r.work ? UINT32_MAX : r.work + known.work;
    }
    if (!f->number[DISPROOF] && f->hangs)
        store_path(w, f, &r);
    else if (s->uses_hands && !f->left && mate_is_solved(f->number))
        mate_store_hands(s, f, r.work);
    store(s, record_key(f, r.number[PROOF] || r.length >= f->left ? f->left : 0, 0), &r);
}

void mate_store_result(MateSolver *s, const MateFrame *f, uint32_t work) {
    const MateRecord r = {.number = {f->number[PROOF], f->number[DISPROOF]},
                          .move = f->move,
                          .length = f->length,
                          .work = work,
                          .hand = mate_hand(&f->position, f->attacks)};
    store(s, record_key(f, 0, 0), &r);
}

/* ---- a child ---- */

static void take_record(MateChild *c, const MateRecord *r) {
    c->number[PROOF] = r->number[PROOF], c->number[DISPROOF] = r->number[DISPROOF];
    c->ply = r->ply;
    if (mate_is_solved(r->number))
        c->hand = r->hand;
    else
        c->below = r->hand;
    if (r->number[PROOF])
        c->last = r->length;
    else
        c->length = r->length;
}

bool mate_is_mated(const Position *p) {
    Move list[MOVES_MAX];
    bool done[GAME_SQUARES] = {0}; /* by what was dropped there: whatever it was, it is back in hand */
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; i < n; i++)
        if (!game_interposes(p, list[i])) return false;
    for (unsigned i = 0; i < n; i++) {
        Position next, after;
        const bool drops = game_interposes(p, list[i]) == 2;
        if (drops && done[game_target(list[i])]) continue;
        done[game_target(list[i])] |= drops;
        game_make_move(&next, p, list[i]);
        if (!game_undo_interposition(&next, game_target(list[i]), &after) || !mate_is_mated(&after)) return false;
    }
    return n || game_no_move_loses(p);
}

/* Of the drops of a group, one is searched at a time. */
static unsigned count_defences(const Position *p, const Move *list, unsigned n) {
    bool dropped[GAME_DROP_GROUPS] = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) {
        const int group = game_drop_group(p, list[i]);
        count += group < 0 || !dropped[group];
        if (group >= 0) dropped[group] = true;
    }
    return count;
}

static bool find_mate_in_one(const MateFrame *n, MateChild *c) {
    const Move m = game_in_check(&n->position) ? 0 : game_mate_in_one(&n->position);
    if (!m) return false;
    MateFrame mated = {.attacks = false};
    game_make_move(&mated.position, &n->position, m);
    set_proof(c, 1);
    c->hand = game_hand_before(&n->position, m, mate_lost_hand(&mated, NULL));
    return true;
}

/* A position that the table does not know: how many moves are there to answer? */
static void estimate(const MateWorker *w, const MateFrame *n, MateChild *c) {
    const int ply = w->ply + 1;
    Move list[MOVES_MAX];
    const bool attacks = mate_is_attacker(ply);
    const unsigned moves = mate_moves(w->solver, &n->position, attacks, list);
    if (!attacks &&
        (moves ? GAME_LEAVES_OUT_INTERPOSITIONS && mate_is_mated(&n->position) : game_no_move_loses(&n->position)))
        set_proof(c, 0), c->hand = mate_lost_hand(n, NULL);
    else if (!moves || n->left == 1)
        set_disproof(c, 0), c->hand = moves ? c->hand : mate_lost_hand(n, NULL);
    else if (!attacks || n->left || !find_mate_in_one(n, c))
        c->number[attacks ? PROOF : DISPROOF] = 1, c->number[attacks ? DISPROOF : PROOF] =
                                                       attacks ? moves : count_defences(&n->position, list, moves);
}

void mate_begin_child(const MateFrame *f, const MateChild *c, MateFrame *n) {
    *n = (MateFrame){.key = c->key, .left = f->left ? f->left - 1 : 0, .attacks = !f->attacks};
    game_make_move(&n->position, &f->position, c->move);
    const int to_draw = game_plies_to_draw(&n->position);
    if (f->by_clock) n->by_clock = true, n->left = to_draw > 0 ? (unsigned)to_draw + 1 : 1;
    if (c->interposes) n->others_left = f->others_left, n->interposition = c->move;
    if (c->interposes && !f->others_left) n->left = 0; /* its turn comes later, unless it refutes any mate */
    if (!c->is_undo) return;
    game_undo_interposition(&f->position, game_target(f->interposition), &n->position);
    n->left = f->others_left;
}

void mate_look_up(MateWorker *w, MateChild *c) {
    MateFrame n;
    MateRecord r;
    c->ply = MATE_PLY_NONE, c->length = c->last = 0, c->hangs = 0, c->below = 0;
    mate_begin_child(mate_top(w), c, &n);
    c->hand = mate_hand(&n.position, n.attacks);
    const int before = mate_top(w)->left ? -1 : path_find(w, &n); /* where plies are counted loops need no rule */
    if (before >= 0) {
        set_disproof(c, mate_ply_bit(before));
        return;
    }
    if (mate_has_ended(w->solver, c->key)) {
        set_disproof(c, 0);
        return;
    }
    if (!probe_all_paths(w->solver, &n, &r)) {
        estimate(w, &n, c);
        mate_raise(w, &n, c);
        return;
    }
    take_record(c, &r);
    const bool may_hang = !mate_is_solved(r.number) && c->last && c->last - 1 <= w->ply;
    const MatePlies hangs = may_hang ? probe_path(w, &n, c->last - 1) : 0;
    if (hangs) set_disproof(c, hangs);
    mate_raise(w, &n, c);
}

static bool reserve(MateWorker *w, unsigned n) {
    if (n <= w->child_room) return true;
    const unsigned room = n + n / 2;
    MateChild *more = realloc(w->child, room * sizeof *more);
    if (!more) return false;
    w->child = more, w->child_room = room;
    return true;
}

/* Adds the capture that undoes the interposition which has led to the top frame. */
static void add_undo(MateWorker *w) {
    MateFrame *f = mate_top(w);
    Position next;
    MateChild *c = &w->child[f->first + f->children];
    const Move capture = game_undo_interposition(&f->position, game_target(f->interposition), &next);
    if (!capture) return;
    f->children++;
    *c = (MateChild){.move = capture, .key = zobrist_key(w->solver->zobrist, &next), .is_undo = true};
    mate_look_up(w, c);
}

/* Which moves wait for others. */
static void set_turns(MateWorker *w, const MateFrame *f) {
    uint16_t dropped[GAME_DROP_GROUPS] = {0};
    MateChild *const child = mate_child(w, f, 0);
    for (unsigned i = 0; i < f->children; i++) {
        const int group = f->attacks ? -1 : game_drop_group(&f->position, child[i].move);
        const Move promotion = group < 0 ? game_promotion_of(&f->position, child[i].move) : 0;
        if (group >= 0) child[i].after = dropped[group], dropped[group] = (uint16_t)(i + 1);
        for (unsigned k = 0; promotion && k < f->children; k++)
            if (child[k].move == promotion) child[i].after = (uint16_t)(k + 1);
    }
}

bool mate_expand(MateWorker *w) {
    MateFrame *f = mate_top(w);
    Move list[MOVES_MAX];
    f->first = w->ply ? f[-1].first + f[-1].children : 0;
    f->children = mate_moves(w->solver, &f->position, mate_is_attacker(w->ply), list);
    if (!reserve(w, f->first + f->children + 1)) return false;
    for (unsigned i = 0; i < f->children; i++) {
        MateChild *c = &w->child[f->first + i];
        *c = (MateChild){.move = list[i], .key = game_key_after(w->solver->zobrist, &f->position, f->key, list[i])};
        c->interposes = f->left && !mate_is_attacker(w->ply) && game_interposes(&f->position, c->move);
        mate_look_up(w, c);
    }
    set_turns(w, f);
    if (f->interposition && f->others_left) add_undo(w);
    return true;
}
