/* SPDX-License-Identifier: MIT */
#include "train_positions.h"

#include <assert.h>
#include <stdlib.h>

#include "quiet_record.h"

/* Decided positions are included. */
enum { SCORE_LIMIT = 3000 };

TrainPosition train_position_pack(const Position *p, int score, int result) {
    assert(result >= 0 && result <= 2 && score >= INT16_MIN && score <= INT16_MAX);
    TrainPosition packed = {
        .occupied = occupied(p), .score = (int16_t)score, .turn = p->turn, .result = (uint8_t)result};
    int i = 0;
    EACH (s, occupied(p)) {
        const unsigned owner = p->side[BLACK] >> s & 1;
        packed.pieces[i / 2] |= (uint8_t)((owner * 8 + piece_type_at_branchless(p, (int)s)) << i % 2 * 4);
        i++;
    }
    return packed;
}

bool train_positions_add(TrainPositions *set, const Position *p, int score, int result) {
    assert(set->count <= set->capacity);
    if (set->count == set->capacity) {
        const size_t capacity = set->capacity * 3 / 2 + 4096;
        TrainPosition *larger = realloc(set->position, capacity * sizeof *larger);
        if (!larger) return false;
        set->position = larger, set->capacity = capacity;
    }
    set->position[set->count++] = train_position_pack(p, score, result);
    return true;
}

DataOutcome train_positions_read(TrainPositions *set, DataSource *source, TabiaError *error) {
    *set = (TrainPositions){0};
    DataRecord r;
    bool has_memory = true;
    while (has_memory && data_source_next(source, &r, error)) {
        set->records_read++;
        if (record_is_quiet(&r, SCORE_LIMIT)) has_memory = train_positions_add(set, &r.position, r.score, r.result + 1);
    }
    data_source_close(source);
    if (!has_memory) return tabia_fail(error, "out of memory for %zu positions", set->count), DATA_SYSTEM_ERROR;
    if (source->outcome == DATA_DONE && !set->count)
        return tabia_fail(error, "%s: no quiet positions", source->paths[0]), DATA_BAD_INPUT;
    return source->outcome;
}

void train_positions_free(TrainPositions *set) {
    free(set->position);
    *set = (TrainPositions){0};
}

static unsigned packed_piece(const TrainPosition *packed, int i) {
    return packed->pieces[i / 2] >> i % 2 * 4 & 15;
}

Position train_position_unpack(const TrainPosition *packed) {
    Position p = {.turn = packed->turn, .fullmove = 1};
    int i = 0;
    EACH (s, packed->occupied) {
        const unsigned piece = packed_piece(packed, i++);
        position_put(&p, (int)s, (Colour)(piece >> 3), (PieceType)(piece & 7));
    }
    return p;
}

/* network_orientation (eval/network.h) of a packed position. */
static int packed_network_orientation(const TrainPosition *packed, NetworkShape shape, Colour side) {
    int i = 0;
    EACH (s, packed->occupied) {
        if (packed_piece(packed, i++) == (unsigned)side * 8 + KING)
            return network_orientation_of_king(shape, side, (int)s);
    }
    return 0;
}

void train_position_features(const TrainPosition *packed, NetworkShape shape, TrainFeatures *in) {
    assert(popcount(packed->occupied) <= 32);
    const Colour us = (Colour)packed->turn, them = (Colour)!us;
    const int ours = packed_network_orientation(packed, shape, us),
              theirs = packed_network_orientation(packed, shape, them);
    in->count = 0;
    EACH (s, packed->occupied) {
        const unsigned piece = packed_piece(packed, in->count);
        const Colour owner = (Colour)(piece >> 3);
        in->input[0][in->count] = (uint16_t)network_feature(us, ours, owner, (PieceType)(piece & 7), (int)s);
        in->input[1][in->count] = (uint16_t)network_feature(them, theirs, owner, (PieceType)(piece & 7), (int)s);
        in->count++;
    }
}
