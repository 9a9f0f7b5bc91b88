# SPDX-License-Identifier: MIT
"""What the tests of whole programs share: their command lines, files read and written whole, and what a process has come to."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile


def check(good, what):
    """Ends the test with the words where it is not."""
    if not good:
        sys.exit(what)


def seeded(place):
    """The seed: that argument, or one of its own, which is printed; and what draws by it."""
    seed = int(sys.argv[place]) if len(sys.argv) > place else random.randrange(10**9)
    print("seed", seed, flush=True)
    return seed, random.Random(seed)


def command(tabia, words):
    """A command line: tabia's, or that of tabia-lab where the first word is `lab`."""
    return [tabia + "-lab", *words[1:]] if words[:1] == ["lab"] else [tabia, *words]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def catches(pid, number=signal.SIGINT):
    """Has it installed its handler?"""
    caught = int(re.search(rb"SigCgt:\s*(\w+)", read(f"/proc/{pid}/status")).group(1), 16)
    return caught >> number - 1 & 1


def in_folder(*tests):
    """Runs the tests in an empty folder, in which they leave no file of the names that tools give to unfinished ones, and none x.*."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in tests:
            test()
        left = [name for name in os.listdir() if "part" in name or "bucket" in name or name.startswith("x.")]
        os.chdir("/")
    assert not left, f"left behind: {left}"


class Program:
    """A program, which runs in a folder, and its files there."""

    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder

    def run(self, *words, status=0, **more):
        """What it prints on both outputs."""
        done = subprocess.run([self.binary, *words], cwd=self.folder, capture_output=True, text=True, timeout=300, **more)
        assert done.returncode == status, (words, done)
        return done.stdout + done.stderr

    def read(self, name):
        return read(os.path.join(self.folder, name))

    def write(self, name, data):
        write(os.path.join(self.folder, name), data)
