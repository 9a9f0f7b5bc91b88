/* SPDX-License-Identifier: MIT */
/*
 * A walk through a proof by the rules of the game: at the attacker's turn the move of the solver's record, at the defender's
 * turn all legal moves. No record is believed: a position counts once every move behind it has been walked down to the mates.
 * So what is walked has an order, and no proof goes round in a loop.
 *
 *     frame[0 .. ply]   the path; the attacker moves at even plies
 *     slot              the attacker's positions: on the path, walked, or not yet because a loop led back to it
 *
 * An interposition that the solver leaves out is a move like others here. What follows it is searched.
 */
#include <stdlib.h>

#include "mate_worker.h"

enum {
    WALK_SLOTS = 1 << 12,
    WALK_NODES = 100000,
    STATE = 3,
    PLIES = 0x3fff,
    IDENTITY_SHIFT = 16,
    CHECK_POSITIONS = 4096
};
enum { EMPTY, ON_PATH, WALKED, TO_DO };

typedef struct {
    Position position;
    Key key;
    unsigned max;    /* plies that the proof before leaves */
    bool interposed; /* the defender has just done so */
    Move list[MOVES_MAX];
} WalkFrame;

/* A move of the attacker, or 0, and the plies to the mate that it is said to lead to. */
typedef struct {
    Move move;
    unsigned length;
} WalkMove;

/* Half of a key; and of the other half 48 bits | plies 14 | state 2. */
typedef struct {
    uint64_t half, rest;
} WalkSlot;

typedef struct {
    MateSolver *solver;
    MateWalk *result;
    WalkFrame *frame;
    WalkSlot *slot;
    uint64_t slots;
    bool ends, is_refuted; /* a limit is reached; or there is no mate after a defence */
} Walk;

/* ---- positions ---- */

static WalkSlot *slot_of(const Walk *w, uint64_t half, uint64_t other) {
    uint64_t at = half;
    for (;; at++) {
        WalkSlot *slot = &w->slot[at & (w->slots - 1)];
        if (!(slot->rest & STATE) || (slot->half == half && slot->rest >> IDENTITY_SHIFT == other >> IDENTITY_SHIFT))
            return slot;
    }
}

static void set_slot(const Walk *w, Key key, uint64_t plies, uint64_t state) {
    WalkSlot *slot = slot_of(w, key[0], key[1]);
    *slot = (WalkSlot){key[0], key[1] >> IDENTITY_SHIFT << IDENTITY_SHIFT | plies << 2 | state};
}

static bool grow(Walk *w) {
    const Walk old = *w;
    w->slots *= 2;
    w->slot = calloc(w->slots, sizeof *w->slot);
    if (!w->slot) return w->slot = old.slot, w->slots = old.slots, false;
    for (uint64_t i = 0; i < old.slots; i++)
        if (old.slot[i].rest & STATE) *slot_of(w, old.slot[i].half, old.slot[i].rest) = old.slot[i];
    free(old.slot);
    return true;
}

/* ---- the attacker's move ---- */

/* left: as of a frame. The record of other hands may be the shorter one, so that lengths fall. */
static WalkMove move_of_record(const Walk *w, const WalkFrame *f, unsigned left) {
    MateRecord r;
    const MateFrame at = {.position = f->position, .key = f->key, .left = left, .attacks = true};
    const bool proven = mate_probe(w->solver, &at, &r) && !r.number[PROOF];
    return proven ? (WalkMove){r.move, r.length} : (WalkMove){0};
}

/* The move to the shortest proof that the table has. */
static WalkMove move_to_proof(const Walk *w, WalkFrame *f) {
    WalkMove best = {.length = UINT16_MAX};
    const unsigned n = game_moves(&f->position, f->list);
    for (unsigned i = 0; i < n; i++) {
        MateRecord r;
        MateFrame next = {.attacks = false};
        game_make_move(&next.position, &f->position, f->list[i]);
        next.key = zobrist_key(w->solver->zobrist, &next.position);
        const bool proven = mate_probe(w->solver, &next, &r) && !r.number[PROOF];
        if (proven && r.length + 1u < best.length) best = (WalkMove){f->list[i], r.length + 1u};
    }
    return best;
}

/* The table has lost the proof, or never had it. left: as of a frame; a limit keeps the search from what led here. */
static WalkMove search_again(Walk *w, const WalkFrame *f, unsigned left) {
    MateWorker *worker = &w->solver->worker[0];
    const MateFrame *root = &worker->frame[0];
    atomic_store(&w->solver->ends, false);
    mate_run(worker, &(MateFrame){.position = f->position, .left = left});
    *(f->interposed ? &w->result->interposed : &w->result->again) += 1;
    w->ends |= !worker->is_solved || worker->is_cut;
    if (!worker->is_solved || root->number[PROOF]) {
        if (!w->ends && !left) w->ends = w->is_refuted = true;
        return (WalkMove){0};
    }
    return (WalkMove){root->move, left ? f->max : root->length};
}

enum { SHORT_RECORD, AT_ONCE, BY_SEARCH, ANY_RECORD, BY_CHILDREN, BY_OTHER_SEARCH, ATTACKS };

static WalkMove attack_by(Walk *w, WalkFrame *f, int how) {
    if (how == SHORT_RECORD) return move_of_record(w, f, f->max + 1);
    if (how == ANY_RECORD) return move_of_record(w, f, 0);
    if (how == BY_CHILDREN) return move_to_proof(w, f);
    if (how != AT_ONCE) return search_again(w, f, (how == BY_SEARCH) == f->interposed ? 0 : f->max + 1);
    return (WalkMove){game_in_check(&f->position) ? 0 : game_mate_in_one(&f->position), 1};
}

static bool is_attack(const Walk *w, const Position *p, Move m) {
    return m && game_is_legal(p, m) && (w->solver->settings.all_moves || game_gives_check(p, m));
}

/* ---- the walk ---- */

/* Is the work to end? Asked every few thousand positions, together with a report of progress. */
static bool is_over(const Walk *w) {
    const MateLimits *l = &w->solver->limits;
    if (w->result->positions % CHECK_POSITIONS) return false;
    if (l->progress) l->progress(l->context, atomic_load(&w->solver->nodes));
    return mate_is_over(w->solver);
}

/* Plies to the mate if the defence lasts longest; -1: there is a defence without one. */
static int walk_defences(Walk *w, int ply);

/* The same where the attacker moves. */
static int walk_attack(Walk *w, int ply) {
    WalkFrame *f = &w->frame[ply];
    const uint64_t known = slot_of(w, f->key[0], f->key[1])->rest;
    int plies = -1;
    if ((known & STATE) == WALKED) return (int)(known >> 2 & PLIES);
    if ((known & STATE) == ON_PATH) return -1;
    const bool has_room = ply + 2 < MATE_PLY_MAX && (w->result->positions < w->slots / 2 || grow(w));
    const bool is_too_long = ++w->result->positions > w->solver->nodes_max; /* in loops */
    w->ends |= !has_room || is_too_long || is_over(w);
    if (w->ends || mate_has_ended(w->solver, f->key)) return -1;
    set_slot(w, f->key, 0, ON_PATH);
    for (int how = 0; how < ATTACKS && plies < 0 && !w->ends; how++) {
        const WalkMove m = attack_by(w, f, how);
        if (!is_attack(w, &f->position, m.move)) continue;
        game_make_move(&f[1].position, &f->position, m.move);
        f[1].key = game_key_after(w->solver->zobrist, &f->position, f->key, m.move);
        f[1].max = m.length - 1;
        plies = walk_defences(w, ply + 1);
    }
    if (plies < 0) return set_slot(w, f->key, 0, TO_DO), -1;
    set_slot(w, f->key, (uint64_t)plies + 1, WALKED);
    return plies + 1;
}

static int walk_defences(Walk *w, int ply) {
    WalkFrame *f = &w->frame[ply];
    const unsigned n = game_moves(&f->position, f->list);
    int longest = n || game_no_move_loses(&f->position) ? 0 : -1;
    for (unsigned i = 0; i < n && longest >= 0; i++) {
        const Move m = f->list[i];
        game_make_move(&f[1].position, &f->position, m);
        f[1].key = game_key_after(w->solver->zobrist, &f->position, f->key, m);
        f[1].max = f->max > 1 ? f->max - 1 : 0;
        f[1].interposed = game_interposes(&f->position, m) != 0;
        const int plies = walk_attack(w, ply + 1);
        if (plies < 0 || plies >= longest) longest = plies < 0 ? -1 : plies + 1;
    }
    return longest;
}

bool mate_walk(MateSolver *s, MateWalk *result, TabiaError *error) {
    *result = (MateWalk){.result = MATE_UNKNOWN};
    Walk w = {.solver = s, .result = result, .slots = WALK_SLOTS};
    w.frame = mate_allocate(MATE_PLY_MAX * sizeof *w.frame);
    w.slot = calloc(w.slots, sizeof *w.slot);
    const bool good = w.frame && w.slot;
    if (good) {
        w.frame[0].position = s->root, w.frame[0].key = zobrist_key(s->zobrist, &s->root);
        w.frame[0].max = MATE_PLY_MAX, w.frame[0].interposed = false;
        s->limits.nodes = 0, s->limits.seconds = 0;
        s->nodes_max = 4 * atomic_load(&s->nodes) + WALK_NODES;
        const int plies = walk_attack(&w, 0);
        if (plies >= 0) result->plies = (unsigned)plies;
        if (plies >= 0 && plies <= game_plies_to_draw(&s->root)) result->result = MATE_FOUND;
        if (plies < 0 && w.is_refuted) result->result = MATE_NONE;
    }
    tabia_aligned_free(w.frame), free(w.slot);
    return good || (tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a walk through a proof"), false);
}
