/* SPDX-License-Identifier: MIT */
#include "records/statistics.h"

#include <stdio.h>

#include "notation/names.h"
#include "records/filters.h"

/* Knights and bishops 1, rooks 2, queens 4. */
static int phase(const Position *p) {
    return popcount(p->knight) + popcount(p->diag & ~p->orth) + 2 * popcount(p->orth & ~p->diag) +
           4 * popcount(p->diag & p->orth);
}

void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]) {
    value[GAME_HISTOGRAM_phase] = phase(p);
    value[GAME_HISTOGRAM_pieces] = popcount(occupied(p));
    value[GAME_HISTOGRAM_material] = position_material_balance(p);
    value[GAME_HISTOGRAM_legal_moves] = (int)moves_count(p);
}

static bool is_capture(const Position *p, Move m) {
    return move_flag(m) != CASTLING && ((occupied(p) & bit(move_to(m))) || move_flag(m) == EN_PASSANT);
}

unsigned record_properties(const Position *p, Move m) {
    unsigned properties = (unsigned)in_check(p) << GAME_PROPERTY_in_check;
    if (m && is_capture(p, m)) properties |= 1u << GAME_PROPERTY_captures;
    if (m && move_promotes(m)) properties |= 1u << GAME_PROPERTY_promotions;
    if (p->castle[WHITE] | p->castle[BLACK]) properties |= 1u << GAME_PROPERTY_with_castling_rights;
    if (!castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK))
        properties |= 1u << GAME_PROPERTY_with_chess960_rights;
    return properties;
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
