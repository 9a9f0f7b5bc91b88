/* SPDX-License-Identifier: MIT */
/* What the help of `tabia-shogi gensfen` says of shogi. */
#include "../gensfen_options.h"

static const char head[] =
    "usage: tabia-shogi gensfen --positions N --out FILE [options]\n"
    "\n"
    "Plays games against itself and writes positions with move, score and result, for trainers of evaluations. The\n"
    "same options and seed give the same bytes, for any number of threads and after any number of kills and\n"
    "--resume. With FILE come FILE.json (options, version, statistics) and FILE.sums (checksums of its blocks).\n"
    "`tabia-shogi data` verifies, converts, shuffles and counts such files.\n"
    "\n"
    "  --positions N      at least so many: the run ends with the game that reaches N. With --resume and a larger N\n"
    "                     a file is extended\n"
    "  --out FILE         must not exist, unless with --resume; FILE.zst is compressed by zstd\n"
    "  --format NAME      psv, hcpe, plain; default: FILE's extension\n"
    "  --random-file-name adds the seed to the name: data.psv becomes data-SEED.psv\n"
    "  --seed N|random    default 1; `random` draws a seed, which FILE.json stores\n"
    "  --threads N        default: one for each core\n"
    "  --resume           continues behind the last complete block; all options but --threads and --positions must\n"
    "                     be as before\n"
    "\n"
    "Search of each position (centipawns, plies; all limits hold together)\n";

static const char opening[] =
    "\n"
    "Openings. Something must make games differ: random moves, a book of more than one position,\n"
    "handicaps, or --depth2.\n"
    "YaneuraOu's spellings are also accepted: --random-move-minply, --random-move-maxply, --write-minply,\n"
    "--write-maxply.\n"
    "  --book FILE        start positions: an SFEN on each line, or a file of training data by its extension\n"
    "  --handicap         one of the usual handicaps, from a lance to eight pieces, drawn for each game\n";

static const char endings[] = "mate, no legal move, fourfold repetition and perpetual check";

static const char examples[] =
    "\n"
    "Examples\n"
    "  tabia-shogi gensfen --positions 1000000 --out data.psv --depth 6 --seed 7\n"
    "  tabia-shogi gensfen --positions 1000000 --out data.psv --depth 6 --seed 7 --resume\n"
    "  as YaneuraOu: --depth 3 --random-move-max-ply 24 --random-move-count 5 --write-min-ply 16 --opening-limit 0\n"
    "      --resign off --draw off --filter draw\n"
    "  tabia-shogi data verify data.psv; tabia-shogi data stats data.psv\n";

const GensfenTexts gensfen_texts = {head, opening, endings, examples};
