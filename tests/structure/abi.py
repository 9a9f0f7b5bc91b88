# SPDX-License-Identifier: MIT
"""
What a compiled program knows of the libraries, as it was when this version's record was made: the symbols with their versions,
what the functions take and return, where the members of structures lie, and the values of constants. Fails on a change that was not planned.

    abi.py ROOT VERSION COMPILER RECORD [write]

VERSION is the project's; COMPILER compiles a program that prints sizes, offsets and values; src/*.map are the linker's scripts with
the symbols' versions; RECORD is the text that is compared. A change that is planned needs what docs/releasing.md says of it, and then
`write`, which makes the record anew.
"""

import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import manpages  # noqa: E402

STRUCT = re.compile(r"typedef struct (Tabia\w+) \{(.*?)\} \1;", re.DOTALL)
ENUM = re.compile(r"\benum(?: Tabia\w+)? \{(.*?)\}", re.DOTALL)
NODE = re.compile(r"([\w.]+) \{\s*global:(.*?)(?:local:.*?)?\}", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def headers(root):
    return sorted(name for name in os.listdir(os.path.join(root, "include/tabia")) if name.endswith(".h"))


def preprocessed(root, compiler, names):
    text = "".join(f"#include <tabia/{name}>\n" for name in names)
    command = [*compiler, "-E", "-P", "-x", "c", "-I", os.path.join(root, "include"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def members(body):
    """The names of a structure's members, in order."""
    found = []
    for line in (line.strip() for line in body.split(";")):
        pointer = re.search(r"\(\*(\w+)\)\s*\(", line)
        found += [pointer[1]] if pointer else [m[1] for m in re.finditer(r"(\w+)\s*(?:\[\w+\])?\s*(?:,|$)", line)]
    return found


def constants(text):
    """The names of a header's constants; of an enumerator only what stands before its value."""
    bodies = [body for body in ENUM.findall(text) if "TABIA_" in body]
    return [name for body in bodies for name in re.findall(r"(?:^|,)\s*(TABIA_\w+)", body)]


def printer(names, text):
    """A program that prints a line for each structure and each constant."""
    lines = []
    for name, body in STRUCT.findall(text):
        lines.append(f'printf("struct {name}: %zu bytes, aligned to %zu\\n", sizeof({name}), _Alignof({name}));')
        lines += [f'printf("    %3zu  {member}, %zu bytes\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
                  for member in members(body)]
    lines += [f'printf("constant {name} = %lld\\n", (long long){name});' for name in constants(text)]
    include = "".join(f"#include <tabia/{name}>\n" for name in names)
    return f"#include <stddef.h>\n#include <stdio.h>\n{include}int main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"


def layout(root, compiler, names):
    source = printer(names, preprocessed(root, compiler, names))
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "layout")
        command = [*compiler, "-w", "-x", "c", "-I", os.path.join(root, "include"), "-", "-o", program]
        subprocess.run(command, input=source, text=True, check=True)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def functions(root, names):
    """What is declared, on a line each."""
    found = [f.prototype for name in names for f in manpages.Header(os.path.join(root, "include/tabia", name)).functions]
    return ["function " + re.sub(r"\s+", " ", prototype).replace("* ", "*") for prototype in sorted(found)]


def versions(root):
    """{symbol: version} of the linker's scripts."""
    nodes = []
    for name in sorted(name for name in os.listdir(os.path.join(root, "src")) if name.endswith(".map")):
        nodes += NODE.findall(COMMENT.sub("", tree.read(root, os.path.join("src", name))))
    return {symbol: node for node, symbols in nodes for symbol in re.findall(r"\w+", symbols)}


def main():
    root, version, compiler, record = sys.argv[1:5]
    names = headers(root)
    release = ".".join(version.split(".")[:2])
    lines = [f"libtabia {release}", *(f"symbol {s}@{v}" for s, v in sorted(versions(root).items())), *functions(root, names),
             *layout(root, shlex.split(compiler), names)]
    if sys.argv[5:] == ["write"]:
        with open(record, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return
    with open(record, encoding="utf-8") as file:
        before = file.read().splitlines()
    faults = [line for line in difflib.unified_diff(before, lines, record, "this tree", lineterm="", n=0)]
    if faults:
        faults.append(f"a program compiled for libtabia {before[0].split()[1]} sees this: undo it, or see docs/releasing.md, step 5")
    tree.close(faults, f"{len(lines)} lines of the interface as recorded for {before[0]}")


if __name__ == "__main__":
    main()
