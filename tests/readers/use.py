# SPDX-License-Identifier: MIT
"""
What a program that is measured uses.
"""

import os
import statistics
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

Use = namedtuple("Use", "seconds elapsed peak")


def use_of(words, said=None):
    """Processor seconds, elapsed seconds, and the peak of resident memory in MiB; `said` is its standard input. GNU time says the
    peak: what is started from here begins with our memory."""
    began = time.monotonic()
    child = subprocess.Popen(["time", "-f", "%M", "-o", "peak", *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    child.stdin.write((said or "").encode())
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{words}: status {status}")
    return Use(usage.ru_utime + usage.ru_stime, time.monotonic() - began, int(Path("peak").read_text()) / 1024)


def spread(values):
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"
