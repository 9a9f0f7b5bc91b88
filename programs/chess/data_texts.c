/* SPDX-License-Identifier: MIT */
/* What the help of `tabia data` says of chess. */
#include "../data_texts.h"

static const char info[] =
    "usage: tabia data info FILE... [--from FORMAT] [--json]\n"
    "\n"
    "Shows a file's format, its size, the number of records where it follows from the size, the first record,\n"
    "the fields that the format stores and loses, and whether there are checksums beside it. Reads only the\n"
    "beginning; tabia data verify reads all.\n"
    "\n"
    "Example\n"
    "  tabia data info games.viri\n";

static const char verify[] =
    "usage: tabia data verify FILE... [options]\n"
    "       tabia data verify SET.json [options]      the files of a manifest (tabia data manifest)\n"
    "\n"
    "Reads every record, validates its position, requires a legal move, follows games from record to record, and\n"
    "compares the checksums beside the file if there are any. Each fault is a line:\n"
    "\n"
    "  games.bin: record 17, byte 640: position, board: both kings stand on e4\n"
    "\n"
    "Kinds of faults\n"
    "  record      an invalid position, an illegal move, a number out of range, a truncated tail\n"
    "  clock       a halfmove clock that no game can have\n"
    "  score       beyond the limit (32002 in bin, binpack and plain marks records to be skipped: counted)\n"
    "  unused      bits set that the format leaves unused, which readers do not look at\n"
    "  continuity  a record that continues a game with another result, ply or clock\n"
    "  result      mate or stalemate with another result\n"
    "  checksum    blocks that do not match their checksums\n"
    "  manifest    another size, checksum or number of records or games than the manifest says\n"
    "\n"
    "  --faults N       prints at most N for each file; default 20; all are counted\n"
    "  --ignore KIND,...  counts faults of these kinds, but does not print them, and forgives them\n"
    "  --score-limit N  the greatest absolute score; default 32000\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON document instead of text\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 no fault, 1 faults, 2 a missing file or an unknown format, 3 reading fails.\n"
    "\n"
    "Example\n"
    "  tabia data verify games.viri && echo good\n";

static const char manifest[] =
    "usage: tabia data manifest FILE... --out SET.json [options]\n"
    "\n"
    "Writes down what a data set of several files consists of: each file's name, format, bytes, records, games and\n"
    "checksum (that of xxhsum -H3), and generator and settings, seed included, where FILE.json beside it tells\n"
    "them. Files are named from the folder of SET.json. Every record is verified before.\n"
    "tabia data verify SET.json verifies all files, and that they are what the manifest says.\n"
    "\n"
    "  --out SET.json   the manifest; it appears when it is complete\n"
    "  --ignore KIND,...  forgives faults of these kinds (tabia data verify --help lists them)\n"
    "  --score-limit N  the greatest absolute score; default 32000\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           prints what was written down, summed, as JSON\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 written; 1 a file has faults: nothing is written.\n"
    "\n"
    "Example\n"
    "  tabia data manifest set/part-*.viri --out set/set.json && tabia data verify set/set.json\n";

static const char convert[] =
    "usage: tabia data convert FILE... --out FILE [options]\n"
    "\n"
    "Reads records of any format and writes them in another, in their order. Every record is validated. The\n"
    "report lists the fields that the format does not store, each with the number of records that lost it. A\n"
    "record that would be read back as another one (another castling rook, no move where the format needs one,\n"
    "Stockfish's skip mark, the score 32002, where the format has none) is rejected and counted.\n"
    "tabia data info shows what a format stores.\n"
    "\n"
    "In binpack, positions with castling rights of Chess960 lose all their rights, and castling moves there are\n"
    "rejected, as in Stockfish's tools: other readers crash on them. --to binpack960 keeps them, for Tabia.\n"
    "\n" DATA_COMMON_HELP "\n"
    "Examples\n"
    "  tabia data convert games.viri --out games.binpack\n"
    "  tabia data convert a.bin b.bin --out all.viri --checksums\n"
    "  tabia data convert games.viri --out - --to plain | less\n";

static const char shuffle[] =
    "usage: tabia data shuffle FILE... --out FILE [options]\n"
    "\n"
    "Writes the records of all files in random order. What does not fit into memory is kept in temporary files\n"
    "beside --out, 56 bytes a record. The order depends on seed and input only, not on memory. In viri and\n"
    "binpack complete games are moved; in other formats single records.\n"
    "\n" DATA_COMMON_HELP "  --seed N         default 1\n"
    "  --memory SIZE    default: an eighth of the machine's, at most 1G\n"
    "  --by games|records  what is moved\n"
    "\n"
    "Examples\n"
    "  tabia data shuffle day1.bin day2.bin --out train.bin\n"
    "  tabia data shuffle games.viri --out train.bullet --seed 7 --memory 4G\n";

static const char dedupe[] =
    "usage: tabia data dedupe FILE... --out FILE [options]\n"
    "\n"
    "Keeps the first of equal positions: equal in pieces, side to move, castling rights and en passant square,\n"
    "whatever their clocks. Records marked to be skipped are kept, and make no duplicates. Positions are\n"
    "compared by 128-bit keys. If memory does not hold all keys, the files are read several times. In viri and\n"
    "binpack a game that loses records becomes several games.\n"
    "\n" DATA_COMMON_HELP
    "  --memory SIZE    for the keys, 32 to 64 bytes a record; default: an eighth of the machine's, at most 1G\n"
    "\n"
    "Example\n"
    "  tabia data dedupe train.bin --out unique.bin\n";

static const char filter[] =
    "usage: tabia data filter FILE... --out FILE [options]\n"
    "\n"
    "Removes the records that rules tell, and says how many each rule removed: a record counts for the first one that\n"
    "removes it. Each rule is an option (--min-ply 16) and a line of a file (min_ply = 16); what comes later on the\n"
    "command line replaces what came before. Files of viriformat's filters are read as they are. Records marked to be\n"
    "skipped have no score, and only --filter-skip removes them. In viri and binpack a game that loses records "
    "becomes\n"
    "several games.\n"
    "\n"
    "  --rules FILE     lines 'rule = value', lists as [1, 2, 3], comments behind #\n"
    "  --seed N         of the rules that draw; default 1\n";

static const char filter_examples[] =
    "\n"
    "Examples\n"
    "  tabia data filter games.viri --out train.bullet --min-ply 16 --max-eval 3000 --filter-tactical --filter-check\n"
    "  tabia data filter games.binpack --out train.binpack --rules quiet.toml --random-fen-skip-probability 0.5\n"
    "  tabia data filter games.viri --out train.bullet --ply-curve 8,0.1,30,1 --piece-curve 0,1,2,1,0.5\n";

static const char split[] =
    "usage: tabia data split FILE... --out FILE --out FILE ... --weights A,B,... [options]\n"
    "\n"
    "Distributes games to several files at random, in proportion to their weights. The records of a game go to\n"
    "one file, so that no test position has neighbours in the training set; --by records splits records.\n"
    "\n" DATA_COMMON_HELP "  --weights A,B,... one number for each --out; default: equal\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is distributed; default games\n"
    "\n"
    "Example\n"
    "  tabia data split all.viri --out train.viri --out test.viri --weights 95,5\n";

static const char sample[] =
    "usage: tabia data sample FILE... --out FILE --count N | --fraction X [options]\n"
    "\n"
    "Writes a random sample of the records, in their order. In viri and binpack complete games are chosen.\n"
    "\n" DATA_COMMON_HELP "  --count N        exactly N of those that the format can store; the files are read twice\n"
    "  --fraction X     each with this probability, above 0, at most 1\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is chosen\n"
    "\n"
    "Examples\n"
    "  tabia data sample train.bin --out some.bin --count 100000\n"
    "  tabia data sample games.viri --out some.plain --fraction 0.001 --by games\n";

static const char rescore[] =
    "usage: tabia data rescore FILE... --out FILE --depth N|--nodes N|--soft-nodes N [options]\n"
    "\n"
    "Searches each position and writes the search's score in place of the old one; positions, moves, results and\n"
    "their order stay. A position knows the positions of its game that are before it in the file. The same input and\n"
    "settings give the same bytes, for any number of threads and after any number of kills and --resume. With FILE\n"
    "come FILE.json (the settings) and FILE.sums (checksums of its blocks).\n"
    "\n"
    "  --out FILE       must not exist, unless with --resume; it grows block by block; FILE.zst is compressed\n"
    "  --depth N, --nodes N, --soft-nodes N\n"
    "                   limits of each search, which hold together; soft: tested between iterations; --nodes is\n"
    "                   8 times --soft-nodes unless it is given\n"
    "  --network FILE   evaluates by the network of that file; default: by the one that is built in\n"
    "  --hash SIZE      of each thread's table; default 1M\n"
    "  --threads N      default: one for each core\n"
    "  --resume         continues behind the last complete block; all options but --threads must be as before\n"
    "  --to FORMAT      default: that of the extension of --out, else that of the first file\n"
    "  --from FORMAT    of the input files; default: detected from content or extension\n"
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"
    "  --json           the report as JSON, on standard output\n"
    "  --quiet          no progress and no report\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 done, 2 wrong options or input, 3 memory, disk or a file failed (complete blocks stay), 130 "
    "Ctrl-C.\n"
    "\n"
    "Examples\n"
    "  tabia data rescore old.viri --out new.viri --nodes 5000\n"
    "  tabia data rescore old.viri --out new.viri --nodes 5000 --resume\n"
    "  tabia data rescore old.bin --out new.bin --depth 6 --network mine.network\n";

static const char view[] =
    "usage: tabia data view FILE [options]\n"
    "\n"
    "Shows records as boards, with move, score and result.\n"
    "\n"
    "  --record N       the first one, from 1; default 1\n"
    "  --count K        so many; default 1\n"
    "  --browse         then others, by lines of standard input: a number, an empty line for the next record, p for\n"
    "                   the one before, g for the next that starts a game, q to end\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON object instead of text\n"
    "\n"
    "bin, bullet and marlin are read from record N on; of other formats, and of compressed files, what is before\n"
    "it is read too.\n"
    "\n"
    "Exit status: 0 shown, 2 a record is bad or not there, or the file cannot be read.\n"
    "\n"
    "Example\n"
    "  tabia data view games.viri --record 4711 --browse\n";

static const char stats[] =
    "usage: tabia data stats FILE... [options]\n"
    "\n"
    "Counts records, games and results; histograms of phase, pieces, material, legal moves, score, ply and\n"
    "game length; and for each range of scores the mean result of the side to move, in percent of the points:\n"
    "the curve from scores to expected scores. Tables say where the kings stand, from where and to where pieces\n"
    "move and which, and which pieces there are; squares are as the side to move sees them. Records marked to\n"
    "be skipped (score 32002 in bin, binpack and plain) are counted separately.\n"
    "\n"
    "  --json           one JSON object with every bin instead of text\n"
    "  --plot FILE.svg  plots all histograms (.png; .gp: gnuplot's script)\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Example\n"
    "  tabia data stats games.viri --plot games.svg\n";

static const char first_steps[] = "First steps: tabia data info games.viri     tabia data verify games.viri\n"
                                  "             tabia data convert games.viri --out games.bin\n";

const DataTexts data_texts = {
    .first_steps = first_steps,
    .info = info,
    .verify = verify,
    .manifest = manifest,
    .convert = convert,
    .shuffle = shuffle,
    .dedupe = dedupe,
    .filter = filter,
    .filter_examples = filter_examples,
    .split = split,
    .sample = sample,
    .rescore = rescore,
    .view = view,
    .stats = stats,
};
