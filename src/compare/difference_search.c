/* SPDX-License-Identifier: MIT */
#include "against.h"

#include <assert.h>
#include <string.h>

#include "base/stop.h"
#include "notation/fen.h"
#include "notation/fen_fields.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

/* ---- positions, and how both programs came to them ---- */

bool played_position_begin(PlayedPosition *line, const char *fen, bool chess960, TabiaError *error) {
    line->n = 0;
    if (!fen_parse(&line->start, fen, error)) return false;
    if (!fen_normalize(fen, line->fen)) return tabia_fail(error, "the FEN is too long");
    line->at = line->start;
    line->chess960 = chess960 || fen_is_chess960(&line->start, line->fen);
    return true;
}

void played_position_append(PlayedPosition *line, Move m) {
    assert(m && line->n < PLAYED_MOVES_MAX);
    line->move[line->n++] = m;
    position_make_move(&line->at, &line->at, m);
}

void played_position_moves(const PlayedPosition *line, unsigned from, char out[PLAYED_MOVES_TEXT_MAX]) {
    Position p = line->start;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < line->n; i++) {
        if (i >= from) {
            assert(used + 7 <= PLAYED_MOVES_TEXT_MAX);
            if (used) out[used++] = ' ';
            move_to_uci(&p, line->move[i], line->chess960, out + used);
            used += strlen(out + used);
        }
        position_make_move(&p, &p, line->move[i]);
    }
}

/* ---- both divides ---- */

/* Both divides of one position, matched move by move. */
typedef struct {
    unsigned n; /* legal moves */
    Move move[MOVES_MAX];
    U128 ours[MOVES_MAX];
    int match[MOVES_MAX]; /* which of theirs; -1 for a missing one */
    U128 sum;
    Divide theirs;
} Comparison;

typedef struct {
    const AgainstOptions *o;
    Opponent *opponent;
    Difference *f;
    Comparison c;
    char moves[PLAYED_MOVES_TEXT_MAX];
} DifferenceSearch;

/* ---- one query ---- */

static bool query(DifferenceSearch *s, const PlayedPosition *line, int depth, TabiaError *error) {
    const DivideQuery q = {line->fen, s->moves, depth, line->chess960};
    played_position_moves(line, 0, s->moves);
    s->f->questions++;
    return opponent_divide(s->opponent, &q, &s->c.theirs, error);
}

static bool count_ours(DifferenceSearch *s, const Position *at, int depth, TabiaError *error) {
    Comparison *c = &s->c;
    assert(depth > 0);
    c->n = moves_list(at, c->move);
    c->sum = 0;
    for (unsigned i = 0; i < c->n; i++) {
        Position child;
        position_make_move(&child, at, c->move[i]);
        c->ours[i] = 1;
        c->match[i] = -1;
        if (depth > 1 && !s->o->suite.count(s->o->suite.context, &child, depth - 1, &c->ours[i], error)) return false;
        c->sum += c->ours[i];
    }
    s->f->nodes += c->sum;
    return true;
}

/* Finds for each of their moves the one that it spells, whichever way castling is spelt; what is left over is extra. */
static void match(DifferenceSearch *s, const Position *at) {
    Comparison *c = &s->c;
    Difference *f = s->f;
    assert(c->theirs.n <= DIVIDE_MAX && c->n <= MOVES_MAX);
    f->extra_count = f->missing_count = 0;
    for (unsigned t = 0; t < c->theirs.n; t++) {
        const Move m = move_from_uci(at, c->theirs.move[t]);
        unsigned i = 0;
        while (i < c->n && c->move[i] != m) i++;
        if (m && i < c->n && c->match[i] < 0)
            c->match[i] = (int)t;
        else
            memcpy(f->extra[f->extra_count++], c->theirs.move[t], UCI_MAX);
    }
    for (unsigned i = 0; i < c->n; i++)
        if (c->match[i] < 0) f->missing[f->missing_count++] = c->move[i];
}

/* Compares both divides of the line's last position, and sets what was found. */
static bool compare(DifferenceSearch *s, const PlayedPosition *line, int depth, TabiaError *error) {
    Comparison *c = &s->c;
    Difference *f = s->f;
    if (!query(s, line, depth, error) || !count_ours(s, &line->at, depth, error)) return false;
    match(s, &line->at);
    f->type = f->missing_count || f->extra_count ? DIFFERENCE_MOVES : DIFFERENCE_NONE;
    f->line = *line;
    f->depth = depth;
    if (f->type) return true;
    assert(c->theirs.n == c->n); /* each of their moves is one of ours */
    for (unsigned i = 0; i < c->n && !f->type; i++) {
        f->move = c->move[i];
        f->ours = c->ours[i];
        f->theirs = c->theirs.count[c->match[i]];
        if (f->ours != f->theirs) f->type = DIFFERENCE_COUNT;
    }
    if (!f->type && c->theirs.total != c->sum) {
        f->type = DIFFERENCE_TOTAL;
        f->ours = c->sum;
        f->theirs = c->theirs.total;
    }
    return true;
}

/* ---- narrowing ---- */

/* A count differs: follows that move, ply by ply, as far as the counts differ. */
static bool narrow_depth(DifferenceSearch *s, TabiaError *error) {
    Difference *f = s->f;
    while (f->type == DIFFERENCE_COUNT && f->depth > 1 && f->line.n < PLAYED_MOVES_MAX) {
        const Difference above = *f;
        PlayedPosition line = f->line;
        played_position_append(&line, f->move);
        if (!compare(s, &line, f->depth - 1, error)) return false;
        if (f->type == DIFFERENCE_NONE) { /* right in a query of that position, wrong below its parent */
            const unsigned questions = f->questions;
            const U128 nodes = f->nodes;
            *f = above;
            f->questions = questions;
            f->nodes = nodes;
            return true;
        }
    }
    return true;
}

/*
 * Does the wrong list also show when the last k moves of the line alone are played, from the position before them?
 * The least such k. A program that fails here is not queried further: the whole line showed it.
 */
static void narrow_moves(DifferenceSearch *s) {
    const Difference whole = *s->f;
    TabiaError ignored;
    unsigned k = 0;
    for (; k < whole.line.n; k++) {
        Position p = whole.line.start;
        PlayedPosition suffix;
        char fen[FEN_MAX];
        for (unsigned i = 0; i < whole.line.n - k; i++) position_make_move(&p, &p, whole.line.move[i]);
        fen_write(&p, whole.line.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
        if (!played_position_begin(&suffix, fen, whole.line.chess960, &ignored)) break;
        for (unsigned i = whole.line.n - k; i < whole.line.n; i++) played_position_append(&suffix, whole.line.move[i]);
        if (tabia_stop_requested() || !compare(s, &suffix, 1, &ignored)) {
            k = whole.line.n;
            break;
        }
        if (s->f->type == DIFFERENCE_MOVES) break;
    }
    const unsigned questions = s->f->questions;
    *s->f = whole;
    s->f->questions = questions;
    assert(k <= whole.line.n);
    s->f->moves_needed = k;
}

bool against_search(const AgainstOptions *o, Opponent *opponent, const PlayedPosition *line, int depth,
                    Difference *difference, TabiaError *error) {
    DifferenceSearch s = {.o = o, .opponent = opponent, .f = difference};
    difference->type = DIFFERENCE_NONE;
    difference->nodes = 0;
    difference->questions = difference->moves_needed = 0;
    for (int d = 1; d <= depth && difference->type == DIFFERENCE_NONE; d++)
        if (!compare(&s, line, d, error)) return false;
    if (!narrow_depth(&s, error)) return false;
    if (difference->type == DIFFERENCE_MOVES) narrow_moves(&s);
    return true;
}
