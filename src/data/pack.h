/* SPDX-License-Identifier: MIT */
/*
 * A record in 40 bytes, for memory and temporary files of the tools. Packing loses nothing, and unpacking checks
 * nothing. This is no file format: its layout may change with any version.
 */
#pragma once
#include "data/record.h"

typedef struct {
    uint64_t occupied;
    uint8_t piece[16]; /* half bytes in viriformat's codes (board.h) */
    int32_t score;
    Move move;
    int16_t opening_eval;
    uint16_t ply, halfmove, fullmove;
    uint8_t turn_ep, flags;
} DataPackedRecord;

_Static_assert(sizeof(DataPackedRecord) == 40, "a packed record is 40 bytes");

void data_pack(DataPackedRecord *out, const DataRecord *r);

/* `in` must come from data_pack. */
void data_unpack(DataRecord *r, const DataPackedRecord *in);
