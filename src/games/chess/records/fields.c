/* SPDX-License-Identifier: MIT */
#include "records/fields.h"

#include <stdio.h>

#include "notation/names.h"
#include "records/move_counters.h"

DataFields position_fields(const Position *p) {
    DataFields f = DATA_NO_FIELDS;
    if (p->turn == BLACK) f |= DATA_TURN;
    if (p->castle[WHITE] | p->castle[BLACK]) f |= DATA_CASTLING;
    if (p->ep) f |= DATA_EP;
    if (p->halfmove) f |= DATA_HALFMOVE_CLOCK;
    if (p->fullmove != 1) f |= DATA_FULLMOVE_NUMBER;
    return f;
}

bool extra_take_deeper_score(RecordExtra *extra, DataFields stored, int32_t score) {
    (void)extra, (void)stored, (void)score;
    return false;
}

DataFields extra_fields(RecordExtra extra) {
    return extra.opening_eval ? DATA_OPENING_EVAL : DATA_NO_FIELDS;
}

enum { HALFMOVE_CLOCK_MAX = 150 };

const char *move_counters_text(const Position *p, char out[MOVE_COUNTERS_TEXT_MAX]) {
    snprintf(out, MOVE_COUNTERS_TEXT_MAX, "%u and %u", p->halfmove, p->fullmove);
    return out;
}

bool move_counters_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error) {
    if (!(fields & DATA_HALFMOVE_CLOCK)) return true;
    const unsigned plies_played = 2 * (unsigned)(p->fullmove - 1) + p->turn;
    if (p->ep && p->halfmove)
        return tabia_fail(error, "the halfmove clock is %u after a pawn's double step over %s; it must be 0",
                          p->halfmove, square_name(p->ep).text);
    if (p->halfmove > HALFMOVE_CLOCK_MAX)
        return tabia_fail(error, "the halfmove clock is %u; games end at %d", p->halfmove, HALFMOVE_CLOCK_MAX);
    if (fields & DATA_FULLMOVE_NUMBER && p->halfmove > plies_played && p->halfmove > ply)
        return tabia_fail(error, "the halfmove clock is %u in move %u, after %u plies", p->halfmove, p->fullmove,
                          plies_played);
    return true;
}

const char *position_ending(const Position *p, int *result) {
    if (moves_count(p)) return NULL;
    *result = in_check(p) ? -1 : 0;
    return *result ? "mate" : "stalemate";
}
