/* SPDX-License-Identifier: MIT */
#include "data/record.h"

#include <assert.h>

bool data_follows(const DataRecord *earlier, const DataRecord *later) {
    if (!earlier->move || later->result != -earlier->result || later->ply != (uint16_t)(earlier->ply + 1)) return false;
    Position next;
    position_make_move(&next, &earlier->position, earlier->move);
    return position_same(&next, &later->position) && move_counters_same(&next, &later->position);
}

const char *data_field_name(unsigned index) {
#define WORDS(name, words) words,
    static const char *const all[] = {DATA_FIELDS(WORDS)};
#undef WORDS
    assert(index < DATA_FIELDS_N);
    return all[index];
}
