/* SPDX-License-Identifier: MIT */
/* What the help of `tabia-shogi data` says of shogi. */
#include "../data_texts.h"

static const char first_steps[] =
    "First steps: tabia-shogi data info games.psv     tabia-shogi data verify games.psv\n";

static const char info[] =
    "usage: tabia-shogi data info FILE... [--from FORMAT] [--json]\n"
    "\n"
    "Shows a file's format, its size, the number of records where it follows from the size, the first record,\n"
    "the fields that the format stores and loses, and whether there are checksums beside it. Reads only the\n"
    "beginning.\n";

static const char verify[] =
    "usage: tabia-shogi data verify FILE... [options]\n"
    "       tabia-shogi data verify SET.json [options]      the files of a manifest (tabia-shogi data manifest)\n"
    "\n"
    "Reads every record, validates its position, requires a legal move, follows games from record to record, and\n"
    "compares the checksums beside the file. Each fault is a line. Kinds of faults: record, score, unused,\n"
    "continuity, result, checksum, manifest.\n"
    "\n"
    "  --faults N       prints at most N for each file; default 20; all are counted\n"
    "  --ignore KIND,...  counts faults of these kinds, but does not print them, and forgives them\n"
    "  --score-limit N  the greatest absolute score; default 32000\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON object instead of text\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 no fault, 1 faults, 2 a missing file or an unknown format, 3 reading fails.\n";

static const char manifest[] =
    "usage: tabia-shogi data manifest FILE... --out SET.json [options]\n"
    "\n"
    "Writes down what a data set of several files consists of: each file's name, format, bytes, records, games and\n"
    "checksum (that of xxhsum -H3), and generator and settings, seed included, where FILE.json beside it tells\n"
    "them. Every record is verified before. tabia-shogi data verify SET.json verifies all files against it.\n"
    "\n"
    "  --out SET.json   the manifest; it appears when it is complete\n"
    "  --ignore KIND,...  forgives faults of these kinds (tabia-shogi data verify --help lists them)\n"
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
    "  tabia-shogi data manifest set/part-*.psv --out set/set.json\n";

static const char convert[] =
    "usage: tabia-shogi data convert FILE... --out FILE [options]\n"
    "\n"
    "Reads records of any format and writes them in another, in their order. The report lists the fields that the\n"
    "format does not store. psv and hcpe hold no position without a king, or with more pieces than a set: such\n"
    "records are rejected and counted. hcpe stores no move number.\n"
    "\n" DATA_COMMON_HELP "\n"
    "Example\n"
    "  tabia-shogi data convert games.psv --out games.hcpe\n";

static const char shuffle[] =
    "usage: tabia-shogi data shuffle FILE... --out FILE [options]\n"
    "\n"
    "Writes the records of all files in random order, which depends on seed and input only. What does not fit\n"
    "into memory is kept in temporary files beside --out, 76 bytes a record.\n"
    "\n" DATA_COMMON_HELP "  --seed N         default 1\n"
    "  --memory SIZE    default: an eighth of the machine's, at most 1G\n"
    "  --by games|records  what is moved\n";

static const char dedupe[] =
    "usage: tabia-shogi data dedupe FILE... --out FILE [options]\n"
    "\n"
    "Keeps the first of equal positions: equal in board, hands and side to move, by 128-bit keys.\n"
    "\n" DATA_COMMON_HELP
    "  --memory SIZE    for the keys, 32 to 64 bytes a record; default: an eighth of the machine's, at most 1G\n";

static const char filter[] =
    "usage: tabia-shogi data filter FILE... --out FILE [options]\n"
    "\n"
    "Removes the records that rules tell, and says how many each rule removed. Each rule is an option\n"
    "(--min-ply 16) and a line of a file (min_ply = 16). Material is counted as a pawn 1, lance 3, knight 4,\n"
    "silver 5, gold and what moves like it 6, bishop 8, rook and horse 10, dragon 12, in hand too. For --wdl-filtered\n"
    "give the model that tabia-shogi data stats fits to your records; the default is one of chess.\n"
    "\n"
    "  --rules FILE     lines 'rule = value', lists as [1, 2, 3], comments behind #\n"
    "  --seed N         of the rules that draw; default 1\n";

static const char filter_examples[] =
    "\n"
    "Example\n"
    "  tabia-shogi data filter games.psv --out train.psv --min-ply 16 --max-eval 3000 --filter-check\n";

static const char split[] = "usage: tabia-shogi data split FILE... --out FILE --out FILE ... [options]\n"
                            "\n"
                            "Distributes games to several files at random, in proportion to their weights.\n"
                            "\n" DATA_COMMON_HELP "  --weights A,B,... one number for each --out; default: equal\n"
                            "  --seed N         default 1\n"
                            "  --by games|records  what is distributed; default games\n";

static const char sample[] =
    "usage: tabia-shogi data sample FILE... --out FILE --count N | --fraction X [options]\n"
    "\n"
    "Writes a random sample of the records, in their order.\n"
    "\n" DATA_COMMON_HELP "  --count N        exactly N of those that the format can store; the files are read twice\n"
    "  --fraction X     each with this probability, above 0, at most 1\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is chosen\n";

static const char rescore[] =
    "usage: tabia-shogi data rescore FILE... --out FILE --depth N|--nodes N|--soft-nodes N [options]\n"
    "\n"
    "Searches each position and writes the search's score in place of the old one; positions, moves, results and\n"
    "their order stay. The same input and settings give the same bytes, for any number of threads and after any\n"
    "number of kills and --resume. With FILE come FILE.json (the settings) and FILE.sums (checksums).\n"
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
    "Example\n"
    "  tabia-shogi data rescore old.psv --out new.psv --nodes 5000\n";

static const char view[] =
    "usage: tabia-shogi data view FILE [options]\n"
    "\n"
    "Shows records as boards, with move, score and result.\n"
    "\n"
    "  --record N       the first one, from 1; default 1\n"
    "  --count K        so many; default 1\n"
    "  --browse         then others, by lines of standard input: a number, an empty line for the next record, p for\n"
    "                   the one before, g for the next that starts a game, q to end\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON object instead of text\n";

static const char stats[] =
    "usage: tabia-shogi data stats FILE... [options]\n"
    "\n"
    "Counts records, games and results; histograms of hands, promoted pieces, material, legal moves, score, ply and\n"
    "length; where kings stand, pieces move and drop; and fits a model of results to the scores.\n"
    "\n"
    "  --json           one JSON object with every bin instead of text\n"
    "  --plot FILE.svg  plots all histograms (.png; .gp: gnuplot's script)\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n";

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
