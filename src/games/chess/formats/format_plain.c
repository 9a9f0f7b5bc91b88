/* SPDX-License-Identifier: MIT */
/* The text of Stockfish's tools (data/plain.h). Castling is e1g1, or e1h1 where that is ambiguous; an unknown move is
   0000; the FEN has all six fields. */
#include <string.h>

#include "data/plain.h"
#include "notation/fen.h"

/* The move counters are required: other programs stop at a FEN without them. */
static bool parse_position(Position *p, const char *fen, TabiaError *error) {
    unsigned fields = 0;
    for (const char *at = fen; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) fields++;
    if (!fen_parse(p, fen, error)) return false;
    return fields >= 6 || tabia_fail(error,
                                     "the FEN has %u of its 6 fields; the last are the halfmove clock and the "
                                     "fullmove number, as in '- 0 1'",
                                     fields);
}

const PlainVariant plain_variant = {.position = "fen", .no_move = "0000", .parse = parse_position};

const DataFormat data_format_plain = {
    .name = "plain",
    .extensions = "plain txt",
    .description = "text of Stockfish's tools: fen, move, score, ply, result, e",
    .signature = "fen ",
    .min_record_bits = 40 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP |
              DATA_HALFMOVE_CLOCK | DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS | DATA_SKIP,
    .limits = "none",
    .write = plain_write,
    .read = plain_read,
    .resync = plain_resync,
};
