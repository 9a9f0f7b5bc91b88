/* SPDX-License-Identifier: MIT */
#include "batch_positions.h"

#include <stdlib.h>

#include "quiet.h"

/* Decided positions are learnt from too. */
enum { SCORE_MOST = 3000 };

Board board_make(const Position *p, int score, int result) {
    Board b = {.men = occupied(p), .score = (int16_t)score, .turn = p->turn, .result = (uint8_t)result};
    int i = 0;
    EACH (s, occupied(p)) {
        const unsigned owner = p->side[BLACK] >> s & 1;
        b.kind[i / 2] |= (uint8_t)((owner * 8 + kind_looked_up(p, (int)s)) << i % 2 * 4);
        i++;
    }
    return b;
}

bool boards_add(Boards *b, const Position *p, int score, int result) {
    if (b->n == b->room) {
        const size_t more = b->room * 3 / 2 + 4096;
        Board *bigger = realloc(b->board, more * sizeof *bigger);
        if (!bigger) return false;
        b->board = bigger, b->room = more;
    }
    b->board[b->n++] = board_make(p, score, result);
    return true;
}

DataOutcome boards_read(Boards *b, DataSource *source, TabiaError *error) {
    *b = (Boards){0};
    DataRecord r;
    bool room = true;
    while (room && data_source_next(source, &r, error)) {
        b->read++;
        if (record_is_quiet(&r, SCORE_MOST)) room = boards_add(b, &r.position, r.score, r.result + 1);
    }
    data_source_close(source);
    if (!room) return tabia_fail(error, "no memory for %zu positions", b->n), DATA_SYSTEM_ERROR;
    if (source->outcome == DATA_DONE && !b->n)
        return tabia_fail(error, "%s: no quiet positions to learn from", source->paths[0]), DATA_BAD_INPUT;
    return source->outcome;
}

void boards_free(Boards *b) {
    free(b->board);
    *b = (Boards){0};
}

static unsigned man_of(const Board *b, int i) {
    return b->kind[i / 2] >> i % 2 * 4 & 15;
}

Position board_position(const Board *b) {
    Position p = {.turn = b->turn, .fullmove = 1};
    int i = 0;
    EACH (s, b->men) {
        const unsigned man = man_of(b, i++);
        position_put(&p, (int)s, (Colour)(man >> 3), (Kind)(man & 7));
    }
    return p;
}

/* As network_orientation, of a board. */
static int view_of(const Board *b, Colour side) {
    int i = 0;
    EACH (s, b->men) {
        if (man_of(b, i++) == (unsigned)side * 8 + KING) return network_orientation_of_king(side, (int)s);
    }
    return 0;
}

void board_inputs(const Board *b, BoardInputs *in) {
    const Colour us = (Colour)b->turn, them = (Colour)!us;
    const int ours = view_of(b, us), theirs = view_of(b, them);
    in->n = 0;
    EACH (s, b->men) {
        const unsigned man = man_of(b, in->n);
        const Colour owner = (Colour)(man >> 3);
        in->input[0][in->n] = (uint16_t)network_feature(us, ours, owner, (Kind)(man & 7), (int)s);
        in->input[1][in->n] = (uint16_t)network_feature(them, theirs, owner, (Kind)(man & 7), (int)s);
        in->n++;
    }
}
