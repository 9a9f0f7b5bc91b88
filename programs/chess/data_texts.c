/* SPDX-License-Identifier: MIT */
/* What the help of `tabia data` says of chess alone. */
#include "../data_texts.h"

static const char verify[] = "  clock       a halfmove clock that no game can have\n"
                             "\n"
                             "Example of a line\n"
                             "  games.bin: record 17, byte 640: position, board: both kings stand on e4\n";

static const char convert[] =
    "In binpack, positions with castling rights of Chess960 lose all their rights, and castling moves there are\n"
    "rejected, as in Stockfish's tools: other readers crash on them. --to binpack960 keeps them, for Tabia. A record\n"
    "with another castling rook than the format can name is rejected as well.\n";

static const char dedupe[] =
    "Equal are positions in pieces, side to move, castling rights and en passant square, whatever their clocks. In\n"
    "viri and binpack a game that loses records becomes several games.\n";

static const char filter[] =
    "Files of viriformat's filters are read as they are. In viri and binpack a game that loses records becomes\n"
    "several games.\n";

const DataTexts data_texts = {
    .games = "viri",
    .records = "bin",
    .first_steps = "First steps: tabia data info games.viri     tabia data verify games.viri\n"
                   "             tabia data convert games.viri --out games.bin\n",
    .note = {[DATA_HELP_VERIFY] = verify,
             [DATA_HELP_CONVERT] = convert,
             [DATA_HELP_SHUFFLE] = "A record takes 56 bytes there. In viri and binpack complete games are moved; in "
                                   "other formats single records.\n",
             [DATA_HELP_DEDUPE] = dedupe,
             [DATA_HELP_FILTER] = filter,
             [DATA_HELP_SAMPLE] = "In viri and binpack complete games are chosen.\n",
             [DATA_HELP_STATS] = "phase, pieces, material and legal moves;\n"},
};
