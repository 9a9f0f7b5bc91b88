#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong command lines: one line on stderr that says what is wrong, nothing on stdout, exit status 2.

command_line.py TABIA
"""
import fcntl
import os
import subprocess
import sys
import tempfile

import programs

WRONG = (
    ("perft 5 --foo", "'--foo' is not understood; --help"),
    ("pertf 5", "tabia: there is no command 'pertf'; did you mean 'perft'? tabia --help lists them"),
    ("--vresion", "tabia: there is no command '--vresion'; did you mean '--version'? tabia --help lists them"),
    ("postion startpos", "tabia: there is no command 'postion'; did you mean 'position'?"),
    ("perft -1", "'-1' is not an option, and numbers cannot be negative"),
    ("play", "tabia: there is no command 'play'; tabia --help lists them"),
    ("help gensfen nosuch", "help gensfen: there is no topic 'nosuch'; there are openings, endings, positions"),
    ("help perf", "there is no command 'perf'; did you mean 'perft'?"),
    ("lab table adit", "tabia-lab table: there is no experiment 'adit'; did you mean 'audit'? tabia-lab table --help lists them"),
    ("lab simulat", "tabia-lab: there is no command 'simulat'; did you mean 'simulate'?"),
    ("table audit", "tabia: there is no command 'table'"),
    ("bench --depth 3", "'--depth' is not understood; --help"),
    ("perft 5 --h 9", "'--h' is the beginning of several names: --help, --hash"),
    ("data help convrt", "tabia data: there is no command 'convrt'; did you mean 'convert'? tabia data --help"),
    ("perft 5 --json=3", "'--json=3' is not understood; --json takes no value"),
    ("perft 5 --treads 2", "'--treads' is not understood; did you mean '--threads'? --help lists the options"),
    ("gensfen --hsah=5M", "'--hsah=5M' is not understood; did you mean '--hash'?"),
    ("perft 5 -x", "'-x' is not understood"),
    ("perft 5 --threads", "--threads: its value is missing; --help"),
    ("perft 5 --threads 0", "--threads: '0' is not a whole number from 1 to 4096"),
    ("perft 5 --threads +2", "--threads: '+2' is not a whole number"),
    ("perft 5 --threads 1e3", "--threads: '1e3' is not a whole number"),
    ("perft 5 --keys -1", "--keys: '-1' is not a whole number"),
    ("perft 5 --hash 1K", "--hash: 1K is too small"),
    ("perft 6 --hash 100T", "--hash: 100T is more than the memory of this machine; at most "),
    ("gensfen --positions 9 --out y --resume --restart", "--resume and --restart: one or the other"),
    ("data dedupe x --out y --memory 100T", "--memory: 100T is more than the memory of this machine; at most "),
    ("perft 5 --table a --hash off", "--table and --hash off: one or the other"),
    ("perft 5 --private --hash off", "--private and --hash off: one or the other"),
    ("perft 5 --replacement always --hash off", "--replacement and --hash off: one or the other"),
    ("perft 5 --table a/b", "name 'a/b'"),
    ("perft 5 --replacement two-tier", "--replacement: 'two-tier' is none of always, depth-and-age"),
    ("perft 5 --kernel 6502", "--kernel: this CPU has no kernel '6502'"),
    ("perft x", "DEPTH: 'x' is not a whole number"),
    ("perft 5 6", "'6' is one argument too many"),
    ("perft 5 --max-nodes 100", "--max-nodes belongs to --suite"),
    ("perft 5 --quiet --progress 1", "--quiet and --progress: one or the other"),
    ("data verify x --progress 1 --quiet", "--quiet and --progress: one or the other"),
    ("perft 5 --against x --progress 1", "--progress: one position that is compared has none"),
    ("perft 5 --protocol uci", "--protocol belongs to --against"),
    ("perft 5 --timeout 5", "--timeout belongs to --against"),
    ("perft 5 --suite x", "DEPTH and --suite: the suite has depths"),
    ("perft --suite x --moves e2e4", "--moves and --suite: the suite has positions"),
    ("perft --suite x --divide", "--divide is for one count"),
    ("perft --suite x --mates", "--mates is for one count"),
    ("perft 5 --kinds --hash 1M", "--kinds and --hash: --kinds is one count, without table and ledger"),
    ("perft --suite x --explain", "--explain is for one count"),
    ("perft 5 --against x --ledger x", "--ledger is for one count"),
    ("ledger", "one FILE is needed"),
    ("ledger /none", "ledger /none: cannot open it: No such file"),
    ("ledger {TABIA}", ": not a ledger; the file is left as it is"),
    ("mate", "one FILE is needed"),
    ("mate /none", "mate: /none: cannot be read: No such file"),
    ("serve /", "serve: /: is a folder, not a file"),
    ("serve --ledger {TABIA}", ": not a ledger"),
    ("serve {TABIA}", ": its format follows neither from its content nor from its extension; give it the extension"),
    ("unique", "one DEPTH is needed"),
    ("unique 3 --threads 4097", "--threads: '4097'"),
    ("gensfen --seed q", "--seed: 'q' is not a whole number"),
    ("gensfen --hash off", "--hash: a search needs a table"),
    ("gensfen --draw 1,2", "--draw: '1,2' is not CP,PLIES,FROM"),
    ("gensfen --resign 5", "CP,PLIES"),
    ("gensfen --filter loud", "--filter: 'loud'"),
    ("gensfen", "--out FILE"),
    ("gensfen --positions 1 --out x.viri.zst", "--out x.viri.zst: nothing would be compressed; leave out .zst"),
    ("gensfen --out x.viri", "--positions N"),
    ("gensfen --out x.viri --positions 0", "--positions: '0'"),
    ("gensfen --out x.zzz --positions 9", "name the format with --format"),
    ("gensfen --out x.viri --positions 9 --book {TABIA} --dfrc", "not both"),
    ("gensfen --out x.viri --positions 9 --random-move-count 0", "every game would be the same"),
    ("gensfen --positions 9 --out x.viri --random-multipv-diff 9", "--random-multipv-diff: is for --random-multipv only"),
    ("gensfen --positions 9 --out x.viri --random-multipv-depth 9 --random-multipv 0", "is for --random-multipv only"),
    ("lab hazard --bits 7", "--bits: '7' is not a whole number from 8 to 48"),
    ("lab hazard --size off", "--size: a search needs a table"),
    ("lab hazard 5", "'5' is not understood: every argument is an option"),
    ("lab table bench --only modes,nodes", "--only: there is no 'nodes'; tabia-lab table bench --help"),
    ("lab table bench --size 1K", "--size: 1K is too small"),
    ("lab table audit --bits 17", "--bits: 17 is none of 16, 24, 32, 48, 64"),
    ("lab table stress --words 3..9", "--words: '3..9' is not a number"),
    ("lab simulate --ranks 2,x 6", "--ranks: 'x' is not a whole number"),
    ("lab simulate --ranks 0 6", "--ranks: '0' is not a whole number"),
    ("lab simulate --costs speed=1 6", "--costs: 'speed=1' is no NAME=NUMBER"),
    ("lab simulate --fen 8/8 6", "FEN field 1 (board)"),
    ("lab simulate", "one DEPTH is needed"),
    ("lab simulate 4", "DEPTH: '4' is not a whole number"),
    ("mate x.pgn", "x.pgn: games; a position on each line is needed"),
    ("data info --to viri x", "'--to' is not understood; --help"),
    ("data sample --fraction 2 x", "--fraction: '2' is not a number above 0, to 1"),
    ("data split --weights 1,x x", "--weights: '1,x' is not a list"),
    ("data shuffle --by moves x", "--by: 'moves' is neither games nor records"),
    ("data convert --from gif x", "there is no format 'gif'"),
    ("data rescore {TABIA} --out y", "--depth N, --nodes N or --soft-nodes N is missing"),
    ("data rescore - --from viri --depth 2 --out y", "-: is read twice, which only a file can be"),
    ("data rescore {TABIA} --depth 2 --out -", "--out: '-' is not a file; name one"),
    ("network export x --out -", "--out: '-' is not a file; name one"),
    ("data filter {TABIA} --out x.viri --mom-target 30", "the model of results is used with --wdl-filtered only"),
    ("data shuffle {TABIA} --from bullet --out x.viri --to bullet --by games", "--by games: bullet does not tell where games begin"),
    ("data split {TABIA} --from viri --out x.viri --out x.bin", "--out x.bin: all files are of one format, viri"),
    ("data split x --out y.bin --out y.bin", "--out: y.bin is named twice"),
    ("data stats", "FILE is missing; tabia data stats --help"),
    ("data convert {TABIA} --to bin --out - --json", "--json and --out -"),
    ("train --epochs", "--epochs: its value is missing; --help"),
    ("train --epochs 3 --batch 70000 x", "--batch: '70000' is not a whole number from 1 to 65536"),
    ("network info --outputs 8 x", "'--outputs' is not understood"),
    ("network import x --out y --outputs 5", "--outputs: '5' is neither 1 nor 8"),
    ("network import x", "--out FILE is missing"),
    ("network show x", "'show' is none of info, export, import"),
    ("train --wdl 101 x", "--wdl: '101' is not a whole number from 0 to 100"),
    ("uci --network=", "--network: an empty text"),
    ("train --foo", "'--foo' is not understood; --help"),
)
# A result in the place of what is read, by its name or another: refused, and the file stays.
READ_AS_WELL = ("train {0} --out {1}", "train x --validation {0} --out {1}", "data convert {0} --out {1}",
                "data rescore {0} --depth 1 --out {1}", "network import {0} --out {1}", "network export {0} --out {1}")
HELP = (("help", "--help"), ("help help", "--help"), ("help --help", "--help"), ("data help help", "data --help"),
        ("help perft", "perft --help"), ("help data", "data --help"), ("data help", "data -h"),
        ("help data stats", "data stats --help"), ("lab table help audit", "lab table audit --help"), ("lab help hazard", "lab hazard --help"), ("help uci", "uci --help"))



def refuses_to_replace_what_is_read():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.viri")
        with open(path, "w", encoding="ascii") as file:
            file.write("?")
        os.symlink(path, os.path.join(folder, "link.viri"))
        for words in READ_AS_WELL:
            for name in ("games.viri", "./games.viri", "link.viri"):
                done = subprocess.run([program, *words.format("games.viri", name).split()], capture_output=True, text=True,
                                      cwd=folder, timeout=60, stdin=subprocess.DEVNULL)
                with open(path, encoding="ascii") as file:
                    kept = file.read() == "?"
                if done.returncode != 2 or f"{name} is read as well" not in done.stderr or done.stderr.count("\n") != 1 or not kept:
                    sys.exit(f"tabia {words} with {name}: {done}, {kept}")
        with open(path, encoding="ascii") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            done = subprocess.run([program, *f"data convert {program} --from viri --out {path} --force".split()], capture_output=True, text=True, timeout=60)
            if done.returncode != 2 or f"{path}: another process is writing it" not in done.stderr:
                sys.exit(f"a file that another process is writing was written: {done}")


def names_the_file_that_was_named():
    """Not a part file of the program's own."""
    with tempfile.TemporaryDirectory() as folder:
        games = os.path.join(folder, "games.viri")
        subprocess.run([sys.argv[1], *f"gensfen --positions 10 --nodes 20 --quiet --out {games}".split()], check=True,
                       capture_output=True, timeout=60)
        for words in ("convert", "shuffle", "dedupe", "filter", "sample --count 3"):
            done = subprocess.run([sys.argv[1], "data", *words.split(), games, "--out", "/none/x.bin"], capture_output=True, text=True, timeout=60)
            if done.returncode != 3 or not done.stderr.endswith(": /none/x.bin: cannot be written: No such file or directory\n"):
                sys.exit(f"tabia data {words}: {done}")


def main():
    refuses_to_replace_what_is_read()
    names_the_file_that_was_named()
    for words, expected in WRONG:
        done = subprocess.run(programs.command(sys.argv[1], words.replace("{TABIA}", sys.argv[1]).split()), capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL)
        if done.returncode != 2 or done.stdout or done.stderr.count("\n") != 1 or expected not in done.stderr:
            sys.exit(f"tabia {words}: status {done.returncode}, stdout {done.stdout!r}, stderr {done.stderr!r}, " f"expected {expected!r}")
    if os.path.exists("x.viri"):
        sys.exit("a refused command line wrote x.viri")
    for words, same in HELP:
        seen = [subprocess.run(programs.command(sys.argv[1], w.split()), capture_output=True, text=True, timeout=120) for w in (words, same)]
        if seen[0].returncode or seen[0].stdout != seen[1].stdout or "usage: " not in seen[0].stdout:
            sys.exit(f"tabia {words}: {seen[0]}, expected what tabia {same} prints")
    print(f"{len(WRONG)} wrong command lines, each refused in one line")


main()
