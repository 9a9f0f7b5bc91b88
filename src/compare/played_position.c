/* SPDX-License-Identifier: MIT */
#include "against.h"
#include "notation/fen_fields.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <assert.h>
#include <string.h>

bool played_position_begin(PlayedPosition *line, const char *fen, bool chess960, TabiaError *error) {
    line->n = 0;
    if (!fen_parse(&line->start, fen, error)) return false;
    if (!fen_normalize(fen, line->fen)) return tabia_fail(error, "the FEN is too long");
    line->at = line->start;
    line->chess960 = chess960 || fen_is_chess960(&line->start, line->fen);
    return true;
}

void played_position_append(PlayedPosition *line, Move m) {
    assert(m && line->n < PLAYED_MOVES_MAX);
    line->move[line->n++] = m;
    position_make_move(&line->at, &line->at, m);
}

void played_position_moves(const PlayedPosition *line, unsigned from, char out[PLAYED_MOVES_TEXT_MAX]) {
    Position p = line->start;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < line->n; i++) {
        if (i >= from) {
            assert(used + 7 <= PLAYED_MOVES_TEXT_MAX);
            if (used) out[used++] = ' ';
            move_to_uci(&p, line->move[i], line->chess960, out + used);
            used += strlen(out + used);
        }
        position_make_move(&p, &p, line->move[i]);
    }
}
