/* SPDX-License-Identifier: MIT */
/*
 * The moves of one of our pieces, or of our king: which are summed, which concern their king, which pin or free a man,
 * which check, and which are played in full.
 *
 *      destinations --+-- in full: those of a discovered check, or that change more than one of these at once
 *                     +-- checks: counted as evasions
 *                     +-- the rest: into the tally, with G(f); of these
 *                            +-- some with their king's moves counted anew
 *                            +-- some that pin or free a man of theirs
 */
#pragma once
#include "checks.h"
#include "moves.h"

typedef struct {
    Kind kind; /* a constant */
    int f;
    Bits hits;   /* what it hits from f */
    Bits to;     /* its legal destinations */
    Bits strike; /* squares from which it would pin */
    Bits check;  /* from which it would check */
    Bits newly;  /* from which it newly hits the zone */
} Piece;

/* What their king minds about a piece's moves. */
typedef struct {
    Bits hit;  /* what we hit of the zone when the piece has left */
    Bits some; /* destinations after which his moves are counted with `hit` and what the piece hits from there */
    Bits all;  /* after which they are counted from nothing */
} Concern;

INLINE Concern concern_of(const Moves *r, const Piece *m) {
    Concern c = {.hit = r->zone->hit, .some = m->newly, .all = r->zone->blocks | r->zone->touch};
    if (r->zone->leaving & bit(m->f)) {
        *(m->kind == KING ? &c.all : &c.some) = ~(Bits)0;
        c.hit = hit_without(r->s, r->zone, m->f, m->hits);
    }
    return c;
}

/* Their king's moves, as a change, after the summed moves that concern him. */
INLINE void add_king_changes(Moves *r, Colour us, const Piece *m, const Concern *c, Bits to) {
    const Bits f = bit(m->f);
    EACH (t, to & c->some & ~c->all) {
        const Bits hit = c->hit | hits_from(us, m->kind, (int)t, r->s->occ ^ f);
        r->sum += count_king_moves(r->s, r->zone, hit, r->s->occ ^ f) - r->zone->replies;
    }
    EACH (t, to & c->all) r->sum += recount_king(r->s, r->zone, us, m->kind, f, bit((int)t), c->hit) - r->zone->replies;
}

/* The moves of a piece, sorted. A set may hold squares of `to` that another set takes out of it. */
typedef struct {
    Bits to;    /* into the tally */
    Bits check; /* counted as evasions */
    Bits full;  /* played */
    Bits bend;  /* of `to`: pins or frees a man of theirs */
} Sorted;

/* A piece on a line to their king: whether it discovers check, pins, or would let another pin. */
INLINE void sort_on_line(const Moves *r, const Piece *m, Sorted *d) {
    const KingLines *l = r->lines;
    const Bits f = bit(m->f), ray = ray_through(r->s->they.king_at, m->f);
    d->full |= f & l->discover ? m->to : d->check;
    if (f & l->pinners) d->full |= m->to & ray & r->pass->pinned_squares & r->s->they.men;
    d->bend |= m->to & ~ray;
    d->check = 0;
    d->to = m->to & ~d->full;
    d->bend &= d->to;
}

INLINE Sorted sort_moves(const Moves *r, const Piece *m) {
    Sorted d = {.full = m->to & (r->in_full | (m->check & r->pin_lines))};
    d.check = m->to & m->check & ~d.full;
    d.to = m->to & ~(d.full | d.check);
    d.bend = d.to & (r->pin_lines | m->strike);
    return d;
}

INLINE void add_piece(Moves *r, Colour us, Piece m) {
    m.to &= bit(m.f) & r->s->only.from ? r->s->only.to : 0;
    if (!m.to) return;
    const Bits f = bit(m.f);
    Sorted d = sort_moves(r, &m);
    Concern c = {.hit = r->zone->hit, .some = m.newly, .all = r->zone->blocks | r->zone->touch};
    if (f & r->odd) {
        if (UNLIKELY(f & (r->lines->discover | r->lines->pinners | r->lines->openers))) sort_on_line(r, &m, &d);
        if (f & r->pass->sources && d.to) r->sum += gain(r->s, r->pass, us, m.f, d.to);
        c = concern_of(r, &m);
    }
    tally_add(&r->tally, d.to);
    if (LIKELY(!((d.to & (c.some | c.all)) | d.full | d.check | d.bend))) return;
    add_king_changes(r, us, &m, &c, d.to);
    EACH (t, d.bend) r->sum += change_pins(r->s, r->lines, us, m.f, (int)t, (m.strike >> t & 1) != 0);
    EACH (t, d.check) r->sum += evasions(r->s, r->zone, us, m.kind, f, bit((int)t), c.hit, r->pass->pinned_squares);
    EACH (t, d.full) r->sum += play_in_full(r->s->p, us, m.kind, m.f, (int)t);
}

INLINE void add_slider(Moves *r, Colour us, Kind kind, int f, Bits line, Bits hits) {
    const KingLines *l = r->lines;
    const Zone *z = r->zone;
    Piece m = {.kind = kind, .f = f, .hits = hits, .to = hits & ~r->s->we.men & line};
    if (kind != ROOK) m.strike |= l->strike_diag, m.check |= l->check_diag, m.newly |= z->diag;
    if (kind != BISHOP) m.strike |= l->strike_orth, m.check |= l->check_orth, m.newly |= z->orth;
    add_piece(r, us, m);
}

/* Our sliders of one kind, those of ours that are pinned on their lines. */
INLINE void add_sliders(Moves *r, Colour us, Kind kind, Bits men, Bits pinned) {
    EACH (f, men) {
        const Bits line = pinned & bit((int)f) ? line_through[r->s->we.king_at][f] : ~(Bits)0;
        add_slider(r, us, kind, (int)f, line, hits_from(us, kind, (int)f, r->s->occ));
    }
}

INLINE void add_pieces(Moves *r, Colour us, const Pins *pins) {
    const Army *we = &r->s->we;
    const Bits pinned = pins->orth | pins->diag, queens = we->orth & we->diag;
    const Bits knight_check = knight_attacks[r->s->they.king_at];
    EACH (f, we->knight & ~pinned)
        add_piece(r, us,
                  (Piece){.kind = KNIGHT,
                          .f = (int)f,
                          .hits = knight_attacks[f],
                          .to = knight_attacks[f] & ~we->men,
                          .check = knight_check,
                          .newly = r->zone->knight});
    add_sliders(r, us, BISHOP, we->diag ^ queens, pinned);
    add_sliders(r, us, ROOK, we->orth ^ queens, pinned);
    add_sliders(r, us, QUEEN, queens, pinned);
}

/* `hit`: what they hit. We are not in check. */
INLINE void add_king(Moves *r, Colour us, const Pins *pins, Bits hit) {
    const Army *we = &r->s->we;
    add_piece(r, us,
              (Piece){.kind = KING,
                      .f = we->king_at,
                      .hits = king_attacks[we->king_at],
                      .to = king_attacks[we->king_at] & ~we->men & ~hit,
                      .newly = r->zone->king});
    if (!r->s->p->castle[us] || !(r->s->only.from & we->king)) return;
    const Castlings k = find_castlings(r->s->p, us, we, r->s->occ, pins->orth);
    for (int i = 0; i < 2; i++) {
        const Bits rook = castling_rook(r->s->p, us, i);
        if (rook & r->s->only.to && can_castle(&k, i, r->s->occ, hit))
            r->sum += play_special(r->s->p, us, we->king_at, first(rook), CASTLING);
    }
}
