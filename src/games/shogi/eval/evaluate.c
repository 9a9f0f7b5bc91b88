/* SPDX-License-Identifier: MIT */
#include "eval/evaluate.h"

#include "rules/movegen.h"

/* The weights of the terms, in centipawns. */
enum {
    TEMPO = 12,
    ZONE_ATTACKED = 9,   /* a square around a king that the other side attacks ... */
    ZONE_UNGUARDED = 16, /* ... and nothing but the king guards */
    GUARD = 14,          /* a gold or silver near its king */
    GUARDS_MAX = 3,      /* that count */
    NEAR_KING = 10,      /* a gold mover or silver near the other king */
    HAND_ATTACK = 8,     /* a piece in hand but a pawn, for each unguarded square around the other king */
    HAND_ATTACK_MAX = 4, /* pieces and squares that count */
    TERMS_VERSION = 1,   /* to be raised with each change of what the terms say */
};

/* ---- piece-square values, as black sees the board ---- */

static int distance_to_middle(int s) {
    const int file = file_of(s);
    return file < 4 ? 4 - file : file - 4;
}

static int king_value(int s) {
    static const int16_t by_rank[RANKS] = {-20, -40, -60, -70, -60, -50, -25, 5, 10};
    return by_rank[rank_of(s)] + (rank_of(s) >= 7 ? 6 * distance_to_middle(s) : 0);
}

static int square_value(PieceType type, int s) {
    const int advanced = 8 - rank_of(s), middle = 4 - distance_to_middle(s);
    switch (type) {
    case PAWN:
        return 3 * (advanced - 2);
    case LANCE:
        return -2 * advanced;
    case KNIGHT:
        return (advanced > 2 ? -6 * (advanced - 2) : 0) + middle;
    case SILVER:
        return 3 * (advanced < 5 ? advanced : 5) + 2 * middle;
    case GOLD:
        return 2 * middle - 3 * (advanced > 3 ? advanced - 3 : 0);
    case BISHOP:
        return 3 * middle;
    case ROOK:
        return advanced > 5 ? 15 : 0;
    case HORSE:
        return 4 * middle;
    case DRAGON:
        return 10;
    default:
        return 3 * middle -
               (advanced > 6 ? 4 * (advanced - 6) : 0); /* promoted pieces go back to where the kings are */
    }
}

void evaluator_init(Evaluator *e, TabiaTable *pawns, EvaluationType type) {
    (void)pawns;
    *e = (Evaluator){0};
    evaluator_choose(e, type, NULL);
    for (int s = 0; s < BOARD_SQUARES; s++) {
        e->king_square[s] = (int16_t)king_value(s);
        for (PieceType t = PAWN; t <= GOLD; t++) {
            const PieceType promoted = (PieceType)(t == GOLD ? t : t | PROMOTED);
            e->piece_square[t][0][s] = (int16_t)(piece_value(t) + square_value(t, s));
            e->piece_square[t][1][s] = (int16_t)(piece_value(promoted) + square_value(promoted, s));
        }
    }
}

void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network) {
    e->type = network ? type : EVALUATION_TERMS, e->network = network;
}

uint64_t evaluation_identity(EvaluationType type, const Network *network) {
    (void)type, (void)network;
    return 0x7368u << 16 | TERMS_VERSION;
}

/* ---- terms ---- */

static int material(const Evaluator *e, const Position *p, Colour c) {
    int sum = 0;
    for (PieceType t = PAWN; t <= GOLD; t++) {
        sum += (int)hand_count(p->hand[c], t) * piece_value(t);
        EACH_SQUARE (s, p->side[c] & p->type[t])
            sum += e->piece_square[t][has_square(p->promoted, s)][c == BLACK ? s : BOARD_SQUARES - 1 - s];
    }
    const int king = king_square(p, c);
    if (king == NO_SQUARE) return sum;
    return sum + e->king_square[c == BLACK ? king : BOARD_SQUARES - 1 - king];
}

static int at_most(int n, int most) {
    return n < most ? n : most;
}

/* Everything that pieces of side c but its king attack. */
static Squares attacked_without_king(const Position *p, Colour c, Squares occ) {
    Position without = *p;
    without.king[c] = NO_SQUARE;
    return attacked_by(&without, c, occ);
}

/* How side c stands around its own king: guarded less attacked. */
static int king_safety(const Position *p, Colour c, const Squares attacked_by_foe, const Squares guarded) {
    const Squares king = king_bit(p, c), ring = orth_steps(king) | diag_steps(king);
    const Squares near = ring | orth_steps(ring) | diag_steps(ring);
    const Squares helpers = gold_movers(p) | unpromoted(p, SILVER);
    const Squares hit = ring & attacked_by_foe, open = hit & ~guarded;
    const uint32_t foe_hand = p->hand[!c];
    int hand = 0;
    for (PieceType t = LANCE; t <= GOLD; t++) hand += (int)hand_count(foe_hand, t);
    const int holes = squares_count(ring & ~guarded & ~p->side[c]);
    return GUARD * at_most(squares_count(near & helpers & p->side[c]), GUARDS_MAX) -
           NEAR_KING * squares_count(near & helpers & p->side[!c]) - ZONE_ATTACKED * squares_count(hit) -
           ZONE_UNGUARDED * squares_count(open) -
           HAND_ATTACK * at_most(hand, HAND_ATTACK_MAX) * at_most(holes, HAND_ATTACK_MAX) / 2;
}

int evaluate(Evaluator *e, const Position *p, unsigned ply) {
    (void)ply;
    assert(position_is_consistent(p) && !in_check(p));
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const Squares occ = occupied(p);
    const Squares ours = attacked_without_king(p, us, occ), theirs = attacked_without_king(p, them, occ);
    const int value = TEMPO + material(e, p, us) - material(e, p, them) + king_safety(p, us, theirs, ours) -
                      king_safety(p, them, ours, theirs);
    return evaluation_clamp(value);
}
