/* SPDX-License-Identifier: MIT */
#include "validate.h"
#include "names.h"

#include <stdarg.h>
#include <stdio.h>

const char *part_name(Part part) {
    static const char *const names[] = {"",           "board",          "side to move",   "castling",
                                        "en passant", "halfmove clock", "fullmove number"};
    return names[part];
}

static bool found(Flaw *flaw, Part part, int square, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Always false, so that a check ends with `return found(...)`. */
static bool found(Flaw *flaw, Part part, int square, const char *format, ...) {
    flaw->part = part;
    flaw->square = square;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(flaw->reason, sizeof flaw->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* Can the sets be read as men on squares at all? Text cannot break this, only code can. */
static bool validate_sets(const Position *p, Flaw *flaw) {
    const Bits sliders = p->diag | p->orth;
    const Bits twice = (p->pawn & p->knight) | ((p->pawn | p->knight) & sliders) |
                       ((p->pawn | p->knight | sliders) & p->king) | (p->side[WHITE] & p->side[BLACK]);
    if (twice) return found(flaw, PART_BOARD, first(twice), "two men stand on one square");
    const Bits odd = occupied(p) ^ (p->pawn | p->knight | sliders | p->king);
    if (odd) return found(flaw, PART_BOARD, first(odd), "a man has no kind or no colour");
    if (p->turn > BLACK) return found(flaw, PART_TURN, NO_SQUARE, "the turn is %u; it is 0 or 1", p->turn);
    return true;
}

static bool validate_men(const Position *p, Colour c, Flaw *flaw) {
    const Bits men = p->side[c], kings = men & p->king;
    if (!kings) return found(flaw, PART_BOARD, NO_SQUARE, "%s has no king; each side has one", colour_name(c));
    if (several(kings))
        return found(flaw, PART_BOARD, first(kings), "%s has %d kings, on %s and %s; each side has one", colour_name(c),
                     count(kings), square_name(first(kings)).text, square_name(last(kings)).text);
    if (count(men) > MEN_MAX)
        return found(flaw, PART_BOARD, NO_SQUARE, "%s has %d men; a side has at most %d", colour_name(c), count(men),
                     MEN_MAX);
    return true;
}

bool validate_board(const Position *p, Flaw *flaw) {
    const Bits stray = p->pawn & (RANK(0) | RANK(7));
    if (stray)
        return found(flaw, PART_BOARD, first(stray), "a pawn stands on %s; pawns stand on ranks 2 to 7",
                     square_name(first(stray)).text);
    return validate_men(p, WHITE, flaw) && validate_men(p, BLACK, flaw);
}

bool validate_turn(const Position *p, Flaw *flaw) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int king = king_square(p, them);
    const Bits checkers = attackers(p, us, king, occupied(p));
    if (!checkers) return true;
    return found(flaw, PART_TURN, king,
                 "%s is to move and hits %s's king on %s from %s; only the side to move may be in check",
                 colour_name(us), colour_name(them), square_name(king).text, square_name(first(checkers)).text);
}

bool validate_castling(const Position *p, Colour c, int file, Flaw *flaw) {
    const int king = king_square(p, c), rook = home_row(c) + file;
    if (!(bit(king) & home_rank(c)))
        return found(flaw, PART_CASTLING, king, "%s's king is on %s; it may castle only from rank %d", colour_name(c),
                     square_name(king).text, 1 + square_rank(home_row(c)));
    if (!(bit(rook) & p->side[c] & p->orth & ~p->diag))
        return found(flaw, PART_CASTLING, rook, "there is no %s rook on %s to castle with", colour_name(c),
                     square_name(rook).text);
    if (p->castle[c] >> file & 1)
        return found(flaw, PART_CASTLING, rook, "the right to castle with the rook on %s is given twice",
                     square_name(rook).text);
    const Bits other = castling_rook(p, c, rook > king);
    if (other)
        return found(flaw, PART_CASTLING, rook,
                     "%s may castle with the rook on %s already; on one side of a king only one rook castles",
                     colour_name(c), square_name(first(other)).text);
    return true;
}

bool validate_ep(const Position *p, int square, Flaw *flaw) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    const int pawn = square + pawn_up(them), origin = square - pawn_up(them);
    if (!(bit(square) & third_rank(them)))
        return found(flaw, PART_EP, square, "%s is not on rank %d, where %s, to move, captures en passant",
                     square_name(square).text, us == WHITE ? 6 : 3, colour_name(us));
    if (!(bit(pawn) & p->pawn & p->side[them]))
        return found(flaw, PART_EP, square, "there is no %s pawn on %s that can have passed %s", colour_name(them),
                     square_name(pawn).text, square_name(square).text);
    const Bits blockers = (bit(square) | bit(origin)) & occupied(p);
    if (blockers)
        return found(flaw, PART_EP, square, "%s is occupied; the pawn on %s cannot just have come from %s",
                     square_name(first(blockers)).text, square_name(pawn).text, square_name(origin).text);
    return true;
}

static bool validate_rights(const Position *p, Flaw *flaw) {
    Position q = *p;
    q.castle[WHITE] = q.castle[BLACK] = 0;
    for (int c = WHITE; c <= BLACK; c++) {
        EACH (file, p->castle[c]) {
            if (!validate_castling(&q, (Colour)c, (int)file, flaw)) return false;
            q.castle[c] = (uint8_t)(q.castle[c] | 1u << file);
        }
    }
    return true;
}

static bool validate_all(const Position *p, Flaw *flaw) {
    if (!(validate_sets(p, flaw) && validate_board(p, flaw) && validate_turn(p, flaw) && validate_rights(p, flaw)))
        return false;
    if (!p->ep) return true;
    if (p->ep >= NO_SQUARE) return found(flaw, PART_EP, NO_SQUARE, "%d is no square", p->ep);
    if (!validate_ep(p, p->ep, flaw)) return false;
    if (ep_is_legal(p, (Colour)p->turn, p->ep)) return true;
    return found(flaw, PART_EP, p->ep, "no legal move captures en passant on %s; then there is no such square",
                 square_name(p->ep).text);
}

bool position_validate(const Position *p, TabiaError *error) {
    Flaw flaw;
    if (validate_all(p, &flaw)) return true;
    if (flaw.square == NO_SQUARE) return tabia_fail(error, "position, %s: %s", part_name(flaw.part), flaw.reason);
    return tabia_fail(error, "position, %s, %s: %s", part_name(flaw.part), square_name(flaw.square).text, flaw.reason);
}
