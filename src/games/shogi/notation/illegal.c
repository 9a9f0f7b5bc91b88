/* SPDX-License-Identifier: MIT */
#include "notation/illegal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "notation/names.h"
#include "notation/usi_move.h"

static void write_san(const Position *p, const char *usi, char san[ILLEGAL_SAN_MAX]) {
    Move m;
    snprintf(san, ILLEGAL_SAN_MAX, "%.11s", usi);
    if (!usi_read(usi, &m) || move_is_drop(m) || !has_square(p->side[p->turn], move_from(m))) return;
    const PieceType type = piece_type_at(p, move_from(m));
    snprintf(san, ILLEGAL_SAN_MAX, "%s%c%s%c%s%s", type & PROMOTED ? "+" : "",
             PIECE_LETTERS[piece_type_unpromoted(type)], square_name(move_from(m)).text,
             has_square(occupied(p), move_to(m)) ? 'x' : '-', square_name(move_to(m)).text,
             move_promotes(m) ? "+" : "");
}

void illegal_move(const Position *p, const char *usi, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    static const char quote_end[] = "\": ";
    TabiaError error;
    write_san(p, usi, san);
    if (move_from_text(p, usi, &error)) {
        assert(!"a legal move");
        return;
    }
    const char *reason = strstr(error.text, quote_end);
    snprintf(why, ILLEGAL_WHY_MAX, "%.79s", reason ? reason + sizeof quote_end - 1 : error.text);
}
