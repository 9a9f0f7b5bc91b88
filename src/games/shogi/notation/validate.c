/* SPDX-License-Identifier: MIT */
#include "validate.h"
#include "names.h"

unsigned set_pieces(PieceType type) {
    static const uint8_t number[] = {18, 4, 4, 4, 2, 2, 4, 2};
    assert(type <= KING);
    return number[type];
}

unsigned pieces_max(PieceType type) {
    return set_pieces(type) + (type == BISHOP || type == ROOK);
}

/* Are the sets consistent? Text cannot break this, only code can. */
static bool validate_sets(const Position *p, PositionError *invalid) {
    if (!position_is_consistent(p))
        return position_reject(invalid, FIELD_BOARD, NO_SQUARE, "the sets of pieces disagree with each other");
    if (p->king[BLACK] == NO_SQUARE && p->king[WHITE] == NO_SQUARE)
        return position_reject(invalid, FIELD_BOARD, NO_SQUARE, "there is no king; at least one side has one");
    return true;
}

static bool validate_dead_ends(const Position *p, Colour c, PositionError *invalid) {
    for (PieceType t = PAWN; t <= KNIGHT; t++) {
        const Squares stuck = p->side[c] & unpromoted(p, t) & dead_end(c, t);
        if (stuck)
            return position_reject(invalid, FIELD_BOARD, first_square(stuck),
                                   "%s's %s on %s can never move again; it would be promoted", colour_name(c),
                                   piece_type_name(t), square_name(first_square(stuck)).text);
    }
    return true;
}

static bool validate_pawns(const Position *p, Colour c, PositionError *invalid) {
    const Squares pawns = p->side[c] & unpromoted(p, PAWN);
    for (int file = 0; file < FILES; file++) {
        const Squares on_file = pawns & FILE_1 << RANKS * file;
        if (more_than_one_square(on_file))
            return position_reject(invalid, FIELD_BOARD, first_square(on_file),
                                   "%s has two unpromoted pawns on file %d, on %s and %s", colour_name(c), file + 1,
                                   square_name(first_square(on_file)).text, square_name(last_square(on_file)).text);
    }
    return true;
}

bool validate_board(const Position *p, PositionError *invalid) {
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++)
        if ((unsigned)squares_count(p->type[t]) > pieces_max(t))
            return position_reject(invalid, FIELD_BOARD, last_square(p->type[t]),
                                   "%d pieces are %ss, promoted or not; at most %u can be", squares_count(p->type[t]),
                                   piece_type_name(t), pieces_max(t));
    return validate_dead_ends(p, BLACK, invalid) && validate_dead_ends(p, WHITE, invalid) &&
           validate_pawns(p, BLACK, invalid) && validate_pawns(p, WHITE, invalid);
}

bool validate_hands(const Position *p, PositionError *invalid) {
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) {
        const unsigned all = position_pieces(p, t), in_hand = all - (unsigned)squares_count(p->type[t]);
        if (all > pieces_max(t))
            return position_reject(invalid, FIELD_HANDS, NO_SQUARE,
                                   "%u pieces are %ss, %u of them in hand; at most %u can be", all, piece_type_name(t),
                                   in_hand, pieces_max(t));
    }
    return true;
}

bool validate_turn(const Position *p, PositionError *invalid) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int king = king_square(p, them);
    const Squares checkers = attackers(p, us, king, occupied(p));
    if (checkers)
        return position_reject(invalid, FIELD_TURN, king,
                               "%s, whose turn it is, could capture the king on %s with the piece on %s",
                               colour_name(us), square_name(king).text, square_name(first_square(checkers)).text);
    return true;
}

bool position_validate(const Position *p, TabiaError *error) {
    PositionError invalid;
    return (validate_sets(p, &invalid) && validate_board(p, &invalid) && validate_hands(p, &invalid) &&
            validate_turn(p, &invalid)) ||
           position_report(&invalid, error);
}
