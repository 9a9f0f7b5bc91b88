/* SPDX-License-Identifier: MIT */
#include "records/statistics.h"

#include <stdio.h>

#include "notation/names.h"

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
    value[GAME_HISTOGRAM_legal_moves] = (int)moves_count(p);
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

static void count_pieces(const Position *p, Bits side, uint64_t cell[GAME_CELLS_MAX]) {
    const Bits sets[] = {p->pawn, p->knight, p->diag & ~p->orth, p->orth & ~p->diag, p->diag & p->orth, p->king};
    for (unsigned type = PAWN; type <= KING; type++) cell[type] += (unsigned)popcount(sets[type] & side);
}

void record_count_cells(const Position *p, Move m, GameTable table[GAME_TABLES_N]) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int turn = us == WHITE ? 0 : 56;
    table[GAME_TABLE_own_king].cell[king_square(p, us) ^ turn]++;
    table[GAME_TABLE_other_king].cell[king_square(p, them) ^ turn]++;
    count_pieces(p, p->side[us], table[GAME_TABLE_own_pieces].cell);
    count_pieces(p, p->side[them], table[GAME_TABLE_other_pieces].cell);
    if (!m) return;
    table[GAME_TABLE_move_from].cell[(int)move_from(m) ^ turn]++;
    table[GAME_TABLE_move_to].cell[(int)move_to(m) ^ turn]++;
    table[GAME_TABLE_moved_pieces].cell[piece_type_at(p, (int)move_from(m))]++;
}

void game_cell_name(unsigned table, unsigned cell, char out[GAME_CELL_NAME_MAX]) {
    const bool is_type = table >= GAME_TABLE_moved_pieces;
    snprintf(out, GAME_CELL_NAME_MAX, "%s", is_type ? piece_type_name((PieceType)cell) : square_name((int)cell).text);
}
