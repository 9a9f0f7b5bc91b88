#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits a network to a few games, as a user would: what is written, and what is refused.

train.py TABIA
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

from programs import read

tabia, = sys.argv[1:]


def run(*options):
    return subprocess.run([tabia, *options], capture_output=True, text=True)


def learns(folder, data):
    """The same options give the same bytes; a network to go on with gives others; the error falls."""
    first, again, further = (os.path.join(folder, name) for name in ("first", "again", "further"))
    usual = ("train", data, "--synthetic-epochs", "1", "--epochs", "4", "--rate", "3000", "--batch", "1000")
    reported = run(*usual, "--threads", "1", "--out", first)
    assert reported.returncode == 0, reported.stderr
    begins = [line.split(":")[0] for line in reported.stdout.splitlines() if "error " in line and "left" in line]
    assert begins == ["synthetic epoch 1 of 1"] + [f"epoch {i} of 4" for i in range(1, 5)], reported.stdout
    assert "0.000000," not in reported.stdout and "no validation set" in reported.stdout, reported.stdout
    assert reported.stdout.splitlines()[-1] == f"{first}: the network, {os.path.getsize(first)} bytes", reported.stdout
    errors = [float(line.split("error ")[1].split(",")[0]) for line in reported.stdout.splitlines() if "error " in line and "left" in line]
    assert len(errors) == 5 and errors[-1] < errors[1], reported.stdout
    assert run(*usual, "--threads", "3", "--out", again).returncode == 0 and read(again) == read(first)
    assert run(*usual, "--from", first, "--out", further).returncode == 0 and read(further) != read(first)
    assert read(first)[:8] == b"TABIANET" and len(read(first)) == len(read(further)) and not any(os.path.exists(first + end) for end in (".best", ".checkpoint"))
    lines = [json.loads(line) for line in read(first + ".log").decode().splitlines()]
    epochs = [line for line in lines if line["kind"] == "epoch"]
    assert [line["epoch"] for line in epochs] == [1, 2, 3, 4, 5] and epochs[0]["synthetic"] and not epochs[1]["synthetic"]
    assert [round(line["rate"] / 0.0009 * 20) for line in epochs[2::2]] == [10, 0], epochs
    assert [f"{line['error']:.6f}" for line in epochs] == [f"{error:.6f}" for error in errors], epochs
    assert all(line["samples"] == sum(part["samples"] for part in lines if part["kind"] == "part" and part["epoch"] == line["epoch"])
               for line in epochs), lines
    return first


def validates(folder, data):
    """A file for validation alone: the epoch with the least error is kept."""
    out, other = os.path.join(folder, "validated"), os.path.join(folder, "other.viri")
    made = run("gensfen", "--positions", "3000", "--depth", "1", "--seed", "9", "--hash", "64K", "--out", other)
    assert made.returncode == 0, made.stderr
    reported = run("train", data, "--validation", other, "--epochs", "6", "--synthetic-epochs", "0", "--rate", "40000", "--batch", "500", "--out", out)
    assert reported.returncode == 0, reported.stderr
    errors = [float(line.split("validation error ")[1].split()[0].rstrip(",")) for line in reported.stdout.splitlines() if "validation error" in line]
    best = [i for i, line in enumerate(line for line in reported.stdout.splitlines() if "validation error" in line) if "(best)" in line]
    assert len(errors) == 6 and best and errors[best[-1]] == min(errors), reported.stdout
    assert (read(out) == read(out + ".best")) == (best[-1] == 5), reported.stdout


def survives_kills(folder, data):
    """Killed where a checkpoint has just come, or the next is being written, a training ends with the same bytes."""
    whole, out = (os.path.join(folder, name) for name in ("whole", "killed"))
    usual = (tabia, "train", data, "--synthetic-epochs", "0", "--epochs", "60", "--batch", "500", "--checkpoint-every", "1", "--quiet", "--out")
    subprocess.run([*usual, whole], check=True)
    for kill in range(20 if os.environ.get("WHOLE_TESTS", "0") not in ("", "0") else 3):
        before = read(out + ".checkpoint") if os.path.exists(out + ".checkpoint") else None
        process = subprocess.Popen([*usual, out, "--resume"])
        while process.poll() is None and (not os.path.exists(out + ".checkpoint") or read(out + ".checkpoint") == before):
            pass
        process.kill()
        if process.wait() != -signal.SIGKILL:
            assert kill > 2
            break
        for option in () if kill else ("--width 8", "--outputs 1", "--mirrored off", "--epochs 61", "--epoch-positions 7", "--batch 9", "--wdl 7", "--td-lambda 7", "--seed 9"):
            refused = subprocess.run([*usual, out, "--resume", *option.split()], capture_output=True, text=True)
            assert refused.returncode == 2 and "--resume needs the same settings" in refused.stderr, (option, refused)
    subprocess.run([*usual, out, "--resume"], check=True)
    assert "is over" in subprocess.run([*usual, out, "--resume", "--width", "8"], capture_output=True, text=True, check=True).stderr
    assert read(out) == read(whole) and len(read(out + ".log").splitlines()) == len(read(whole + ".log").splitlines())


def complains(folder, data, network):
    """What is wrong, the words that must be said, the exit status: one line, and nothing is written."""
    out, empty, short = (os.path.join(folder, name) for name in ("new.bin", "empty.viri", "short.bin"))
    with open(empty, "wb"):
        pass
    for path in (short, short + "2.log"):
        with open(path, "wb") as file:
            file.write(read(network)[:1000])
    wrong = [
        ([data], "--out", 2),
        (["--out", out], "FILE is missing", 2),
        ([data, "--out", short], f"{short}: exists already; --force overwrites it", 2),
        ([data, "--out", short + "2"], f"{short}2.log: exists already; --force overwrites it", 2),
        ([data, "--out", out, "--wdl", "101"], "--wdl: '101'", 2),
        ([data, "--out", out, "--epochs", "x"], "--epochs: 'x'", 2),
        ([data, "--out", out, "--outputs", "3"], "--outputs: '3' is neither 1 nor 8", 2),
        ([data, "--out", out, "--mirrored", "yes"], "--mirrored: 'yes' is neither on nor off", 2),
        ([data, "--out", out, "--from", network, "--width", "256"], "--from: the network of that file has a shape", 2),
        ([data, "--out", out, "--from", short], "a part of a network: 1000 bytes of", 2),
        ([data, "--out", out, "--from", data], "no network", 2),
        ([data, "--out", out, "--validation", empty], "no quiet positions", 2),
        ([empty, "--out", out], "no quiet positions", 2),
        ([os.path.join(folder, "none.viri"), "--out", out], "none.viri", 2),
        ([data, "--out", os.path.join(folder, "nowhere", "net.bin"), "--epochs", "1", "--synthetic-epochs", "0"], "nowhere", 3),
    ]
    for options, words, status in wrong:
        reported = run("train", *options)
        assert reported.returncode == status and reported.stderr.count("\n") == 1 and words in reported.stderr, (options, reported)
        assert not os.path.exists(out), options


with tempfile.TemporaryDirectory() as temporary:
    games = os.path.join(temporary, "games.viri")
    made = run("gensfen", "--positions", "6000", "--depth", "1", "--hash", "64K", "--out", games)
    assert made.returncode == 0, made.stderr
    net = learns(temporary, games)
    validates(temporary, games)
    survives_kills(temporary, games)
    complains(temporary, games, net)
