/* SPDX-License-Identifier: MIT */
/*
 * A record in few bytes, for memory and temporary files of the tools. Packing loses nothing, and unpacking checks
 * nothing. This is no file format: its layout may change with any version.
 */
#pragma once
#include "data/record.h"
#include "records/compact.h"

typedef struct {
    int32_t score;
    Move move;
    RecordExtra extra;
    uint16_t ply;
    uint8_t flags;
    uint8_t position[COMPACT_POSITION_BYTES];
} DataPackedRecord;

void data_pack(DataPackedRecord *out, const DataRecord *r);

/* `in` must come from data_pack. */
void data_unpack(DataRecord *r, const DataPackedRecord *in);
