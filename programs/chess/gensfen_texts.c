/* SPDX-License-Identifier: MIT */
/* What the help of `tabia gensfen` says of chess. */
#include "../gensfen_options.h"

static const char head[] =
    "usage: tabia gensfen --positions N --out FILE [options]\n"
    "\n"
    "Plays games against itself and writes positions with move, score and result, for trainers of evaluations. The\n"
    "same options and seed give the same bytes, for any number of threads and after any number of kills and\n"
    "--resume. With FILE come FILE.json (options, version, statistics) and FILE.sums (checksums of its blocks).\n"
    "`tabia data` verifies, converts, shuffles and counts such files.\n"
    "\n"
    "  --positions N      at least so many: the run ends with the game that reaches N. With --resume and a larger N\n"
    "                     a file is extended\n"
    "  --out FILE         must not exist, unless with --resume; FILE.zst is compressed by zstd\n"
    "  --format NAME      viri, marlin, bin, bullet, binpack, plain, text, pgn, binpack960; default: FILE's "
    "extension.\n"
    "                     In binpack, positions with castling rights of Chess960 lose all rights, and castling moves\n"
    "                     there are not written, as in Stockfish's tools; binpack960 keeps them, for Tabia only\n"
    "  --random-file-name adds the seed to the name: data.viri becomes data-SEED.viri\n"
    "  --seed N|random    default 1; `random` draws a seed, which FILE.json stores\n"
    "  --threads N        default: one for each core\n"
    "  --resume           continues behind the last complete block; all options but --threads and --positions must\n"
    "                     be as before\n"
    "  --network FILE     evaluates by the network of that file; default: by the one that is built in\n"
    "\n"
    "Search of each position (centipawns, plies; all limits hold together)\n";

static const char opening[] =
    "\n"
    "Openings. Something must make games differ: random moves, a book of more than one position, Chess960, or "
    "--depth2.\n"
    "YaneuraOu's spellings are also accepted: --random-move-minply, --random-move-maxply, --write-minply,\n"
    "--write-maxply.\n"
    "  --book FILE        start positions: a FEN or EPD on each line, or a file of training data by its extension\n"
    "  --chess960, --dfrc start positions of Chess960, the same for both sides, or one for each side\n";

static const char endings[] = "mate, stalemate, threefold repetition and the fifty-move rule";

static const char examples[] =
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7 --resume\n"
    "  tabia gensfen --positions 1000000 --out data.bin --depth 6 --filter quiet,mate --dedupe\n"
    "  as YaneuraOu: --depth 3 --random-move-max-ply 24 --random-move-count 5 --write-min-ply 16 --opening-limit "
    "0\n"
    "      --resign off --draw off\n"
    "  as Stockfish's tools: --depth 9 --eval-limit 0 --resign 3000,4 --draw 0,8,80 --write-min-ply 16 --format "
    "binpack\n"
    "  tabia data verify data.viri; tabia data stats data.viri\n";

const GensfenTexts gensfen_texts = {head, opening, endings, examples};
