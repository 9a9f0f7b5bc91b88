/* SPDX-License-Identifier: MIT */
/* The help of `data`, one text for all games: {program}, {games} and {records} are the game's names, {note} is what it adds. */
#include "data_texts.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static const char info[] =
    "usage: {program} data info FILE... [--from FORMAT] [--json]\n"
    "\n"
    "Shows a file's format, its size, the number of records where it follows from the size, the first record,\n"
    "the fields that the format stores and loses, and whether there are checksums beside it. Reads only the\n"
    "beginning; {program} data verify reads all.\n"
    "\n"
    "Example\n"
    "  {program} data info games.{games}\n";

static const char verify[] =
    "usage: {program} data verify FILE... [options]\n"
    "\n"
    "Reads every record, validates its position, requires a legal move, follows games from record to record, and\n"
    "compares the checksums beside the file if there are any. Each fault is a line. Kinds of faults:\n"
    "\n"
    "  record      an invalid position, an illegal move, a number out of range, a truncated tail\n"
    "  score       beyond the limit (32002 marks records to be skipped, where a format has such a mark: counted)\n"
    "  unused      bits set that the format leaves unused, which readers do not look at\n"
    "  continuity  a record that continues a game with another result, ply or clock\n"
    "  result      a position without a legal move, with another result\n"
    "  checksum    blocks that do not match their checksums\n"
    "{note}"
    "\n"
    "  --faults N       prints at most N for each file; default 20; all are counted\n"
    "  --ignore KIND,...  counts faults of these kinds, but does not print them, and forgives them\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON document instead of text\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 no fault, 1 faults, 2 a missing file or an unknown format, 3 reading fails.\n"
    "\n"
    "Example\n"
    "  {program} data verify games.{games} && echo good\n";

static const char convert[] =
    "usage: {program} data convert FILE... --out FILE [options]\n"
    "\n"
    "Reads records of any format and writes them in another, in their order. Every record is validated. The\n"
    "report lists the fields that the format does not store, each with the number of records that lost it. A\n"
    "record that would be read back as another one (no move where the format needs one, the score 32002, which marks\n"
    "a record to be skipped, where the format has no such mark) is rejected and counted.\n"
    "{program} data info shows what a format stores.\n"
    "\n"
    "{note}"
    "\n" DATA_COMMON_HELP "\n"
    "Examples\n"
    "  {program} data convert games.{games} --out games.{records}\n"
    "  {program} data convert a.{records} b.{records} --out all.{games} --checksums\n"
    "  {program} data convert games.{games} --out - --to plain | less\n";

static const char shuffle[] =
    "usage: {program} data shuffle FILE... --out FILE [options]\n"
    "\n"
    "Writes the records of all files in random order. What does not fit into memory is kept in temporary files\n"
    "beside --out. The order depends on seed and input only, not on memory.\n"
    "{note}"
    "\n" DATA_COMMON_HELP "  --seed N         default 1\n"
    "  --memory SIZE    default: an eighth of the machine's, at most 1G\n"
    "  --by games|records  what is moved\n"
    "\n"
    "Examples\n"
    "  {program} data shuffle day1.{records} day2.{records} --out train.{records}\n"
    "  {program} data shuffle games.{games} --out train.{records} --seed 7 --memory 4G\n";

static const char dedupe[] =
    "usage: {program} data dedupe FILE... --out FILE [options]\n"
    "\n"
    "Keeps the first of equal positions, by 128-bit keys. Records marked to be skipped are kept, and make no\n"
    "duplicates. If memory does not hold all keys, the files are read several times.\n"
    "{note}"
    "\n" DATA_COMMON_HELP
    "  --memory SIZE    for the keys, 32 to 64 bytes a record; default: an eighth of the machine's, at most 1G\n"
    "\n"
    "Example\n"
    "  {program} data dedupe train.{records} --out unique.{records}\n";

static const char filter[] =
    "usage: {program} data filter FILE... --out FILE [options]\n"
    "\n"
    "Removes the records that rules tell, and says how many each rule removed: a record counts for the first one that\n"
    "removes it. Each rule is an option (--min-ply 16) and a line of a file (min_ply = 16); what comes later on the\n"
    "command line replaces what came before. Records marked to be skipped have no score, and only --filter-skip\n"
    "removes them.\n"
    "{note}"
    "\n"
    "  --rules FILE     lines 'rule = value', lists as [1, 2, 3], comments behind #\n"
    "  --seed N         of the rules that draw; default 1\n";

static const char filter_examples[] =
    "\n"
    "Examples\n"
    "  {program} data filter games.{games} --out train.{records} --min-ply 16 --max-eval 3000 --filter-tactical "
    "--filter-check\n"
    "  {program} data filter games.{records} --out train.{records}pack --rules quiet.toml "
    "--random-fen-skip-probability 0.5\n";

static const char split[] =
    "usage: {program} data split FILE... --out FILE --out FILE ... --weights A,B,... [options]\n"
    "\n"
    "Distributes games to several files at random, in proportion to their weights. The records of a game go to\n"
    "one file, so that no test position has neighbours in the training set; --by records splits records.\n"
    "\n" DATA_COMMON_HELP "  --weights A,B,... one number for each --out; default: equal\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is distributed; default games\n"
    "\n"
    "Example\n"
    "  {program} data split all.{games} --out train.{games} --out test.{games} --weights 95,5\n";

static const char sample[] =
    "usage: {program} data sample FILE... --out FILE --count N | --fraction X [options]\n"
    "\n"
    "Writes a random sample of the records, in their order.\n"
    "{note}"
    "\n" DATA_COMMON_HELP "  --count N        exactly N of those that the format can store; the files are read twice\n"
    "  --fraction X     each with this probability, above 0, at most 1\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is chosen\n"
    "\n"
    "Examples\n"
    "  {program} data sample train.{records} --out some.{records} --count 100000\n"
    "  {program} data sample games.{games} --out some.plain --fraction 0.001 --by games\n";

static const char rescore[] =
    "usage: {program} data rescore FILE... --out FILE --depth N|--nodes N|--soft-nodes N [options]\n"
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
    "  {program} data rescore old.{games} --out new.{games} --nodes 5000\n"
    "  {program} data rescore old.{games} --out new.{games} --nodes 5000 --resume\n"
    "  {program} data rescore old.{records} --out new.{records} --depth 6 --network mine.network\n";

static const char view[] =
    "usage: {program} data view FILE [options]\n"
    "\n"
    "Shows records as boards, with move, score and result.\n"
    "\n"
    "  --record N       the first one, from 1; default 1\n"
    "  --count K        so many; default 1\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --json           one JSON object instead of text\n"
    "\n"
    "Records that all have one size are read from record N on; of other formats, and of compressed files, what is\n"
    "before it is read too.\n"
    "\n"
    "Exit status: 0 shown, 2 a record is bad or not there, or the file cannot be read.\n"
    "\n"
    "Example\n"
    "  {program} data view games.{games} --record 4711\n";

static const char stats[] =
    "usage: {program} data stats FILE... [options]\n"
    "\n"
    "Counts records, games and results; histograms of score, ply, game length,\n"
    "{note}"
    "and for each range of scores the mean result of the side to move, in percent of the points. Tables say where\n"
    "the kings stand, from where and to where pieces move and which, and which pieces there are; squares are as the\n"
    "side to move sees them. Records marked to be skipped are counted separately.\n"
    "\n"
    "  --json           one JSON object with every bin instead of text; tabia-plot draws it\n"
    "  --from FORMAT    default: detected from content or extension\n"
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"
    "  --quiet          no progress\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Example\n"
    "  {program} data stats games.{games} --json | tabia-plot - --out games.svg\n";

static const char *const texts[DATA_HELP_N] = {
    [DATA_HELP_INFO] = info,
    [DATA_HELP_VERIFY] = verify,
    [DATA_HELP_CONVERT] = convert,
    [DATA_HELP_SHUFFLE] = shuffle,
    [DATA_HELP_DEDUPE] = dedupe,
    [DATA_HELP_FILTER] = filter,
    [DATA_HELP_FILTER_EXAMPLES] = filter_examples,
    [DATA_HELP_SPLIT] = split,
    [DATA_HELP_SAMPLE] = sample,
    [DATA_HELP_RESCORE] = rescore,
    [DATA_HELP_VIEW] = view,
    [DATA_HELP_STATS] = stats,
};

void data_print_help(DataHelp which) {
    const char *note = data_texts.note[which] ? data_texts.note[which] : "";
    const struct {
        const char *name, *words;
    } all[] = {{"{program}", program_texts.name},
               {"{games}", data_texts.games},
               {"{records}", data_texts.records},
               {"{note}", note}};
    const char *at = texts[which];
    while (*at) {
        unsigned i = 0;
        while (i < sizeof all / sizeof *all && strncmp(at, all[i].name, strlen(all[i].name))) i++;
        if (i == sizeof all / sizeof *all) {
            putchar(*at++);
            continue;
        }
        fputs(all[i].words, stdout);
        at += strlen(all[i].name);
    }
}
