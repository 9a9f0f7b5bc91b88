#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A generator that is stopped at once, its books, and what it reports. (Killed and resumed: tests/unit/test_crash.c.)

gensfen.py TABIA [SEED]
"""
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from programs import catches, check, seeded

WHOLE = os.environ.get("WHOLE_TESTS", "0") not in ("", "0")  # as `make check` wishes; otherwise the quick form
EARLY_STOPS = 60 if WHOLE else 20
OPTIONS = ["--positions", "7000", "--depth", "1", "--seed", "3", "--hash", "64K", "--save-every", "50", "--quiet"]
tabia = sys.argv[1]
_, draw = seeded(2)


def command(path, threads, *more):
    return [tabia, "gensfen", *OPTIONS, "--out", path, "--threads", str(threads), *more]


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
        for more in ([], ["--filter", "check,capture"], ["--eval-limit", "300"], ["--dfrc"]):
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
            check((reported["bytes"], reported["games"], reported["counts"]["rejected_castling"] > 0)
                  == (os.path.getsize(out), seen["games"], ending == ".binpack" and more == ["--dfrc"]), f"{more}: {reported}")
            for name in (out, out + ".json", out + ".sums"):
                os.remove(name)


with tempfile.TemporaryDirectory() as temporary:
    subprocess.run(command(os.path.join(temporary, "whole.viri"), 2), check=True, capture_output=True)
    stopped_at_once(temporary)
    report_matches_file(temporary)
    books(temporary)
