#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills a generator many times: the file must be the same byte for byte.

gensfen.py TABIA [SEED]

The moment of a kill is drawn as a number of blocks that the file has grown by, and a random part of a hundredth of a
second, so that fast and slow machines are killed all along the way.
"""
import glob
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from programs import catches, read

WHOLE = os.environ.get("WHOLE_TESTS", "0") not in ("", "0")  # as `make check` wishes; otherwise the quick form
KILLS, EARLY_STOPS = (20, 60) if WHOLE else (10, 20)
OPTIONS = ["--positions", "7000", "--depth", "1", "--seed", "3", "--hash", "64K", "--save-every", "50", "--quiet"]
tabia = sys.argv[1]
seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
draw = random.Random(seed)


def check(good, what):
    if not good:
        sys.exit(f"seed {seed}: {what}")


def command(path, threads, *more):
    return [tabia, "gensfen", *OPTIONS, "--out", path, "--threads", str(threads), *more]


def sha(path):
    return hashlib.sha256(read(path)).hexdigest()


def blocks(path):
    try:
        with open(path + ".sums", encoding="ascii") as file:
            return len(file.readlines())
    except FileNotFoundError:
        return 0


def uninterrupted(folder, ending):
    """The checksums of a file and its sidecar, written by one run."""
    path = os.path.join(folder, "whole" + ending)
    subprocess.run(command(path, 2), check=True, capture_output=True)
    run = subprocess.run([tabia, "data", "verify", path], capture_output=True, text=True)
    check(run.returncode == 0 and "no fault" in run.stdout, run.stdout + run.stderr)
    return sha(path), sha(path + ".json")


def killed(folder, ending):
    """The checksums after up to KILLS kills, and their number. Repeated where the runs end before they are killed."""
    path = os.path.join(folder, "killed" + ending)
    for _ in range(100):
        kills = killed_once(path)
        if kills > 3:
            return (sha(path), sha(path + ".json")), kills
        for name in glob.glob(path + "*"):
            os.remove(name)
    sys.exit("gensfen: the runs are too short to be killed")


def killed_once(path):
    """Runs until the file is finished; returns the number of kills."""
    kills = 0
    while True:
        most = blocks(path) + draw.randrange(4)
        run = subprocess.Popen(command(path, draw.choice([1, 2, 3]), "--resume"), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        while kills < KILLS and run.poll() is None and blocks(path) <= most:
            time.sleep(0.001)
        if kills < KILLS and run.poll() is None:
            time.sleep(draw.random() / 100)
            run.send_signal(draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
        errors = run.communicate()[1]
        check(run.returncode in (0, 130, -signal.SIGKILL), f"status {run.returncode}: {errors}")
        check(run.returncode != 130 or "--resume continues" in errors, f"no message of the stop: {errors}")
        if run.returncode == 0:
            return kills
        kills += 1


def stopped_at_once(folder):
    """A stop before the first game, in the creation of the table or of a thread's search, is no failure."""
    path = os.path.join(folder, "early.viri")
    for n in range(EARLY_STOPS):
        more = ["--positions", str(10**12), *([] if n % 2 else ["--hash", "512M"])]  # however late the stop comes
        run = subprocess.Popen(command(path, 16, "--resume", *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while run.poll() is None and not catches(run.pid):
            pass
        time.sleep(0.001 + draw.random() / 500)  # the thread sanitizer loses a signal that comes while sigaction returns
        run.send_signal(signal.SIGINT)
        errors = run.communicate()[1]
        reported = "ends with a complete block" if os.path.exists(path) else "no game had begun"
        check(run.returncode == 130 and reported in errors and "--resume continues" in errors, f"stop {n}: status {run.returncode}, {errors}")
        for name in glob.glob(path + "*"):
            os.remove(name)


def books(folder):
    """Games begin in a book of text, here behind a byte order mark, or in a file of training data."""
    text = os.path.join(folder, "ends.epd")
    with open(text, "w", encoding="utf-8-sig") as file:
        file.write("8/8/4k3/8/8/4K3/4P3/8 w - - hmvc 0;\n\n8/8/4k3/8/8/3QK3/8/8 b - - 0 1\n")
    for book in (text, os.path.join(folder, "whole.viri")):
        out = os.path.join(folder, "booked.viri")
        reported = subprocess.run([tabia, "gensfen", "--out", out, "--book", book, "--positions", "50", "--depth", "1",
                               "--random-move-count", "0", "--opening-limit", "0", "--eval-limit", "0"],
                              capture_output=True, text=True)
        check(reported.returncode == 0, reported.stderr)
        for name in (out, out + ".json", out + ".sums"):
            os.remove(name)


def report_matches_file(folder):
    """The report gives the bytes of the file, and its games as verify counts them."""
    common = ["--positions", "600", "--depth", "1", "--hash", "64K", "--seed", "5", "--quiet"]
    for ending in (".viri", ".bin", ".binpack", ".plain"):
        for more in ([], ["--filter", "check,capture"], ["--eval-limit", "300"]):
            out = os.path.join(folder, "reported" + ending)
            text = subprocess.run([tabia, "gensfen", *common, *more, "--out", out], capture_output=True, text=True)
            check(text.returncode == 0, text.stderr)
            seen = json.loads(subprocess.run([tabia, "data", "verify", "--json", out], capture_output=True).stdout)["files"][0]
            said = f"{seen['records']} positions in {seen['games']} games in {out} ({ending[1:]}, {os.path.getsize(out)} bytes)"
            check(said in text.stdout, f"{more}: not '{said}', but {text.stdout.splitlines()[0]}")
            for name in (out, out + ".json", out + ".sums"):
                os.remove(name)
            reported = subprocess.run([tabia, "gensfen", *common, *more, "--out", out, "--json"], capture_output=True)
            reported = json.loads(reported.stdout)
            check((reported["bytes"], reported["games"]) == (os.path.getsize(out), seen["games"]), f"{more}: {reported}")
            for name in (out, out + ".json", out + ".sums"):
                os.remove(name)


with tempfile.TemporaryDirectory() as temporary:
    for end in (".viri", ".binpack"):
        expected = uninterrupted(temporary, end)
        found, n = killed(temporary, end)
        check(found == expected, f"{end}: the file differs after {n} kills")
        print(f"seed {seed}: {end}, {n} kills, the same bytes")
    stopped_at_once(temporary)
    report_matches_file(temporary)
    books(temporary)
