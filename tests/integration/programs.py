# SPDX-License-Identifier: MIT
"""What the tests of whole programs share: their command lines, files read and written whole, and what a process has come to."""

import re
import signal


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
