/* SPDX-License-Identifier: MIT */
/* What the help of `tabia gensfen` says of chess. */
#include "../gensfen_options.h"

static const char formats[] =
    "viri, marlin, bin, bullet, binpack, plain, text, pgn, binpack960; default: FILE's extension.\n"
    "                     In binpack, positions with castling rights of Chess960 lose all rights, and castling moves\n"
    "                     there are not written, as in Stockfish's tools; binpack960 keeps them, for Tabia only\n";

static const char differences[] = "random moves, a book of more than one position, Chess960, or "
                                  "--depth2.\n";

static const char starts[] =
    "  --book FILE        start positions: a FEN, EPD or `startpos moves ...` a line, or a file of training data\n"
    "  --chess960, --dfrc start positions of Chess960, the same for both sides, or one for each side\n";

static const char examples[] =
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7 --resume\n"
    "  tabia gensfen --positions 1000000 --out data.bin --depth 6 --filter quiet,mate\n"
    "  as YaneuraOu: --depth 3 --random-move-max-ply 24 --random-move-count 5 --write-min-ply 16 --opening-limit "
    "0\n"
    "      --resign off --draw off\n"
    "  as Stockfish's tools: --depth 9 --eval-limit 0 --resign 3000,4 --draw 0,8,80 --write-min-ply 16 --format "
    "binpack\n"
    "  tabia data verify data.viri; tabia data stats data.viri\n";

const GensfenTexts gensfen_texts = {.formats = formats,
                                    .differences = differences,
                                    .starts = starts,
                                    .endings = "mate, stalemate, threefold repetition and the fifty-move rule",
                                    .examples = examples};
