/* SPDX-License-Identifier: MIT */
#include "against.h"
#include "epd.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <assert.h>
#include <string.h>

bool uci_position_begin(UciPosition *line, const char *fen, bool chess960, TabiaError *error) {
    line->n = 0;
    if (!fen_parse(&line->start, fen, error)) return false;
    if (!epd_normalize_fen(fen, line->fen)) return tabia_fail(error, "the FEN is too long");
    line->at = line->start;
    line->chess960 = chess960 || epd_is_chess960(&line->start, line->fen);
    return true;
}

void uci_position_append(UciPosition *line, Move m) {
    assert(m && line->n < UCI_POSITION_MOVES_MAX);
    line->move[line->n++] = m;
    position_make_move(&line->at, &line->at, m);
}

void uci_position_moves(const UciPosition *line, unsigned from, char out[UCI_MOVES_TEXT_MAX]) {
    Position p = line->start;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < line->n; i++) {
        if (i >= from) {
            assert(used + 7 <= UCI_MOVES_TEXT_MAX);
            if (used) out[used++] = ' ';
            move_to_uci(&p, line->move[i], line->chess960, out + used);
            used += strlen(out + used);
        }
        position_make_move(&p, &p, line->move[i]);
    }
}
