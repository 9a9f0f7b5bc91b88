/* SPDX-License-Identifier: MIT */
/* What the help of `tabia-shogi gensfen` says of shogi. */
#include "../gensfen_options.h"

static const char formats[] = "psv, hcpe, hcpe3, pack, plain; default: FILE's extension\n";

static const char differences[] = "random moves, a book of more than one position,\n"
                                  "handicaps, or --depth2.\n";

static const char starts[] =
    "  --book FILE        start positions: an SFEN or `startpos moves ...` on each line, or a file of training data\n"
    "  --handicap         one of the usual handicaps, from a lance to eight pieces, drawn for each game\n";

static const char examples[] =
    "\n"
    "Examples\n"
    "  tabia-shogi gensfen --positions 1000000 --out data.psv --depth 6 --seed 7\n"
    "  tabia-shogi gensfen --positions 1000000 --out data.psv --depth 6 --seed 7 --resume\n"
    "  as YaneuraOu: --depth 3 --random-move-max-ply 24 --random-move-count 5 --write-min-ply 16 --opening-limit 0\n"
    "      --resign off --draw off --filter draw\n"
    "  tabia-shogi data verify data.psv; tabia-shogi data stats data.psv\n";

const GensfenTexts gensfen_texts = {.formats = formats,
                                    .differences = differences,
                                    .starts = starts,
                                    .endings = "mate, no legal move, fourfold repetition and perpetual check",
                                    .examples = examples};
