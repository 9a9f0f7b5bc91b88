/* SPDX-License-Identifier: MIT */
/* What the help of `tabia-shogi data` says of shogi alone. */
#include "../data_texts.h"

static const char convert[] =
    "psv and hcpe hold no position without a king, or with more pieces than a set: such records are rejected and\n"
    "counted. hcpe stores no move number.\n";

static const char filter[] =
    "Material is counted as a pawn 1, lance 3, knight 4, silver 5, gold and what moves like it 6, bishop 8, rook and\n"
    "horse 10, dragon 12, in hand too. For --wdl-filtered give the model that tabia-shogi data stats fits to your\n"
    "records; the default is one of chess.\n";

const DataTexts data_texts = {
    .games = "psv",
    .records = "hcpe",
    .first_steps = "First steps: tabia-shogi data info games.psv     tabia-shogi data verify games.psv\n",
    .note = {[DATA_HELP_CONVERT] = convert,
             [DATA_HELP_SHUFFLE] = "A record takes 76 bytes there.\n",
             [DATA_HELP_DEDUPE] = "Equal are positions in board, hands and side to move.\n",
             [DATA_HELP_FILTER] = filter,
             [DATA_HELP_STATS] = "hands, promoted pieces, material and legal moves;\n"},
};
