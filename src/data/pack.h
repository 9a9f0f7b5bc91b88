/* SPDX-License-Identifier: MIT */
/*
 * A whole record in 40 bytes, for the tools' own memory and temporary files: nothing is lost, nothing is checked on the
 * way back. No format: its bytes may change with any version.
 */
#pragma once
#include "data/record.h"

typedef struct {
    uint64_t occupied;
    uint8_t man[16]; /* half bytes as in viriformat */
    int32_t score;
    Move move;
    int16_t opening;
    uint16_t ply, halfmove, fullmove;
    uint8_t turn_ep, flags;
} DataPacked;

_Static_assert(sizeof(DataPacked) == 40, "a packed record is 40 bytes");

void data_pack(DataPacked *out, const DataRecord *r);
void data_unpack(DataRecord *r, const DataPacked *in);
