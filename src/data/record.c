/* SPDX-License-Identifier: MIT */
#include "data/record.h"

bool data_follows(const DataRecord *earlier, const DataRecord *later) {
    if (!earlier->move || later->result != -earlier->result || later->ply != (uint16_t)(earlier->ply + 1)) return false;
    Position next;
    position_play(&next, &earlier->position, earlier->move);
    return position_same(&next, &later->position) && next.halfmove == later->position.halfmove &&
           next.fullmove == later->position.fullmove;
}

Move data_legal_move(const Position *p, int from, int to, Kind promotion) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    for (unsigned i = 0; i < n; i++)
        if (move_from(list[i]) == from && move_to(list[i]) == to &&
            (move_promotes(list[i]) ? move_promotion(list[i]) : PAWN) == promotion)
            return list[i];
    return 0;
}

const char *data_field_words(unsigned number) {
#define WORDS(name, words) words,
    static const char *const all[] = {DATA_FIELDS(WORDS)};
#undef WORDS
    return all[number];
}
