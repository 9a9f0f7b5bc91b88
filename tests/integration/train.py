#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits a network and weights to a few games, as a user would: what is written, what is refused, and a Ctrl-C.

train.py TABIA
"""
import os
import signal
import subprocess
import sys
import tempfile

tabia = sys.argv[1]


def run(*options):
    return subprocess.run([tabia, *options], capture_output=True, text=True)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def learns(folder, data):
    """The same options give the same bytes; a network to go on with gives others; the error falls."""
    first, again, further = (os.path.join(folder, name) for name in ("first.bin", "again.bin", "further.bin"))
    usual = ("train", data, "--threads", "1", "--synthetic-epochs", "1", "--epochs", "4", "--rate", "3000")
    told = run(*usual, "--out", first)
    assert told.returncode == 0, told.stderr
    begins = [line.split(":")[0] for line in told.stdout.splitlines() if "error " in line and "left" in line]
    assert begins == ["synthetic epoch 1 of 1"] + [f"epoch {i} of 4" for i in range(1, 5)], told.stdout
    assert "0.000000," not in told.stdout and "no validation set" in told.stdout, told.stdout
    assert told.stdout.splitlines()[-1] == f"{first}: the network, {os.path.getsize(first)} bytes", told.stdout
    errors = [float(line.split("error ")[1].split(",")[0]) for line in told.stdout.splitlines() if "error " in line and "left" in line]
    assert len(errors) == 5 and errors[-1] < errors[1], told.stdout
    assert run(*usual, "--out", again).returncode == 0 and read(again) == read(first)
    assert run(*usual, "--from", first, "--out", further).returncode == 0 and read(further) != read(first)
    assert read(first)[:8] == b"TABIANET" and len(read(first)) == len(read(further))
    return first


def stops(data, out):
    """Ctrl-C during training: the network so far is written."""
    with subprocess.Popen([tabia, "train", data, "--epochs", "100000", "--out", out], stdout=subprocess.PIPE,
                          text=True) as job:
        while "epoch" not in job.stdout.readline():
            pass
        job.send_signal(signal.SIGINT)
        job.stdout.read()
    assert job.returncode == 0, job.returncode
    assert read(out)[:8] == b"TABIANET"


def complains(folder, data, network):
    """What is wrong, the words that must be said, the exit status: one line, and nothing is written."""
    out, empty, short = (os.path.join(folder, name) for name in ("new.bin", "empty.viri", "short.bin"))
    with open(empty, "wb"):
        pass
    with open(short, "wb") as file:
        file.write(read(network)[:1000])
    wrong = [
        ([data], "--out", 2),
        (["--out", out], "FILE is missing", 2),
        ([data, "--out", out, "--wdl", "101"], "--wdl: '101'", 2),
        ([data, "--out", out, "--epochs", "x"], "--epochs: 'x'", 2),
        ([data, "--out", out, "--from", short], "another size", 2),
        ([data, "--out", out, "--from", data], "no network", 2),
        ([empty, "--out", out], "no quiet positions", 2),
        ([os.path.join(folder, "none.viri"), "--out", out], "none.viri", 2),
        ([data, "--out", os.path.join(folder, "nowhere", "net.bin"), "--epochs", "1", "--synthetic-epochs", "0"], "nowhere", 3),
    ]
    for options, words, status in wrong:
        told = run("train", *options)
        assert told.returncode == status and told.stderr.count("\n") == 1 and words in told.stderr, (options, told)
        assert not os.path.exists(out), options


def tunes(folder, data):
    """The weights' source, which a compiler would take."""
    out = os.path.join(folder, "weights.c")
    told = run("tune", "--data", data, "--out", out, "--epochs", "1")
    assert told.returncode == 0, told.stderr
    assert read(out).decode().endswith("};\n")
    lines = told.stdout.splitlines()
    assert lines[-1] == f"{out}: the weights" and lines[-2].startswith("epoch 1 of 1: "), told.stdout
    assert "no validation set" in lines[-2], told.stdout


with tempfile.TemporaryDirectory() as temporary:
    games = os.path.join(temporary, "games.viri")
    made = run("gensfen", "--positions", "6000", "--depth", "1", "--hash", "64K", "--out", games)
    assert made.returncode == 0, made.stderr
    net = learns(temporary, games)
    stops(games, os.path.join(temporary, "stopped.bin"))
    complains(temporary, games, net)
    tunes(temporary, games)
