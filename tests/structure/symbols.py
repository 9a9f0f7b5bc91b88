# SPDX-License-Identifier: MIT
"""
What libraries show to others, and what they keep.

    symbols.py names LIBRARY...         every name begins with tabia_: a program that links it keeps its own names
    symbols.py api SHARED HEADERS MARK  the shared library shows exactly the functions that the public headers in the
                                        folder HEADERS declare with MARK (TABIA_API), and nothing else
    symbols.py state STATIC SHARED      nothing in the library can be written to: it has no state of its own
"""

import os
import re
import shutil
import subprocess
import sys

import tree

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Sections that a program may write to while it runs; .data.rel.ro is constant once it is loaded.
WRITABLE = re.compile(r"^\.(data|bss|tdata|tbss)(?!\.rel\.ro)")
# What the compiler's start-up files bring into every shared library.
STARTUP = ("completed", "__dso_handle", "__TMC_END__")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def shown(library, *more):
    """The names with external linkage that a library defines; `__` is the compiler's own, absolute are names of versions."""
    lines = (line.split() for line in output("nm", "-g", "--defined-only", "-P", *more, library))
    return [line[0] for line in lines if len(line) >= 2 and not line[0].startswith("__") and line[1] != "A"]


def check_names(*libraries):
    faults, count = [], 0
    for library in libraries:
        names = shown(library)
        count += len(names)
        faults += [f"{library} shows the name {n}, which does not begin with tabia_" for n in names if not n.startswith("tabia_")]
        if not names:
            faults.append(f"{library} shows no name at all: is it the right file?")
    tree.close(faults, f"{count} names, all beginning with tabia_")


def check_api(shared, headers, mark):
    declared, marked = set(), re.compile(rf"^{mark}\b[^;]*?\b(\w+)\s*\(", re.MULTILINE)
    for name in sorted(os.listdir(headers)):
        declared |= set(marked.findall(COMMENT.sub("", tree.read(headers, name))))
    names = {re.sub("@.*", "", n) for n in shown(shared, "-D")}
    faults = [f"{shared} shows {n}, which no public header declares" for n in sorted(names - declared)]
    faults += [f"{shared} lacks {n}, which a public header declares" for n in sorted(declared - names)]
    if not declared:
        faults.append(f"{headers}: no function is declared with {mark}")
    tree.close(faults, f"{len(declared)} functions declared, the same shown")


def check_state(static, shared):
    """In the objects by their sections; in the linked library by its symbols, for what the linker brought along."""
    faults, member = [], static
    for line in output("objdump", "-h", static):
        words = line.split()
        if "file format" in line:
            member = words[0].rstrip(":")
        elif len(words) > 2 and words[0].isdigit() and WRITABLE.match(words[1]) and int(words[2], 16):
            faults.append(f"{member} has {int(words[2], 16)} bytes of state in {words[1]}")
    for line in output("objdump", "-t", shared):
        found = re.match(r"\S+ .{7} (\S+)\t(\S+)\s+(\S+)$", line)
        if found and WRITABLE.match(found[1]) and int(found[2], 16) and not found[3].startswith(STARTUP):
            faults.append(f"{shared} has {int(found[2], 16)} bytes of state in {found[3]}")
    tree.close(faults, "no state in the library")


if __name__ == "__main__":
    for tool in ("nm", "objdump"):
        if not shutil.which(tool):
            tree.skip(f"no {tool} on this machine (binutils)")
    {"names": check_names, "api": check_api, "state": check_state}[sys.argv[1]](*sys.argv[2:])
