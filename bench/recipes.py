# SPDX-License-Identifier: MIT
"""
What bench/record can measure: for each result its commands, how their output is read, the columns of its file, and about
how many minutes it takes on two cores.

In a command {tabia}, {lab} and {mpi} stand for the programs, {bench} for this folder, {tmp} for a folder that is removed afterwards,
{mpirun} for Open MPI's launcher, {mpirun-shm} and {mpirun-tcp} for one that gives each rank a processor. A program with rounds of its own runs once; the others run `repetitions` times, by turns.
"""

import collections

import readers

FIELDS = "title minutes columns commands read setup repetitions unit spread peers"
Recipe = collections.namedtuple("Recipe", FIELDS.split())
RECIPES = {}
KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def column(name, unit="", digits=0):
    return {"name": name, "unit": unit, "digits": digits}


def recipe(name, title, minutes, columns, commands, read, **more):
    """`commands` is one command or {label: command}; a reader gets the runs under these labels."""
    fields = {"setup": [], "repetitions": 1, "unit": "see the columns", "spread": "min..max", "peers": None, **more}
    commands = {"": commands} if isinstance(commands, str) else commands
    RECIPES[name] = Recipe(title, minutes, columns, commands, read, **fields)


def ratio(name):
    return column(name, "times", 2)


KERNELS = [c for k in ("avx512", "avx2") for c in (column(k, "M/s"), column(k + " ratio", "times", 1))]
recipe("perft-plain", "perft on one thread without a table, beside Stockfish", 11, [column("Stockfish", "M/s"), *KERNELS],
       "python3 {bench}/perft.py {tabia} --only plain --rounds 5 --json", readers.perft_plain,
       unit="million leaves a second of processor time", peers=readers.stockfish_peer)
recipe("perft-mperft", "perft on one thread without a table, beside MPerft", 1, [column("MPerft", "M/s"), *KERNELS],
       "python3 {bench}/perft.py {tabia} --only plain --quick --rounds 5 --stockfish mperft --json", readers.perft_plain,
       unit="million leaves a second of processor time", peers=readers.stockfish_peer)
recipe("perft-equal", "perft on one thread with a table of 1 GiB, beside MPerft with one as large", 14,
       [column("MPerft", "M/s"), column("tabia", "M/s"), column("tabia ratio", "times", 1)],
       "python3 {bench}/perft.py {tabia} --only equal --rounds 3 --stockfish mperft --json", readers.perft_plain,
       unit="million leaves a second of processor time", peers=readers.stockfish_peer)
recipe("perft-table", "perft on one thread with a table of 1 GiB, beside Stockfish", 5,
       [column("time", "s", 2), column("rate", "G/s", 1), column("Stockfish"), column("ratio", "times", 3)],
       "python3 {bench}/perft.py {tabia} --only table --rounds 3 --json", readers.perft_table,
       unit="seconds of processor time", peers=readers.stockfish_peer)
recipe("perft-long", "perft to ten plies on two threads", 3,
       [column("leaves"), column("time", "s", 1), column("CPU time", "s", 1), column("rate", "G/s"), column("hits", "%", 1)],
       {"start d10": "{tabia} perft 10 --threads 2 --hash 8G --json --quiet"}, readers.perft_count, unit="seconds of elapsed time")
# The positions two plies above the leaves of each count are the leaves of another.
LIMIT_RUNS = {"start d7": "7 --hash off", "kiwi d6": f"6 --fen '{KIWI}' --hash off",
              "pos3 d8": "8 --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' --hash off", "start d9, 1 GiB": "9 --hash 1G"}
recipe("perft-limits", "the time of a perft on one thread against its limits", 4,
       [column("positions", "M", 1), column("leaves each"), column("time each", "ns"), column("probes", "M", 1), column("limit", "s", 2),
        column("CPU time", "s", 2), column("CPU time, limit", "times", 2)],
       {**{n: "{tabia} perft " + w + " --threads 1 --json --quiet" for n, w in LIMIT_RUNS.items()},
        **{n + " parents": "{tabia} perft " + str(int(w[0]) - 2) + w[1:] + " --threads 1 --json --quiet"
           for n, w in LIMIT_RUNS.items() if "off" in w},
        "line": "{lab} table bench --threads 1 --json --only line --rounds 3"}, readers.perft_limits, repetitions=5)
UNIQUE_COLUMNS = [column("positions"), column("paths"), column("CPU time", "s", 1)]
recipe("perft-unique", "different positions of seven plies", 1, UNIQUE_COLUMNS,
       "{tabia} unique 7 --json --quiet", readers.perft_unique, unit="positions")
recipe("perft-unique-shogi", "different positions of seven plies of shogi", 3, UNIQUE_COLUMNS,
       "{build}/tabia-shogi unique 7 --json --quiet", readers.perft_unique, unit="positions")
recipe("search-bench", "nodes a second of `tabia bench`", 1, [column("nodes"), column("speed", "M nodes/s", 3)],
       "{tabia} bench", readers.bench, repetitions=9, unit="nodes a second")

THREADS = [c for t in ("one thread", "two threads") for c in (column(t, "M/s", 1), ratio(t + ", ratio"))]


def table_bench(name, title, minutes, options, columns, read, unit):
    recipe("table-" + name, title, minutes, columns, "{lab} table bench --threads 2 --json --only " + options, read, unit=unit)


table_bench("line", "probes of a full table at random against bare reads of as many lines, 1 GiB", 4, "line --rounds 7", THREADS,
            readers.table_threads, "million lines a second")
table_bench("modes", "three probes and a store by turns, with protection, with locks and without", 5, "modes --rounds 9", THREADS, readers.table_threads,
            "million operations a second")

# What it counts does not depend on the load of the machine.
recipe("audit-false-hits", "false hits in probes of absent keys", 10,
       [column("probes"), column("false hits"), column("of the formula", "", 3), column("less than (95 %)")],
       "{lab} table audit --quiet --json --probes 10000000000", readers.false_hits, unit="counts", spread="none")

RULES = ("always", "depth-and-age")


def by_rule(position, words, sizes):
    """A perft on one thread with tables of these sizes, by each replacement rule."""
    return {f"{position}, {size[:-1]} {size[-1]}iB: {rule}": f"{{tabia}} perft {words} --threads 1 --hash {size} --replacement {rule} --json --quiet"
            for size in sizes for rule in RULES}


recipe("replacement-perft", "perft on one thread with small tables, by replacement rule", 3,
       [column("expanded", "M", 2), column("hits", "%", 1), *(column(r, "times", 3) for r in RULES[1:])],
       {**by_rule("start d7", "7", ("1M", "4M", "16M", "64M")), **by_rule("start d8", "8", ("16M", "64M", "256M")),
        **by_rule("kiwi d6", f"6 --fen '{KIWI}'", ("4M", "16M", "64M"))}, readers.perft_replacement,
       unit="positions expanded", spread="none")


def by_sharing(position, words, sizes):
    """A perft on two threads, with one table and with two of half its size."""
    return {f"{position}, {size[:-1]} {size[-1]}iB: {kind}": f"{{tabia}} perft {words} --threads 2 --hash {size} {more}--json --quiet"
            for size in sizes for kind, more in (("shared", ""), ("private", "--private "))}


recipe("perft-private", "perft on two threads: a private table for each against a shared one, the same memory in all", 1,
       [column("CPU time", "s", 2), column("hits", "%", 1), column("private hits", "%", 1), column("expanded, ratio", "times", 3),
        column("CPU time, ratio", "times", 2)],
       {**by_sharing("start d7", "7", ("4M", "16M", "64M")), **by_sharing("kiwi d6", f"6 --fen '{KIWI}'", ("64M",))},
       readers.perft_private, repetitions=3, unit="see the columns; ratios by the shared table")


LIST_PROBLEMS = 'test -f "$MATE_PROBLEMS" && grep -v "^#" "$MATE_PROBLEMS" | cut -f 4 > {tmp}/problems'
recipe("mate-loops", "mate problems in random graphs full of loops: path keys against a plain table", 1,
       [column(k) for k in ("positions", "won", "longest, plies", "wrong", "unknown")],
       {seed: "{build}/tests/fuzz/fuzz_mate_loops 10000 " + seed for seed in ("1", "2", "3")}, readers.mate_loops,
       unit="positions", spread="none")
recipe("mate-problems", "mate problems that are generated with their answers, beside KomoringHeights", 8,
       [*(column(k) for k in ("problems", "longest, plies", "right", "lines verified", "shortest proven", "nodes")), column("time", "s", 2),
        *(column(f"{table}, {k}") for table in ("2 KiB", "2 KiB, key chooses") for k in ("right", "nodes"))],
       {"chess": "tail -n 1 {tmp}/chess", "shogi": "tail -n 1 {tmp}/shogi", "KomoringHeights": "python3 {bench}/usi_mates.py {tmp}/shogi"},
       readers.mate_problems, unit="see the columns; one thread, tables of 64 MiB", spread="none", peers=readers.komoring_peer,
       setup=["{build}/tests/fuzz/fuzz_mate_problems_" + game + " 150 1 1 > {tmp}/" + game for game in ("chess", "shogi")])
recipe("mate-long", "long mates of shogi: the first mate found, the walk through its proof, and KomoringHeights", 20,
       [*(column(k) for k in ("published, plies", "plies", "nodes")), column("time", "s", 1), *(column(k) for k in ("walked", "solved again")),
        *(column("KomoringHeights, " + k) for k in ("plies", "nodes")), column("KomoringHeights, time", "s", 1)],
       "python3 {bench}/mate_long.py {build}/tabia-shogi", readers.mate_long, spread="none", peers=readers.mate_long_peer,
       unit="see the columns; one thread, tables of 1 GiB")
recipe("mate-hash", "the long mates of the file MATE_PROBLEMS (bench/mate_long.py) by size of the table: the first mate found", 15,
       [column(k) for k in ("problems", "solved", "nodes")],
       {size: f"{{build}}/tabia-shogi mate {{tmp}}/problems --first --hash {size.replace(' ', '')[:-2]} --nodes 4000000 --json --quiet --threads 1 || [ $? = 1 ]"
        for size in (f"{n} {unit}iB" for n, unit in ((1, "M"), (4, "M"), (16, "M"), (64, "M"), (1, "G")))}, readers.mate_hash, spread="none",
       unit="see the columns; one thread, at most 4,000,000 nodes each", setup=[LIST_PROBLEMS])
THREAD_COLUMNS = [column("problems"), column("one thread", "s", 1), column("two threads", "s", 1),
                  *(ratio(n) for n in ("speedup", "median speedup", "nodes"))]


def solved_by_threads(limits):
    return {t: "{build}/tabia-shogi mate {tmp}/problems --first " + limits + f" --json --quiet --threads {t} || [ $? = 1 ]" for t in "12"}


recipe("mate-threads", "two threads against one on positions of games of shogi: to the first mate, or to the proof that there is none", 2,
       THREAD_COLUMNS, solved_by_threads("--hash 256M --nodes 300000"), readers.mate_threads,
       setup=["{build}/tabia-shogi gensfen --positions 40000 --depth 3 --seed 5 --out {tmp}/games.psv --quiet",
              "{build}/tabia-shogi data convert {tmp}/games.psv --out {tmp}/games.plain",
              "sed -En 's/^s?fen //p' {tmp}/games.plain | awk '++n % 20 == 0' > {tmp}/problems"])
recipe("mate-threads-long", "two threads against one to the first mate, on the problems of the file MATE_PROBLEMS (bench/mate_long.py)", 12,
       THREAD_COLUMNS, solved_by_threads("--hash 1G --nodes 6000000"), readers.mate_threads, repetitions=3,
       setup=[LIST_PROBLEMS])
recipe("mate-random", "the mate solver on random positions, against a plain search or graphs of all positions", 5,
       [column(k) for k in ("by a plain search", "by graphs", "interposed", "wrong")],
       {game: "{build}/tests/fuzz/fuzz_mate_" + game + " 50000 1" for game in ("chess", "shogi")}, readers.mate_random,
       unit="positions", spread="none")
SMP_COLUMNS = [ratio(n) for n in ("speedup", "speedup of sums", "nodes", "nodes a second", "by processor time")]
recipe("smp-depth", "two search threads against one, to a depth", 3, SMP_COLUMNS,
       "python3 {bench}/smp.py {tabia} --rounds 3 --depth 18 --json", readers.smp_depth, unit="ratios to one thread", spread="none")
recipe("ranks-depth", "two ranks of a search against one thread and two, to a depth", 5, SMP_COLUMNS,
       "python3 {bench}/smp.py {tabia} --rounds 3 --depth 21 --first 16 --hash 256 --ranks '{mpirun-shm} -n 2 {mpi}' --json", readers.smp_depth,
       unit="ratios to one thread", spread="none")
recipe("cores-perft", "perft by the number of threads: one table, and one for each", 4,
       [column("time", "s", 2), ratio("speedup"), ratio("private, time")],
       {**readers.perft_commands("start d9", "9", ("shared",)), **readers.perft_commands("kiwi d7", f"7 --fen '{KIWI}'")},
       readers.cores_perft, repetitions=2, unit="seconds of elapsed time")
recipe("cores-table", "three probes and a store by turns, with locks and without, by number of threads", 3,
       [column(readers.threads(n), "M/s", 1) for n in readers.COUNTS],
       f"{{lab}} table bench --only modes --rounds 2 --threads {readers.thread_counts()[-1]} --json", readers.cores_table,
       unit="million operations a second")


RANKS = [column("time", "s", 3), column("ratio", "", 3), column("messages")]


def against_threads(words, hash_mib):
    """Two ranks of one thread and two threads of one process. Each run follows one of its kind, whose memory it finds in use."""
    work = f"perft {words} --json --quiet --hash"
    found = {"2 threads": f"{{tabia}} {work} {hash_mib}M --threads 2"}
    for net in ("shm", "tcp"):
        found[f"2 ranks, {net}"] = f"{{mpirun-{net}}} -n 2 {{mpi}} {work} {hash_mib // 2}M"
    return {label: f"{command} >/dev/null && {command}" for label, command in found.items()}


for position, words, minutes, rounds, hash_mib in (("start d8", "8", 5, 25, 256), ("kiwi d6", f"6 --fen '{KIWI}'", 3, 25, 128), ("start d9", "9", 8, 5, 1024)):
    recipe(f"ranks-{position.replace(' d', '')}", f"{position} on two ranks against two threads", minutes, RANKS,
           against_threads(words, hash_mib), readers.ranks_perft, repetitions=rounds, unit="seconds of processor time")


def counted(position, words):
    """One rank, then two and four, sharing and each with a private table; 1 GiB together."""
    found = {f"{position}: 1 rank": "{mpirun} -n 1 {mpi} perft " + words + " --hash 1G"}
    for n in (2, 4):
        found[f"{position}: {n} ranks"] = f"{{mpirun}} -n {n} {{mpi}} perft {words} --hash {1024 // n}M"
        found[f"{position}: {n} ranks, private tables"] = found[f"{position}: {n} ranks"] + " --private"
    return {label: command + " --json --quiet" for label, command in found.items()}


recipe("ranks-positions", "positions counted on ranks, with and without sharing", 2,
       [column("positions"), column("more than one rank", "%", None), column("sibling sets sent"), column("messages"),
        column("CPU time", "s", 2)],
       {**counted("start d8", "8"), **counted("kiwi d6", f"6 --fen '{KIWI}'")}, readers.ranks_positions, unit="positions counted")


recipe("ranks-kills", "killed ranks, coordinators and whole jobs", 3,
       [column(n) for n in ("kills", "exact totals", "jobs lost by a worker's death")],
       "python3 {bench}/../tests/integration/mpi_kill.py openmpi {mpi} {build}/tests/libstopped_rank.so 50", readers.kills, unit="kills", spread="none")

recipe("model-forecast", "start d8 on more ranks (simulated)", 1,
       [column("time", "s", 4), column("speedup", "times", 1), *(column(n, "%", 1) for n in ("counting", "messaging", "waiting", "recounted")),
        column("positions"), column("messages")],
       "{lab} simulate 8 --ranks 2,8,64,256,1024 --hash 1G --json --quiet", readers.model_forecast, unit="simulated", spread="none")

GENERATE = "{tabia} gensfen --positions 100000 --threads 1 --quiet --out {tmp}/"
RATE_COLUMNS = [column("positions"), column("games"), column("nodes a search"), column("positions a second")]
recipe("gensfen-rate", "positions generated, one thread", 10, RATE_COLUMNS,
       {"depth 6": GENERATE + "d6.viri --depth 6 >/dev/null && cat {tmp}/d6.viri.json",
        "5,000 nodes": GENERATE + "n5k.viri --nodes 5000 >/dev/null && cat {tmp}/n5k.viri.json"}, readers.gensfen_rate,
       unit="positions a second of processor time")
recipe("gensfen-rate-shogi", "positions of shogi generated, one thread", 5, RATE_COLUMNS,
       {"depth 6": "{build}/tabia-shogi gensfen --positions 100000 --threads 1 --quiet --depth 6 --out {tmp}/d6.psv >/dev/null && "
                   "{build}/tabia-shogi data verify {tmp}/d6.psv >/dev/null && cat {tmp}/d6.psv.json"}, readers.gensfen_rate,
       unit="positions a second of processor time")
recipe("gensfen-hazard", "false hits that stop a generator, without a fix and with each", 1,
       [column(n) for n in ("games", "blocked", "incidents", "falls", "falls a million games", "seeds fallen")],
       "{lab} hazard --json --quiet", readers.hazard, unit="events", spread="95 % limits")

CONVERT = "{tabia} data convert {tmp}/a.%s --out {tmp}/%s.%s --quiet"
PAIRS = (("bin", "viri"), ("bin", "bullet"), ("bin", "binpack"), ("viri", "bin"), ("viri", "bullet"), ("viri", "binpack"),
         ("binpack", "bin"), ("viri", "plain"), ("plain", "viri"))
recipe("data-convert", "a million records converted", 2, [column("CPU time", "s", 2)],
       {**{f"{a} to {b}": CONVERT % (a, f"{a}-{b}", b) for a, b in PAIRS}, "verify bin": "{tabia} data verify {tmp}/a.bin --quiet"},
       readers.cpu_seconds, repetitions=3, unit="seconds of processor time",
       setup=["{build}/tests/random_games {tmp}/a.bin 1000000 1",
              *(f"{{tabia}} data convert {{tmp}}/a.bin --out {{tmp}}/a.{f} --quiet" for f in ("viri", "binpack", "plain"))])

# After make mutate MUTANTS=500 SEED=201 LAYERS=src, as far as it came: what was judged before stays.
recipe("mutants-500", "mutants of all sources that the tests catch, of a sample of 500", 1,
       [*(column(n) for n in ("mutants", "caught")), column("share", "%", 1), *(column(n) for n in ("survived", "with a reason"))],
       "python3 {bench}/../tests/mutate.py --mutants 500 --seed 201 --layers src --judged docs/results/mutants-500.jsonl --report",
       readers.mutants, unit="mutants", spread="none")
# Each run adds to what its file says already; those who fuzz longer repeat it.
recipe("fuzz-hours", "fuzzers, and conversations with the engines, under sanitizers", 25,
       [column("time", "s"), column("inputs"), column("findings"), column("runs")],
       "{bench}/../tools/fuzz build-fuzz 60 build-tsan || [ $? = 1 ]", readers.fuzz_hours, unit="inputs", spread="none")
recipe("stress", "foreign payloads accepted, between two processes", 35,
       [column("mixed", "%"), *(column(n) for n in ("xor", "none", "plain xor"))],
       "{lab} table stress --processes 2 --json --quiet", readers.stress, unit="accepted probes", spread="none")
recipe("stress-plain", "foreign payloads accepted by plain XOR, small payloads", 3, [column("mixed", "%", 1), column("accepted")],
       "{lab} table stress --way plain --payload small --probes 300000000 --json --quiet", readers.stress_plain,
       unit="accepted probes", spread="none")
