/* SPDX-License-Identifier: MIT */
#include "data/pack.h"

#include <assert.h>

void data_pack(DataPackedRecord *out, const DataRecord *r) {
    assert(r->result >= -1 && r->result <= 1);
    *out = (DataPackedRecord){.score = r->score,
                              .move = r->move,
                              .extra = r->extra,
                              .ply = r->ply,
                              .flags = (uint8_t)((r->result + 1) << 2 | r->skip << 1 | r->starts_game)};
    position_to_compact(&r->position, out->position);
}

void data_unpack(DataRecord *r, const DataPackedRecord *in) {
    assert(in->flags >> 2 <= 2);
    *r = (DataRecord){.score = in->score,
                      .move = in->move,
                      .extra = in->extra,
                      .ply = in->ply,
                      .result = (int8_t)((in->flags >> 2) - 1),
                      .skip = in->flags >> 1 & 1,
                      .starts_game = in->flags & 1};
    position_from_compact(&r->position, in->position);
}
