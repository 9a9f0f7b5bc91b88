# SPDX-License-Identifier: MIT
"""
Private copies of the tree in which mutants are compiled and tested. The user's files are read, never written.

A copy is compiled once with the unmutated sources, and a snapshot is kept of its build folder. After a mutant the files of the
build folder that differ in size or date are taken back from the snapshot, dates included, and so are its sources. The next mutant
thus compiles what its own change reaches and nothing else.
"""

import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from typing import NamedTuple

# Low optimisation: a kernel of perft takes minutes otherwise. Assertions are as in a release.
MESON_OPTIONS = ("-Dbuildtype=release", "-Doptimization=1", "-Db_ndebug=true", "-Dmpi=off", "-Dportable=false")
COMPILE_SECONDS, CONFIGURE_SECONDS = 1800, 600
WATCH_SECONDS = 0.25  # between two looks at the memory of a test
SKIPPED = 77  # what meson takes for a skipped test
FILE_BYTES = 4 << 30
LIMITS = "ulimit -c 0; ulimit -f {blocks}; ulimit -t {seconds} 2>/dev/null; exec \"$@\""
# The tests of whole programs, by what they are about. Unit tests say so themselves by the headers they include.
SUBJECTS = {
    "table": ["table_stress", "named_perft", "fuzz table_file", "uci", "no_memory"],
    "perft": ["fuzz last_two", "fuzz shogi_last_two", "shogi_perft", "named_perft", "ledger_kill", "bad_input", "no_memory"],
    "search": ["bench_nodes", "uci", "usi", "uci_bugs", "fuzz uci", "fuzz usi", "no_memory"],
    "games": ["fuzz rules", "fuzz last_two", "fuzz shogi_rules", "fuzz shogi_last_two", "fuzz fen", "bench_nodes", "uci", "usi"],
    "data": ["fuzz data", "fuzz pgn", "data_tools_outside", "shogi_data", "data_foreign", "data_endless", "gensfen", "no_memory"],
}
# Those in which most changes of a room show, and whose programs are made of little.
EARLY = {"search": ["bench_nodes"], "games": ["fuzz rules", "fuzz last_two"]}
INCLUDE = re.compile(r'^#include "(?:tabia/)?([\w/]+)', re.MULTILINE)
GAME_FOLDERS = ("rules", "eval", "notation", "count", "game")


class Stopped(Exception):
    """The run was interrupted."""


class Test(NamedTuple):
    name: str
    command: tuple
    needs: tuple  # what ninja makes for it, from the build folder
    environment: dict
    workdir: str
    rooms: frozenset
    headers: frozenset


class Outcome(NamedTuple):
    status: int  # None: killed at a limit of time or memory
    seconds: float
    cpu: float
    output: str


def copied_files(root):
    """What a copy of the tree holds: all but version control and build folders."""
    for place, folders, names in os.walk(root):
        top = place == root
        folders[:] = sorted(f for f in folders if f not in (".git", "__pycache__") and not (top and f.startswith("build")))
        for name in sorted(names):
            if not (top and name == ".git"):
                yield os.path.relpath(os.path.join(place, name), root)


def privacy():
    """A prefix that gives a test file systems for temporary files and processes of its own, where the system lets us."""
    prefix = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
    mounts = ["sh", "-c", 'mount -t tmpfs -o size=4g tmpfs /dev/shm && exec "$@"', "sh"]
    try:
        works = subprocess.run([*prefix, *mounts, "true"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return [*prefix, *mounts] if works else []


class Runner:
    """Runs commands that end with the run: none is left behind when it is interrupted."""

    def __init__(self):
        self.stopping, self.lock, self.groups = threading.Event(), threading.Lock(), set()

    def stop(self):
        self.stopping.set()
        with self.lock:
            for group in self.groups:
                kill_group(group)

    def run(self, command, log, seconds, memory=None, **more):
        """Runs it with its output in the file `log`; kills it with its children at so many seconds or bytes of memory."""
        begin = time.monotonic()
        with open(log, "wb") as output, self.lock:
            if self.stopping.is_set():
                raise Stopped
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, **more)
            self.groups.add(process.pid)
        status, usage = self.wait(process, begin + seconds, memory)
        with self.lock:
            self.groups.discard(process.pid)
        if self.stopping.is_set():
            raise Stopped
        with open(log, "rb") as output:
            output.seek(max(0, os.path.getsize(log) - 20000))
            text = output.read().decode(errors="replace")
        return Outcome(status, time.monotonic() - begin, usage.ru_utime + usage.ru_stime, text)

    def wait(self, process, end, memory):
        over, pause, look = False, 0.005, 0.0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                kill_group(process.pid)  # what it has left behind
                process.returncode = os.waitstatus_to_exitcode(status)
                return None if over else process.returncode, usage
            now = time.monotonic()
            if memory and now >= look:
                look = now + WATCH_SECONDS
                over = over or resident_bytes(process.pid) > memory
            over = over or now > end
            if over or self.stopping.is_set():
                kill_group(process.pid)
            time.sleep(pause)
            pause = min(0.1, 1.5 * pause)


def resident_bytes(session):
    """Memory of the processes of a session. Address space says little: tables ask for more than they touch."""
    pages = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if fields[3] == str(session):
            pages += int(fields[21])
    return pages * os.sysconf("SC_PAGE_SIZE")


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


class Workplace:
    """One copy of the tree, FOLDER/NUMBER/tree, with the snapshot of its build folder beside it."""

    def __init__(self, folder, number, runner, memory):
        self.place = os.path.join(os.path.abspath(folder), str(number))
        self.tree, self.snapshot = os.path.join(self.place, "tree"), os.path.join(self.place, "snapshot")
        self.build, self.temporary = os.path.join(self.tree, "build"), os.path.join(self.place, "tmp")
        self.runner, self.memory, self.private, self.stamps = runner, memory, privacy(), {}
        os.makedirs(self.tree, exist_ok=True)
        os.makedirs(self.temporary, exist_ok=True)

    def log(self, name):
        return os.path.join(self.place, name + ".log")

    def update(self, root):
        """Makes the copy equal to the tree. Files that are equal keep their dates, so that little is compiled."""
        wanted = set(copied_files(root))
        for path in set(copied_files(self.tree)) - wanted:
            os.remove(os.path.join(self.tree, path))
        for path in wanted:
            source, copy = os.path.join(root, path), os.path.join(self.tree, path)
            if not (os.path.isfile(copy) and filecmp.cmp(source, copy, shallow=False)):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(source, copy)

    def configure(self, compiler):
        """Anew where meson's files have changed, before anybody asks for the tests. The text of a failure."""
        made_anew = ["ninja", "-C", self.build, "build.ninja"]
        for command in (["tools/configure", "build", compiler, *MESON_OPTIONS], made_anew):
            done = self.runner.run(command, self.log("configure"), CONFIGURE_SECONDS, cwd=self.tree)
            if done.status != 0:
                return done.output
        return ""

    def compile(self, targets):
        return self.runner.run(["ninja", "-C", self.build, "-j", "1", *targets], self.log("compile"), COMPILE_SECONDS)

    def introspect(self, what):
        said = subprocess.run(["meson", "introspect", self.build, "--" + what], capture_output=True, text=True, check=True)
        return json.loads(said.stdout)

    def tests(self, rooms):
        """The unit tests, and the tests of whole programs that are about one of the rooms."""
        files = {t["id"]: t["filename"] for t in self.introspect("targets")}
        wanted = {name for names in SUBJECTS.values() for name in names}
        return [self.test(t, files, rooms) for t in self.introspect("tests")
                if any(s.endswith(":unit") for s in t["suite"]) or t["name"] in wanted]

    def test(self, t, files, rooms):
        needs = tuple(os.path.relpath(f, self.build) for target in t["depends"] for f in files[target][:1])
        headers = self.headers(t["name"])
        about = {room for room in rooms if t["name"] in SUBJECTS.get(os.path.basename(room), ())}
        about |= {room for room in rooms for h in headers if os.path.basename(room) == room_of_header(h)}
        return Test(t["name"], tuple(t["cmd"]), needs, t["env"], t["workdir"] or self.build, frozenset(about), frozenset(headers))

    def headers(self, name):
        path = os.path.join(self.tree, "tests", "unit", f"test_{name}.c")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return INCLUDE.findall(file.read())

    def built_files(self):
        for place, _, names in os.walk(self.build):
            for name in names:
                path = os.path.relpath(os.path.join(place, name), self.build)
                yield path, stamp(os.path.join(self.build, path))

    def keep(self):
        """Takes the snapshot; what is equal in it already is left as it is."""
        now, kept = dict(self.built_files()), {}
        for place, _, names in os.walk(self.snapshot):
            for name in names:
                full = os.path.join(place, name)
                kept[os.path.relpath(full, self.snapshot)] = stamp(full)
        for path in kept.keys() - now.keys():
            os.remove(os.path.join(self.snapshot, path))
        for path in now:
            if kept.get(path) != now[path]:
                copy_file(os.path.join(self.build, path), os.path.join(self.snapshot, path))
        self.stamps = now

    def touched(self):
        """The files of the build folder that are not of the snapshot."""
        return [path for path, now in self.built_files() if self.stamps.get(path) != now]

    def differs(self, path):
        """Is this file of the build folder another than with the unmutated sources?"""
        now = os.path.join(self.build, path)
        if path not in self.stamps or not os.path.exists(now):
            return True
        return stamp(now) != self.stamps[path] and not filecmp.cmp(now, os.path.join(self.snapshot, path), shallow=False)

    def restore(self, path, text, dates):
        """Takes back the source and all that was built from it."""
        full = os.path.join(self.tree, path)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        os.utime(full, ns=dates)
        for built in self.touched():
            if built in self.stamps:
                copy_file(os.path.join(self.snapshot, built), os.path.join(self.build, built))
            else:
                os.remove(os.path.join(self.build, built))
        for built in self.stamps:
            if not os.path.lexists(os.path.join(self.build, built)):
                copy_file(os.path.join(self.snapshot, built), os.path.join(self.build, built))

    def run(self, test, wall, cpu):
        """Runs a test within its limits of time, memory and file sizes, with a temporary folder of its own."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        os.makedirs(self.temporary)
        limits = LIMITS.format(blocks=FILE_BYTES // 512, seconds=int(cpu))
        environment = {**os.environ, "MALLOC_PERTURB_": "165", **test.environment, "TMPDIR": self.temporary}
        return self.runner.run([*self.private, "sh", "-c", limits, "sh", *test.command], self.log("test"), wall, self.memory << 30,
                               cwd=test.workdir, env=environment)


def stamp(path):
    status = os.lstat(path)
    return status.st_mtime_ns, status.st_size


def copy_file(source, target):
    """With its dates and rights; written beside the old one first, which may be open in a program that runs."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(source, target + ".part", follow_symlinks=False)
    os.replace(target + ".part", target)


def room_of_header(header):
    first = header.split("/")[0]
    if first in GAME_FOLDERS:
        return "games"
    return first if "/" in header else "table"  # tabia/table.h and its neighbours


def is_compiled_wrongly(output):
    """Did a compiler or the linker refuse it, rather than a program that makes sources?"""
    failed = re.findall(r"^FAILED: (.*)$", output, re.MULTILINE)
    return not failed or not all(name.strip().endswith(".c") for name in failed)
