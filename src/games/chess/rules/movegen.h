/* SPDX-License-Identifier: MIT */
/*
 * The legal moves of a position. One text serves three uses, for both colours: the moves are counted, listed, or
 * walked (a function is called for each, with the kind of man that moves as a constant); a list comes in two parts as
 * well. The caller passes colour, use and visitor as constants; movegen.c holds the plain instances for those who do
 * not care.
 *
 * No move is tried and taken back. First everything that limits a move is found:
 *
 *   attacked   what the other side hits, the king lifted off the board, so that it does not hide behind itself
 *   target     where a man may go: anywhere not own; in check only onto the checker or between; in double check nowhere
 *   pins       the lines from the king through one own man to the slider that pins it, in two sets: a man on a line
 *              of the one kind may not leave it, and may not move at all by the other kind of step
 *
 *        . . . . r . . .
 *        . . . . | . . .      the rook on this line may move along it and take the pinner;
 *        . . . . R . . .      a bishop there would have no move, a knight never has one;
 *        . . . . | . . .      a pawn may push, but not take.
 *        . . . . K . . .
 *
 * En passant is the exception: two men leave a rank at once, so that capture is tried on the board.
 */
#pragma once
#include "make_move.h"

typedef enum { COUNT, LIST, WALK } Use;

/* Called for each move when walking. */
typedef void Visit(void *context, Kind kind, int from, int to, int flag);

typedef struct {
    unsigned n;   /* counted so far */
    Move *next;   /* where the list goes on */
    Visit *visit; /* a constant */
    void *context;
} Sink;

typedef struct {
    Bits own, foe, occ, attacked, target, pin_orth, pin_diag;
    int king;
    bool in_check;
} Limits;

/* Everything side c hits through the squares that occ leaves empty. */
INLINE Bits attacked_by(const Position *p, Colour c, Bits occ) {
    const Bits own = p->side[c];
    Bits hit = pawn_hits(own & p->pawn, c) | king_attacks[king_square(p, c)];
    EACH (s, own & p->knight) hit |= knight_attacks[s];
    EACH (s, own & p->diag) hit |= bishop_attacks((int)s, occ);
    EACH (s, own & p->orth) hit |= rook_attacks((int)s, occ);
    return hit;
}

INLINE void add_pin_lines(const Position *p, Limits *v) {
    EACH (s, rook_attacks(v->king, v->foe) & v->foe & p->orth) {
        const Bits path = squares_between[v->king][s], men = path & v->own;
        if (men && !several(men)) v->pin_orth |= path;
    }
    EACH (s, bishop_attacks(v->king, v->foe) & v->foe & p->diag) {
        const Bits path = squares_between[v->king][s], men = path & v->own;
        if (men && !several(men)) v->pin_diag |= path;
    }
}

INLINE Limits find_limits(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    Limits v = {.own = p->side[us], .foe = p->side[them], .king = king_square(p, us)};
    v.occ = v.own | v.foe;
    v.attacked = attacked_by(p, them, v.occ ^ bit(v.king));
    v.in_check = (v.attacked & bit(v.king)) != 0;
    v.target = ~v.own;
    if (v.in_check) {
        const Bits checkers = attackers(p, them, v.king, v.occ);
        v.target = several(checkers) ? 0 : checkers | squares_between[v.king][first(checkers)];
    }
    add_pin_lines(p, &v);
    return v;
}

INLINE void put(Sink *k, Use use, Kind kind, int from, int to, int flag) {
    if (use == COUNT) k->n++;
    if (use == LIST) *k->next++ = move_make(from, to, flag);
    if (use == WALK) k->visit(k->context, kind, from, to, flag);
}

INLINE void put_piece(Sink *k, Use use, Kind kind, int from, Bits to) {
    if (use == COUNT)
        k->n += (unsigned)count(to);
    else
        EACH (t, to) put(k, use, kind, from, (int)t, PLAIN);
}

/* Pawns that all take the same step. */
INLINE void put_pawns(Sink *k, Use use, Bits to, int step, int flag) {
    if (use == COUNT)
        k->n += (unsigned)count(to);
    else
        EACH (t, to) put(k, use, PAWN, (int)t - step, (int)t, flag);
}

INLINE void put_promotions(Sink *k, Use use, Bits to, int step) {
    put_pawns(k, use, to, step, PROMOTION + QUEEN);
    put_pawns(k, use, to, step, PROMOTION + ROOK);
    put_pawns(k, use, to, step, PROMOTION + BISHOP);
    put_pawns(k, use, to, step, PROMOTION + KNIGHT);
}

/* Where pawns may go: one step, two, and captures to either side. */
typedef struct {
    Bits one, two, east, west;
} PawnWays;

/* A pawn on a pin line of the step's own kind keeps to it; on one of the other kind it does not take that step. */
INLINE PawnWays pawn_ways(const Position *p, Colour us, const Limits *v) {
    const Bits pawns = v->own & p->pawn, pushers = pawns & ~v->pin_diag, takers = pawns & ~v->pin_orth;
    const Bits prey = v->foe & v->target, free = takers & ~v->pin_diag, kept = takers & v->pin_diag;
    const Bits one =
        (forward(pushers & ~v->pin_orth, us) | (forward(pushers & v->pin_orth, us) & v->pin_orth)) & ~v->occ;
    return (PawnWays){.one = one & v->target,
                      .two = forward(one & third_rank(us), us) & ~v->occ & v->target,
                      .east = (take_east(free, us) | (take_east(kept, us) & v->pin_diag)) & prey,
                      .west = (take_west(free, us) | (take_west(kept, us) & v->pin_diag)) & prey};
}

INLINE void put_en_passant(const Position *p, Sink *k, Colour us, Use use, const Limits *v) {
    if (UNLIKELY(p->ep))
        EACH (from, pawn_attacks[!us][p->ep] & v->own & p->pawn)
            if (ep_leaves_king_safe(p, us, (int)from, p->ep)) put(k, use, PAWN, (int)from, p->ep, EN_PASSANT);
}

INLINE void gen_pawns(const Position *p, Sink *k, Colour us, Use use, const Limits *v) {
    const int up = pawn_up(us), east = up + 1, west = up - 1;
    const Bits end = last_rank(us);
    const PawnWays s = pawn_ways(p, us, v);
    put_pawns(k, use, s.one & ~end, up, PLAIN);
    put_pawns(k, use, s.two, 2 * up, DOUBLE_PUSH);
    put_pawns(k, use, s.east & ~end, east, PLAIN);
    put_pawns(k, use, s.west & ~end, west, PLAIN);
    if (UNLIKELY((s.one | s.east | s.west) & end)) {
        put_promotions(k, use, s.one & end, up);
        put_promotions(k, use, s.east & end, east);
        put_promotions(k, use, s.west & end, west);
    }
    put_en_passant(p, k, us, use, v);
}

/*
 * May `us`, not in check, castle to that side? The squares that king and rook cross and land on are empty but for
 * themselves, no square of the king's way is hit, and the rook does not shield the king on its rank: in Chess960 it
 * may stand between the king's new square and an enemy rook in the corner, and then it is pinned now.
 */
INLINE bool may_castle(const Position *p, Colour us, bool is_short, const Limits *v) {
    const Bits rook = castling_rook(p, us, is_short);
    if (!rook) return false;
    const int king_to = castled_king(us, is_short), rook_to = castled_rook(us, is_short);
    const Bits king_way = squares_between[v->king][king_to], rook_way = squares_between[first(rook)][rook_to];
    return !((king_way | rook_way) & v->occ & ~(rook | bit(v->king))) && !(king_way & v->attacked) &&
           !(rook & v->pin_orth);
}

INLINE void gen_castling(const Position *p, Sink *k, Colour us, Use use, const Limits *v) {
    if (may_castle(p, us, true, v)) put(k, use, KING, v->king, first(castling_rook(p, us, true)), CASTLING);
    if (may_castle(p, us, false, v)) put(k, use, KING, v->king, first(castling_rook(p, us, false)), CASTLING);
}

INLINE void gen_sliders(Sink *k, Use use, Kind kind, Bits men, const Limits *v) {
    EACH (s, men) {
        Bits to = 0;
        if (kind != ROOK && !(v->pin_orth & bit((int)s)))
            to |= bishop_attacks((int)s, v->occ) & (v->pin_diag & bit((int)s) ? v->pin_diag : ~(Bits)0);
        if (kind != BISHOP && !(v->pin_diag & bit((int)s)))
            to |= rook_attacks((int)s, v->occ) & (v->pin_orth & bit((int)s) ? v->pin_orth : ~(Bits)0);
        put_piece(k, use, kind, (int)s, to & v->target);
    }
}

/* All that are neither king nor pawns, to the squares of v->target. */
INLINE void gen_pieces(const Position *p, Sink *k, Use use, const Limits *v) {
    const Bits queens = v->own & p->diag & p->orth;
    EACH (s, v->own & p->knight & ~(v->pin_orth | v->pin_diag))
        put_piece(k, use, KNIGHT, (int)s, knight_attacks[s] & v->target);
    gen_sliders(k, use, BISHOP, (v->own & p->diag) ^ queens, v);
    gen_sliders(k, use, ROOK, (v->own & p->orth) ^ queens, v);
    gen_sliders(k, use, QUEEN, queens, v);
}

/* Every legal move of `us`, whose turn it is, into the sink. */
INLINE void generate(const Position *p, Sink *k, Colour us, Use use) {
    const Limits v = find_limits(p, us);
    put_piece(k, use, KING, v.king, king_attacks[v.king] & ~v.own & ~v.attacked);
    if (UNLIKELY(!v.target)) return;
    if (p->castle[us] && !v.in_check) gen_castling(p, k, us, use, &v);
    gen_pawns(p, k, us, use, &v);
    gen_pieces(p, k, use, &v);
}

/*
 * The list in two parts, for a search that often needs only the first: captures and promotions to a queen; and all
 * else, quiet moves and promotions to less (with which hardly anything is lost, whether they take or not).
 */
typedef enum { PART_CAPTURES, PART_QUIETS } ListPart;

/* The king's steps that keep it safe, each looked at alone: for a few, that is less than all the other side hits. */
INLINE Bits safe_steps(const Position *p, Colour us, Bits steps) {
    const int king = king_square(p, us);
    const Bits occ = occupied(p) ^ bit(king);
    Bits safe = 0;
    EACH (to, steps)
        if (!attackers(p, (Colour)!us, (int)to, occ)) safe |= bit((int)to);
    return safe;
}

/* find_limits without what the other side hits. */
INLINE Limits quick_limits(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    Limits v = {.own = p->side[us], .foe = p->side[them], .king = king_square(p, us)};
    v.occ = v.own | v.foe;
    const Bits checkers = attackers(p, them, v.king, v.occ);
    v.in_check = checkers != 0;
    v.target = !checkers ? ~v.own : several(checkers) ? 0 : checkers | squares_between[v.king][first(checkers)];
    add_pin_lines(p, &v);
    return v;
}

INLINE void gen_pawns_part(const Position *p, Sink *k, Colour us, ListPart part, const Limits *v) {
    const int up = pawn_up(us), east = up + 1, west = up - 1;
    const Bits end = last_rank(us);
    const PawnWays s = pawn_ways(p, us, v);
    if (part == PART_CAPTURES) {
        put_pawns(k, LIST, s.one & end, up, PROMOTION + QUEEN);
        put_pawns(k, LIST, s.east & end, east, PROMOTION + QUEEN);
        put_pawns(k, LIST, s.west & end, west, PROMOTION + QUEEN);
        put_pawns(k, LIST, s.east & ~end, east, PLAIN);
        put_pawns(k, LIST, s.west & ~end, west, PLAIN);
        put_en_passant(p, k, us, LIST, v);
        return;
    }
    put_pawns(k, LIST, s.one & ~end, up, PLAIN);
    put_pawns(k, LIST, s.two, 2 * up, DOUBLE_PUSH);
    if (LIKELY(!((s.one | s.east | s.west) & end))) return;
    for (Kind kind = ROOK; kind >= KNIGHT; kind--) {
        put_pawns(k, LIST, s.one & end, up, PROMOTION + (int)kind);
        put_pawns(k, LIST, s.east & end, east, PROMOTION + (int)kind);
        put_pawns(k, LIST, s.west & end, west, PROMOTION + (int)kind);
    }
}

INLINE void generate_part(const Position *p, Sink *k, Colour us, ListPart part) {
    Limits v = part == PART_CAPTURES ? quick_limits(p, us) : find_limits(p, us);
    const Bits squares = part == PART_CAPTURES ? v.foe : ~v.foe;
    const Bits steps = king_attacks[v.king] & ~v.own & squares;
    put_piece(k, LIST, KING, v.king, part == PART_CAPTURES ? safe_steps(p, us, steps) : steps & ~v.attacked);
    if (UNLIKELY(!v.target)) return;
    if (part == PART_QUIETS && p->castle[us] && !v.in_check) gen_castling(p, k, us, LIST, &v);
    gen_pawns_part(p, k, us, part, &v);
    v.target &= squares;
    gen_pieces(p, k, LIST, &v);
}

/* ---- plain instances, for whoever is not in a hurry ---- */

/* Writes the legal moves to list (room for MOVES_MAX) and returns how many. */
unsigned moves_list(const Position *p, Move *list);
/* How many there are. */
unsigned moves_count(const Position *p);
/* Writes to *n the position after a legal move; n may be p. */
void position_play(Position *n, const Position *p, Move m);
/* The key of that position, given the key of *p. */
Key position_key_after(const Position *p, Key key, Move m, const Zobrist *z);
/* Only captures, en passant among them, and promotions to a queen, capturing or not; and only the others. */
unsigned moves_list_captures(const Position *p, Move *list);
unsigned moves_list_quiets(const Position *p, Move *list);
/* Is m, which may be any 16 bits, among the legal moves? Without listing them. */
bool move_is_legal(const Position *p, Move m);
/* The legal move from one square to another, castling as king takes own rook, or 0. `promotion` is PAWN for a move that
   does not promote. */
Move move_between(const Position *p, int from, int to, Kind promotion);
