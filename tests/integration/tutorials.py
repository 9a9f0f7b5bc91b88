# SPDX-License-Identifier: MIT
"""The tutorials, docs/tutorials/*.md, work as they are written: each command of a page (`$ ...`) runs, in order and in one folder, and
prints what the page shows. `...` stands for any lines, or for a part of one; a number with a decimal point may be another. A block of code
after `NAME`: is a file. A page that needs a program is left out where that is missing.

tutorials.py ROOT BUILD
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILE = re.compile(r"`([\w.]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = re.compile(r"^    \$ (.*)\n((?:    (?!\$ ).*\n)*)", re.MULTILINE)


def pattern(shown):
    """Of all that a command prints."""
    lines = [re.sub(r"\d+\\\.\d+", r"[-\\d.]+", re.escape(line)) for line in shown]
    return "".join(r"(?:.*\n)*?" if line == r"\.\.\." else line.replace(r"\.\.\.", ".*") + r"\n" for line in lines)


def faults(page, folder, environment):
    text = page.read_text(encoding="utf-8")
    needs = re.search(r"<!-- needs: (\S+) -->", text)
    if needs and not all(shutil.which(name, path=environment["PATH"]) for name in needs[1].split(",")):
        return print(f"{page}: left out without {needs[1]}")
    for name, content in FILE.findall(text):
        Path(folder, name).write_text(content, encoding="utf-8")
    for command, shown in RUN.findall(text):
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, timeout=200, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not re.fullmatch(pattern([line[4:] for line in shown.splitlines()]), done.stdout):
            yield f"{page}: $ {command}\nprints\n{done.stdout}\nand is shown with\n{shown}"


def main(root, build):
    environment = {**os.environ, "PATH": build + os.pathsep + os.environ["PATH"], "TABIA": root,
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    pages = sorted(Path(root, "docs", "tutorials").glob("*.md"))
    found = [] if len(pages) > 4 else ["where are the tutorials?"]
    for page in pages:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found += faults(page, folder, environment)
        print(f"{page.stem}: {time.monotonic() - began:.0f} s")
    sys.exit("\n".join(found) or 0)


main(*sys.argv[1:])
