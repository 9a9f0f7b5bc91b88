/* SPDX-License-Identifier: MIT */
#include "mate_in_one.h"

typedef struct {
    const Position *p;
    Colour us;
    int king;         /* the other side's */
    Squares occ;      /* without it */
    Squares ring;     /* around it */
    Squares behind;   /* what our pieces attack */
    Squares defended; /* what the other side attacks without its king */
    Squares escapes;  /* where the king may go as it is */
} MateContext;

static MateContext mate_context(const Position *p) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    MateContext h = {.p = p, .us = us, .king = king_square(p, them)};
    Position kingless = *p;
    kingless.king[them] = NO_SQUARE;
    h.occ = occupied(p) & ~king_bit(p, them);
    h.ring = step_attacks[them][KING][h.king];
    h.behind = attacked_by(p, us, h.occ);
    h.defended = attacked_by(&kingless, them, occupied(p));
    h.escapes = h.ring & ~p->side[them] & ~h.behind;
    return h;
}

/* Does a piece on s check, and leave the king no square that our other pieces do not attack already? */
static bool checks_without_escape(const MateContext *h, PieceType type, int s) {
    const Squares attacked = piece_attacks(h->us, type, s, h->occ);
    return has_square(attacked, h->king) && !(h->escapes & ~attacked & ~square_bit(s));
}

static bool mates(const MateContext *h, Move m) {
    Position after;
    make_move(&after, h->p, h->us, m);
    return moves_count(&after) == 0;
}

static Move mating_drop(const MateContext *h, Squares near, Squares knights) {
    const uint32_t hand = h->p->hand[h->us];
    const Squares empty = ~occupied(h->p);
    for (int t = GOLD; t > PAWN; t--) {
        const PieceType type = (PieceType)t;
        if (!hand_count(hand, type)) continue;
        EACH_SQUARE (s, (type == KNIGHT ? knights : near) & empty & ~dead_end(h->us, type)) {
            const Move m = move_encode_drop(type, s);
            if (checks_without_escape(h, type, s) && mates(h, m)) return m;
        }
    }
    return 0;
}

/* Does the piece on `from` mate by going to s, promoting or not? Is another behind it, if the king could take it? */
static Move mating_step(const MateContext *h, int from, int s) {
    const PieceType type = piece_type_at(h->p, from);
    const Squares rest = (h->occ & ~square_bit(from)) | square_bit(s);
    if (has_square(h->ring, s) && !(attackers(h->p, h->us, s, rest) & ~square_bit(from))) return 0;
    for (int flag = PROMOTION; flag >= PLAIN; flag--) {
        if (flag == PROMOTION && !piece_type_promotes(type)) continue;
        const Move m = move_encode(from, s, flag);
        if (checks_without_escape(h, (PieceType)(flag == PROMOTION ? type | PROMOTED : type), s) &&
            move_is_legal(h->p, m) && mates(h, m))
            return m;
    }
    return 0;
}

static Move mating_move(const MateContext *h, Squares squares) {
    EACH_SQUARE (s, squares & ~h->p->side[h->us])
        EACH_SQUARE (from, attackers(h->p, h->us, s, occupied(h->p)) & ~king_bit(h->p, h->us)) {
            const Move m = mating_step(h, from, s);
            if (m) return m;
        }
    return 0;
}

Move mate_in_one(const Position *p) {
    const Colour them = (Colour)!p->turn;
    assert(!in_check(p));
    if (king_square(p, them) == NO_SQUARE) return 0;
    const MateContext h = mate_context(p);
    const Squares open = ~h.defended, near = h.ring & h.behind & open;
    const Squares knights = step_attacks[them][KNIGHT][h.king] & open;
    if (!near && !knights) return 0;
    const Move m = mating_drop(&h, near, knights);
    return m ? m : mating_move(&h, near | (knights & h.behind));
}
