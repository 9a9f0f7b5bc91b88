/* SPDX-License-Identifier: MIT */
#include "records/statistics.h"

static int piece_count(Bits set, const Position *p, Colour c) {
    return popcount(set & p->side[c]);
}

/* Knights and bishops 1, rooks 2, queens 4. */
static int phase(const Position *p) {
    return popcount(p->knight) + popcount(p->diag & ~p->orth) + 2 * popcount(p->orth & ~p->diag) +
           4 * popcount(p->diag & p->orth);
}

static int material_in_pawns(const Position *p, Colour c) {
    return piece_count(p->pawn, p, c) + 3 * piece_count(p->knight | (p->diag & ~p->orth), p, c) +
           5 * piece_count(p->orth & ~p->diag, p, c) + 9 * piece_count(p->diag & p->orth, p, c);
}

void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]) {
    const Colour us = (Colour)p->turn;
    value[GAME_HISTOGRAM_phase] = phase(p);
    value[GAME_HISTOGRAM_pieces] = popcount(occupied(p));
    value[GAME_HISTOGRAM_material] = material_in_pawns(p, us) - material_in_pawns(p, (Colour)!us);
}

static bool is_capture(const Position *p, Move m) {
    return move_flag(m) != CASTLING && ((occupied(p) & bit(move_to(m))) || move_flag(m) == EN_PASSANT);
}

unsigned record_traits(const Position *p, Move m) {
    unsigned traits = (unsigned)in_check(p) << GAME_TRAIT_in_check;
    if (m && is_capture(p, m)) traits |= 1u << GAME_TRAIT_captures;
    if (m && move_promotes(m)) traits |= 1u << GAME_TRAIT_promotions;
    if (p->castle[WHITE] | p->castle[BLACK]) traits |= 1u << GAME_TRAIT_with_castling_rights;
    if (!castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK))
        traits |= 1u << GAME_TRAIT_with_chess960_rights;
    return traits;
}
