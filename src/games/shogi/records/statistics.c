/* SPDX-License-Identifier: MIT */
#include "records/statistics.h"

#include <stdio.h>

#include "notation/names.h"
#include "records/filters.h"
#include "rules/declaration.h"

static int hand_total(uint32_t hand) {
    int sum = 0;
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) sum += (int)hand_count(hand, t);
    return sum;
}

void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]) {
    value[GAME_HISTOGRAM_hands] = hand_total(p->hand[BLACK]) + hand_total(p->hand[WHITE]);
    value[GAME_HISTOGRAM_promoted] = squares_count(p->promoted);
    value[GAME_HISTOGRAM_material] = position_material_balance(p);
    value[GAME_HISTOGRAM_legal_moves] = (int)moves_count(p);
}

unsigned record_properties(const Position *p, Move m) {
    unsigned properties = (unsigned)in_check(p) << GAME_PROPERTY_in_check;
    if (m && has_square(occupied(p), move_to(m))) properties |= 1u << GAME_PROPERTY_captures;
    if (m && move_promotes(m)) properties |= 1u << GAME_PROPERTY_promotions;
    if (m && move_is_drop(m)) properties |= 1u << GAME_PROPERTY_drops;
    if (declaration_wins(p)) properties |= 1u << GAME_PROPERTY_may_declare;
    return properties;
}

/* Of a square and back: 9i is the first cell, 1a the last. */
static unsigned cell_of(int square) {
    return (unsigned)(RANKS - 1 - rank_of(square)) * FILES + (unsigned)(FILES - 1 - file_of(square));
}
static int square_of(unsigned cell) {
    return RANKS * (FILES - 1 - (int)cell % FILES) + RANKS - 1 - (int)cell / FILES;
}

/* A square as the side to move sees it. */
static unsigned seen(int square, Colour turn) {
    return cell_of(turn == BLACK ? square : BOARD_SQUARES - 1 - square);
}

static void count_pieces(const Position *p, Squares side, uint64_t cell[GAME_CELLS_MAX]) {
    EACH_SQUARE (s, side) cell[piece_type_at(p, s)]++;
}

void record_count_cells(const Position *p, Move m, GameTable table[GAME_TABLES_N]) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    if (p->king[us] != NO_SQUARE) table[GAME_TABLE_own_king].cell[seen(p->king[us], us)]++;
    if (p->king[them] != NO_SQUARE) table[GAME_TABLE_other_king].cell[seen(p->king[them], us)]++;
    count_pieces(p, p->side[us], table[GAME_TABLE_own_pieces].cell);
    count_pieces(p, p->side[them], table[GAME_TABLE_other_pieces].cell);
    if (!m) return;
    table[GAME_TABLE_move_to].cell[seen(move_to(m), us)]++;
    if (move_is_drop(m)) {
        table[GAME_TABLE_drops].cell[move_drop_type(m)]++;
        return;
    }
    table[GAME_TABLE_move_from].cell[seen(move_from(m), us)]++;
    table[GAME_TABLE_moved_pieces].cell[piece_type_at(p, move_from(m))]++;
}

void game_cell_name(unsigned table, unsigned cell, char out[GAME_CELL_NAME_MAX]) {
    const bool is_type = table >= GAME_TABLE_drops;
    snprintf(out, GAME_CELL_NAME_MAX, "%s",
             is_type ? piece_type_name((PieceType)cell) : square_name(square_of(cell)).text);
}
