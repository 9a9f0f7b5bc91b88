/* SPDX-License-Identifier: MIT */
/* The text of YaneuraOu's tools (data/plain.h): SFEN, moves in USI, an unknown one "none", plies from 1. */
#include "data/plain.h"
#include "notation/fen.h"

const PlainVariant plain_variant = {.position = "sfen", .no_move = "none", .first_ply = 1, .parse = fen_parse};

const DataFormat data_format_plain = {
    .name = "plain",
    .extensions = "plain txt",
    .description = "text of YaneuraOu's tools: sfen, move, score, ply, result, e",
    .signature = "sfen ",
    .min_record_bits = 40 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_MOVE_NUMBER | DATA_GAME_STARTS,
    .limits = "none",
    .write = plain_write,
    .read = plain_read,
    .resync = plain_resync,
};
