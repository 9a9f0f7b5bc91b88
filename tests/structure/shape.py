# SPDX-License-Identifier: MIT
"""
The size of what a reader has to hold in mind: files of at most 600 lines, functions of at most 60 (of tests 80) and nineteen of
twenty of at most 22, at most six parameters, and no struct of more than 20 members that more than three files reach into, but for those
that are listed below with the reason.

Every file, tests and scripts too, has one SPDX line at its head and no white space at the end of a line; README.md has at most 120 lines.

Code of count/ in a game may pass more parameters: they are folded away by inlining.

    shape.py ROOT
"""

import os
import re
import sys

import tree

FILE_LINES, FUNCTION_LINES, FUNCTION_P95, PARAMETERS, MEMBERS, FILES, README_LINES = 600, 60, 22, 6, 20, 3, 120
TEST_FUNCTION_LINES = 80
SPDX = "SPDX-License-Identifier: MIT"
FOLDED = ("src/games/chess/count/", "src/games/shogi/count/")
FOREIGN = {("src/serve/http.c", "answer_request")}  # called by a library, which says how
# struct: why more than three files may see all of it.
WIDE_STRUCTS = {"Position": "the game itself", "TabiaOptions": "each member is an option of its own: a caller names the few that it wants"}
OPENING = re.compile(r"^[A-Za-z_][\w \t*]*[ *](\w+)\(")
STRUCT = re.compile(r"^typedef struct\b[^{;]*\{\n(.*?)^\} (\w+)[^;]*;", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def functions(lines):
    """(name, first line, number of lines, text up to the brace) of each function in code that clang-format has laid out."""
    start, head = None, ""
    for number, line in enumerate(lines, 1):
        if OPENING.match(line) and not line.endswith(";"):
            start, head = number, ""
        if start and "{" not in head:
            head += line + "\n"
        if line == "}" and start:
            yield OPENING.match(lines[start - 1]).group(1), start, number - start + 1, head
            start = None


def parameters(head):
    """The number of parameters in the head of a function; a callback's own do not count."""
    text = COMMENT.sub("", head)
    depth = commas = 0
    for character in text[text.index("(") :]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        commas += character == "," and depth == 1
        if depth == 0:
            break
    return commas + 1


def members(body):
    """The names of the members of a struct's body, those of nested structs and unions included."""
    names = []
    for statement in COMMENT.sub("", body).split(";"):
        statement = statement.split("{")[-1].split("}")[-1].strip()
        if statement:
            names += re.findall(r"(\w+)\s*(?:\[[^\]]*\])*(?:\)\([^)]*\))?\s*(?=,|$|:)", statement)
    return [name for name in names if not name.isdigit()]


def check_functions(path, text, lengths, faults):
    for name, line, length, head in functions(text.splitlines()):
        lengths.append(length)
        if length > FUNCTION_LINES:
            faults.append(f"{path}:{line}: {name} has {length} lines (limit {FUNCTION_LINES})")
        if parameters(head) > PARAMETERS and not path.startswith(FOLDED) and (path, name) not in FOREIGN:
            faults.append(f"{path}:{line}: {name} has {parameters(head)} parameters (limit {PARAMETERS})")


def check_structs(texts, faults):
    """A wide struct of a header, and the files that name it and touch its members."""
    for path, text in texts.items():
        if not path.endswith(".h"):
            continue
        for body, name in STRUCT.findall(text):
            names = members(body)
            if len(names) <= MEMBERS or name in WIDE_STRUCTS:
                continue
            touch = re.compile(r"(?:->|\.)(?:" + "|".join(map(re.escape, names)) + r")\b")
            users = [p for p, t in texts.items() if re.search(rf"\b{name}\b", t) and touch.search(t)]
            if len(users) > FILES:
                faults.append(f"{path}: struct {name} has {len(names)} members (limit {MEMBERS}), and {len(users)} files reach into it")


def file_faults(path, lines):
    """What is wrong with a file of any kind."""
    faults = [f"{path}:{n}: white space at the end of the line" for n, line in enumerate(lines, 1) if line != line.rstrip()]
    if not any(SPDX in line for line in lines[:2]):
        faults.append(f"{path}: no SPDX line at its head")
    if len(lines) > FILE_LINES:
        faults.append(f"{path}: {len(lines)} lines (limit {FILE_LINES})")
    if path.endswith((".c", ".h")):
        faults += [f"{path}:{line}: {name} has {length} lines (limit {TEST_FUNCTION_LINES})"
                   for name, line, length, _ in functions(lines) if length > TEST_FUNCTION_LINES]
    return faults


def main(root):
    texts = {path: tree.read(root, path) for path in tree.sources(root, ("include", "src", "programs", "examples"))}
    faults, lengths = [], []
    for path in tree.sources(root) + tree.sources(root, ("tests", "bench", "tools"), (".py", ".sh")):
        faults += file_faults(path, tree.read(root, path).splitlines())
    readme = os.path.join(root, "README.md")
    if os.path.exists(readme) and len(tree.read(root, "README.md").splitlines()) > README_LINES:
        faults.append(f"README.md: more than {README_LINES} lines")
    for path, text in texts.items():
        check_functions(path, text, lengths, faults)
    check_structs(texts, faults)
    p95 = sorted(lengths)[int(0.95 * (len(lengths) - 1))] if lengths else 0
    if p95 > FUNCTION_P95:
        faults.append(f"19 of 20 functions have at most {p95} lines (limit {FUNCTION_P95})")
    tree.close(faults, f"{len(texts)} files, {len(lengths)} functions, 19 of 20 of at most {p95} lines")


if __name__ == "__main__":
    main(sys.argv[1])
