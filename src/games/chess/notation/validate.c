/* SPDX-License-Identifier: MIT */
#include "validate.h"
#include "names.h"

/* Are the sets consistent? Text cannot break this, only code can. */
static bool validate_sets(const Position *p, PositionError *invalid) {
    const Bits sliders = p->diag | p->orth;
    const Bits overlap = (p->pawn & p->knight) | ((p->pawn | p->knight) & sliders) |
                         ((p->pawn | p->knight | sliders) & p->king) | (p->side[WHITE] & p->side[BLACK]);
    if (overlap) return position_reject(invalid, FIELD_BOARD, lsb(overlap), "two pieces are on one square");
    const Bits unmatched = occupied(p) ^ (p->pawn | p->knight | sliders | p->king);
    if (unmatched) return position_reject(invalid, FIELD_BOARD, lsb(unmatched), "a piece has no type or no colour");
    if (p->turn > BLACK)
        return position_reject(invalid, FIELD_TURN, NO_SQUARE, "the turn is %u; it is 0 or 1", p->turn);
    return true;
}

static bool validate_pieces(const Position *p, Colour c, PositionError *invalid) {
    const Bits pieces = p->side[c], kings = pieces & p->king;
    if (!kings)
        return position_reject(invalid, FIELD_BOARD, NO_SQUARE, "%s has no king; each side has one", colour_name(c));
    if (more_than_one(kings))
        return position_reject(invalid, FIELD_BOARD, lsb(kings), "%s has %d kings, on %s and %s; each side has one",
                               colour_name(c), popcount(kings), square_name(lsb(kings)).text,
                               square_name(msb(kings)).text);
    if (popcount(pieces) > SIDE_PIECES_MAX)
        return position_reject(invalid, FIELD_BOARD, NO_SQUARE, "%s has %d pieces; a side has at most %d",
                               colour_name(c), popcount(pieces), SIDE_PIECES_MAX);
    return true;
}

bool validate_board(const Position *p, PositionError *invalid) {
    const Bits misplaced = p->pawn & (RANK(0) | RANK(7));
    if (misplaced)
        return position_reject(invalid, FIELD_BOARD, lsb(misplaced), "a pawn is on %s; pawns are on ranks 2 to 7",
                               square_name(lsb(misplaced)).text);
    return validate_pieces(p, WHITE, invalid) && validate_pieces(p, BLACK, invalid);
}

bool validate_turn(const Position *p, PositionError *invalid) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int king = king_square(p, them);
    const Bits checkers = attackers(p, us, king, occupied(p));
    if (!checkers) return true;
    return position_reject(invalid, FIELD_TURN, king,
                           "%s is to move and attacks %s's king on %s from %s; only the side to move may be in check",
                           colour_name(us), colour_name(them), square_name(king).text, square_name(lsb(checkers)).text);
}

bool validate_castling(const Position *p, Colour c, int file, PositionError *invalid) {
    assert(file >= 0 && file < 8);
    const int king = king_square(p, c), rook = back_rank_start(c) + file;
    if (!(bit(king) & back_rank(c)))
        return position_reject(invalid, FIELD_CASTLING, king, "%s's king is on %s; it may castle only from rank %d",
                               colour_name(c), square_name(king).text, 1 + rank_of(back_rank_start(c)));
    if (!(bit(rook) & p->side[c] & p->orth & ~p->diag))
        return position_reject(invalid, FIELD_CASTLING, rook, "there is no %s rook on %s to castle with",
                               colour_name(c), square_name(rook).text);
    if (p->castle[c] >> file & 1)
        return position_reject(invalid, FIELD_CASTLING, rook, "the right to castle with the rook on %s is given twice",
                               square_name(rook).text);
    const Bits other = castling_rook(p, c, rook > king);
    if (other)
        return position_reject(invalid, FIELD_CASTLING, rook,
                               "%s may castle with the rook on %s already; on one side of a king only one rook castles",
                               colour_name(c), square_name(lsb(other)).text);
    return true;
}

bool validate_ep(const Position *p, int square, PositionError *invalid) {
    assert(square >= 0 && square < 64);
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int pawn = square + pawn_up(them), origin = square - pawn_up(them);
    if (!(bit(square) & third_rank(them)))
        return position_reject(invalid, FIELD_EP, square,
                               "%s is not on rank %d, where %s, to move, captures en passant", square_name(square).text,
                               us == WHITE ? 6 : 3, colour_name(us));
    if (!(bit(pawn) & p->pawn & p->side[them]))
        return position_reject(invalid, FIELD_EP, square, "there is no %s pawn on %s that can have passed %s",
                               colour_name(them), square_name(pawn).text, square_name(square).text);
    const Bits blockers = (bit(square) | bit(origin)) & occupied(p);
    if (blockers)
        return position_reject(invalid, FIELD_EP, square,
                               "%s is occupied; the pawn on %s cannot just have come from %s",
                               square_name(lsb(blockers)).text, square_name(pawn).text, square_name(origin).text);
    return true;
}

static bool validate_rights(const Position *p, PositionError *invalid) {
    Position q = *p;
    q.castle[WHITE] = q.castle[BLACK] = 0;
    for (int c = WHITE; c <= BLACK; c++) {
        EACH (file, p->castle[c]) {
            if (!validate_castling(&q, (Colour)c, (int)file, invalid)) return false;
            q.castle[c] = (uint8_t)(q.castle[c] | 1u << file);
        }
    }
    return true;
}

static bool validate_all(const Position *p, PositionError *invalid) {
    if (!(validate_sets(p, invalid) && validate_board(p, invalid) && validate_turn(p, invalid) &&
          validate_rights(p, invalid)))
        return false;
    if (!p->ep) return true;
    if (p->ep >= NO_SQUARE) return position_reject(invalid, FIELD_EP, NO_SQUARE, "%d is no square", p->ep);
    if (!validate_ep(p, p->ep, invalid)) return false;
    if (ep_is_legal(p, (Colour)p->turn, p->ep)) return true;
    return position_reject(invalid, FIELD_EP, p->ep,
                           "no legal move captures en passant on %s; then there is no such square",
                           square_name(p->ep).text);
}

bool position_validate(const Position *p, TabiaError *error) {
    PositionError invalid;
    return validate_all(p, &invalid) || position_report(&invalid, error);
}
