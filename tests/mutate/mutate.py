#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Mutation test: do the tests notice when the sources are wrong?

A mutant is the tree with one small change: a comparison turned, a term dropped, a constant or a sign changed, a call left out, a
condition made true or false. Each is compiled in a private copy of the tree and tested until a test fails:

    caught            a test failed, or passed a limit of time or memory
    survived          all tests passed: a test is missing, or no test can tell (then tests/mutate_reasons.txt says why)
    did not compile   refused by the compiler; not counted
    equal             the object code is that of the unmutated source; not counted
    in no program     of this system, as the sources for another one; not counted

    tests/mutate/mutate.py --mutants 300                 a sample of 300 that count, as many of each room
    tests/mutate/mutate.py --mutants 300                 again after Ctrl-C or new tests: resumes, and tests survivors anew
    tests/mutate/mutate.py --mutants 300 --report        prints the report of what is known by now, and runs nothing
    tests/mutate/mutate.py --mutants 10 --rooms src/data one room only
    tests/mutate/mutate.py --mutants 20 --list           the sample, as it would be tested

The seed and the sources decide the sample; a smaller sample is the beginning of a larger one. Tests run in the order in which they
catch soonest: that of the mutated file, those of its room, all other unit tests, then whole programs. A test whose program is the
same with and without the change is not run. Each has limits: ten times its usual time and 30 s, four times its processor time and
10 s, --memory.

The tree itself must pass first. Verdicts are in FOLDER/state.jsonl, one line for each mutant; they hold while the mutated file is
as it was, those of survivors without a reason also only while the tests are as they were. The last line is the share that was
caught.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import json
import os
import queue
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
import mutate_report as known  # noqa: E402
import mutate_sites  # noqa: E402
from mutate_sample import BadRoom, Sample, digest_of  # noqa: E402
from mutate_tree import EARLY, SKIPPED, Runner, Stopped, Workplace, is_compiled_wrongly  # noqa: E402

ROOMS = ["src/table", "src/perft", "src/search", "src/games", "src/data"]
OUTSIDE, USAGE, INTERRUPTED = 1, 2, 130


def give_up(text, status=OUTSIDE):
    print(f"mutate: {text}", file=sys.stderr)
    sys.exit(status)


def natural(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def options():
    parser = argparse.ArgumentParser(prog="tests/mutate/mutate.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=natural, default=300, help="how many that count, as many of each room (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--jobs", type=natural, default=min(2, os.cpu_count() or 1), help="mutants at a time, each in its own copy (2)")
    parser.add_argument("--rooms", nargs="+", default=ROOMS, metavar="ROOM", help="folders of sources (%(default)s)")
    parser.add_argument("--folder", default="build-mutate", help="copies and state, a gigabyte for each job (%(default)s)")
    parser.add_argument("--longest", type=natural, default=60, metavar="SECONDS",
                        help="tests that take more processor time are left out (60)")
    parser.add_argument("--memory", type=natural, default=4, metavar="GIB", help="memory of a test's processes together (4)")
    parser.add_argument("--compiler", default=os.environ.get("CC") or "clang", help="(CC, or else clang)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="print the sample and end")
    what.add_argument("--report", action="store_true", help="print the report and end")
    what.add_argument("--write-result", action="store_true", help="write docs/results/mutants.json and end")
    return parser.parse_args()


def at_limit(done, cpu):
    """Was it killed for its time, its memory, or so many seconds of processor time?"""
    return done.status is None or done.status == -signal.SIGXCPU or (done.status != 0 and done.cpu >= 0.98 * cpu)


def ordered(tests, usual, room, path, kills):
    """The tests in the order in which they catch soonest: by nearness to the mutated file, then by what they caught for their time."""
    stem = os.path.splitext(os.path.basename(path))[0].removesuffix("_inline")
    header = os.path.splitext(path)[0].removeprefix("src/").removeprefix("games/chess/").removeprefix("games/common/")

    def key(test):
        near = 3 if not test.headers else 2
        if room in test.rooms:
            near = 1 if test.headers else 2.5
        if header in test.headers or test.name == stem or test.name in EARLY.get(os.path.basename(room), ()):
            near = 0
        return near, -(kills[room, test.name] + 0.2) / (usual[test.name][0] + 0.5), test.name

    return sorted(tests, key=key)


def objects_differ(work):
    """None: nothing was compiled. The programs that make tables have objects too, but are in no program."""
    touched = [path for path in work.touched() if path.endswith(".o") and not path.split("/")[-2].startswith("make_")]
    return any(work.differs(path) for path in touched) if touched else None


def is_equal(work, tests):
    """Was something compiled, here or in any other test's program, and did nothing of it change?"""
    if objects_differ(work) is not False:
        return False
    return work.compile({need for test in tests for need in test.needs}).status == 0 and objects_differ(work) is False


def verdict(work, tests, usual):
    """(verdict, by which test or why, whether at a limit) of the mutated tree in a workplace."""
    ran = 0
    for n, test in enumerate(tests):
        done = work.compile(test.needs)
        if done.status != 0:
            return (known.BROKEN, "", False) if is_compiled_wrongly(done.output) else (known.CAUGHT, "build", done.status is None)
        if n == 0 and is_equal(work, tests):
            return known.EQUAL, "", False
        if not any(work.differs(need) for need in test.needs):
            continue
        ran += 1
        wall, cpu = usual[test.name]
        done = work.run(test, 10 * wall + 30, 4 * cpu + 10)
        if done.status not in (0, SKIPPED):
            return known.CAUGHT, test.name, at_limit(done, 4 * cpu + 10)
    if not ran:
        how = {None: known.UNUSED, False: known.EQUAL, True: known.SURVIVED}[objects_differ(work)]
        return how, "no tested program contains it" if how == known.SURVIVED else "", False
    return known.SURVIVED, "", False


def judge(work, site, text, tests, usual):
    """Puts the change into the workplace's copy, finds its verdict, and takes it out again."""
    full = os.path.join(work.tree, site.path)
    status = os.stat(full)
    try:
        with open(full, "w", encoding="utf-8") as file:
            file.write(mutate_sites.mutated(text, site))
        return verdict(work, tests, usual)
    finally:
        work.restore(site.path, text, (status.st_atime_ns, status.st_mtime_ns))


class Progress:
    def __init__(self, sample):
        self.sample, self.begin, self.already = sample, time.monotonic(), sample.counted()

    def say(self, record):
        records = self.sample.records()
        counted = sum(r["verdict"] in known.COUNTED for r in records)
        caught = sum(r["verdict"] == known.CAUGHT for r in records)
        rate = (counted - self.already) / (time.monotonic() - self.begin)
        left = f", {(self.sample.mutants - counted) / rate / 60:.0f} min left" if rate > 0 else ""
        by = f" by {record['by']}" if record["verdict"] == known.CAUGHT else ""
        share = known.percentage(caught, counted).strip()
        print(f"[{counted}/{self.sample.mutants}] {record['verdict']}{by} in {record['seconds']:.0f} s: {record['path']}:"
              f"{record['line']} {record['operator']}; {share} caught, {3600 * rate:.0f} an hour{left}", flush=True)


def work_on(work, sample, tests, usual, state, progress):
    """One job: mutants until none is left."""
    while (job := sample.next()) is not None:
        room, site = job
        record = None
        try:
            begin = time.monotonic()
            kills = collections.Counter((r["room"], r["by"]) for r in sample.records())
            how, by, late = judge(work, site, sample.texts[site.path], ordered(tests, usual, room, site.path, kills), usual)
            record = {"id": site.identity, "room": room, "path": site.path, "line": site.line, "operator": site.operator,
                      "before": site.before, "after": site.after, "verdict": how, "by": by, "late": late,
                      "seconds": round(time.monotonic() - begin, 1), "file": sample.files[site.path], "tests": sample.tests}
        finally:
            sample.end(room, site, record)
        with sample.changed:
            known.append(state, record)
            progress.say(record)


def prepare(root, asked, runner):
    """The copies, compiled, with their snapshots."""
    places = [Workplace(asked.folder, n, runner, asked.memory) for n in range(asked.jobs)]

    def make(place):
        place.update(root)
        fault = place.configure(asked.compiler)
        if fault:
            raise RuntimeError(f"the copy of the tree could not be set up:\n{fault}")
        tests = place.tests(asked.rooms)
        done = place.compile({need for test in tests for need in test.needs})
        if done.status != 0:
            raise RuntimeError(f"the unmutated tree could not be compiled:\n{done.output}")
        place.keep()
        return tests

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        return places, list(pool.map(make, places))


def baseline(root, asked, places, tests):
    """{test: (seconds, processor seconds)} of the unmutated tree, which must pass; those that are long or skipped are left out."""
    path = os.path.join(asked.folder, "unmutated.json")
    key = known.digest(digest_of(root, lambda p: p.startswith(("src/", "tests/", "programs/", "include/", "meson"))), asked.compiler,
                       str(asked.longest), str(asked.memory), *sorted(t.name for t in tests[0]))
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        if kept["key"] == key:
            return kept["usual"]
    free, usual = queue.Queue(), {}
    for n, place in enumerate(places):
        free.put((place, {t.name: t for t in tests[n]}))

    def time_test(name):
        place, mine = free.get()
        try:
            return name, place.run(mine[name], 5 * asked.longest + 60, asked.longest)
        finally:
            free.put((place, mine))

    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        for name, done in pool.map(time_test, [t.name for t in tests[0]]):
            if done.status == 0 and done.cpu <= asked.longest:
                usual[name] = (round(done.seconds, 2), round(done.cpu, 2))
            elif done.status not in (0, SKIPPED) and not at_limit(done, asked.longest):
                raise RuntimeError(f"the tree without a mutation fails the test '{name}':\n{done.output[-3000:]}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"key": key, "usual": usual}, file, indent=1)
    return usual


def run(root, asked, sample, state, runner):
    places, tests = prepare(root, asked, runner)
    usual = baseline(root, asked, places, tests)
    left = sorted({t.name for t in tests[0]} - set(usual))
    print(f"{len(usual)} tests pass without a mutation, {sum(wall for wall, _ in usual.values()):.0f} s; left out as long or skipped: "
          f"{', '.join(left) or 'none'}", flush=True)
    progress = Progress(sample)

    def job(n):
        try:
            work_on(places[n], sample, [t for t in tests[n] if t.name in usual], usual, state, progress)
        except Exception as error:
            sample.fail(error)
            runner.stop()

    threads = [threading.Thread(target=job, args=(n,)) for n in range(asked.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)
    if sample.failed:
        raise sample.failed


def claim(folder):
    """The folder is one run's at a time; the lock ends with the process."""
    lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        give_up(f"another run is at work in {folder}: wait for its end, or name another --folder", USAGE)
    return lock


def print_sample(sample):
    for room, sites in sample.order.items():
        for site in sites[: sample.share[room]]:
            print(f"{site.path}:{site.line}: {site.operator}\n  - {site.before}\n  + {site.after}")


def close(root, asked, sample, reasons):
    """The report, and the result file where it is asked for."""
    records = sample.records()
    caught, counted = sum(r["verdict"] == known.CAUGHT for r in records), sample.counted()
    if asked.write_result:
        if counted < asked.mutants:
            raise RuntimeError(f"{counted} of {asked.mutants} mutants are known: run it to its end first")
        known.write_result(root, records, reasons, f"tests/mutate/mutate.py --mutants {asked.mutants} --seed {asked.seed}", asked.compiler)
    print(known.report(records, reasons))
    print(f"\n{caught} of {counted} mutants caught, {known.percentage(caught, counted).strip()}")


def main():
    asked, root = options(), os.getcwd()
    if not os.path.isfile("meson.build"):
        give_up("run it at the top of the tree, where meson.build is", USAGE)
    os.makedirs(asked.folder, exist_ok=True)
    state, runner = os.path.join(asked.folder, "state.jsonl"), Runner()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: threading.Thread(target=runner.stop).start())
    try:
        sample = Sample(root, asked, known.read_state(state), keep_survivors=asked.report)
        reasons = sample.reasons
        if asked.list:
            print_sample(sample)
            return
        if not asked.report and not asked.write_result:
            lock = claim(asked.folder)
            run(root, asked, sample, state, runner)
            lock.close()
        close(root, asked, sample, reasons)
    except Stopped:
        give_up(f"stopped; the same command goes on from {state}", INTERRUPTED)
    except BadRoom as error:
        give_up(str(error), USAGE)
    except (RuntimeError, known.BadReasons) as error:
        give_up(str(error))


if __name__ == "__main__":
    main()
