# SPDX-License-Identifier: MIT
"""
The size of what a reader has to hold in mind: files of at most 400 lines, functions of at most 60 and nineteen of twenty of
at most 22, at most six parameters, and no struct of more than 20 members that more than three files reach into, but for those
that are listed below with the reason.

Code of count/delta and count/simd may pass more parameters: they are folded away by inlining. OPEN lists what is over a limit
today. Nothing may join it, and what no longer is over its limit must leave it.

    shape.py ROOT
"""

import re
import sys

import tree

FILE_LINES, FUNCTION_LINES, FUNCTION_P95, PARAMETERS, MEMBERS, FILES = 400, 60, 22, 6, 20, 3
FOLDED = ("src/games/chess/count/",)
# struct: why more than three files may see all of it.
WIDE_STRUCTS = {
    "Position": "the game itself",
    "TabiaOptions": "each member is an option of its own: a caller names the few that it wants",
}
OPEN = {
    "examples/connect4.c": "lines",
    "src/games/chess/eval/evaluate_pieces.h": "add_piece_attacks", "src/games/chess/eval/network.c": "find_feature_changes",
    "src/games/chess/rules/make_move.h": "make_piece_move key_after", "src/lab/table/audit_replay.c": "size_row size_rows",
    "src/lab/table/bench_bucket.c": "rate_of", "src/lab/table/bench_file.c": "add",
    "src/lab/table/stress_processes.c": "part child_part run_all", "src/search/quiescence.c": "early_result",
    "src/search/stack.c": "tt_cutoff", "src/table/entry.c": "find_block", "src/table/entry_inline.h": "entry_store_by_inline",
}
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
            faults.append((path, name, f"{path}:{line}: {name} has {length} lines (limit {FUNCTION_LINES})"))
        if parameters(head) > PARAMETERS and not path.startswith(FOLDED):
            faults.append((path, name, f"{path}:{line}: {name} has {parameters(head)} parameters (limit {PARAMETERS})"))


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
                faults.append((path, name, f"{path}: struct {name} has {len(names)} members (limit {MEMBERS}), and {len(users)} "
                               "files reach into it"))


def open_faults(faults, known):
    """What is to be told: faults that are not known, and known ones that are gone."""
    seen = {(path, what) for path, what, _ in faults}
    listed = {(path, what) for path, names in known.items() for what in names.split()}
    told = [text for path, what, text in faults if (path, what) not in listed]
    return told + [f"{path}: {what} is within its limits now: take it off the list OPEN" for path, what in sorted(listed - seen)]


def main(root):
    texts = {path: tree.read(root, path) for path in tree.sources(root, ("include", "src", "programs", "examples"))}
    faults, lengths = [], []
    for path, text in texts.items():
        if text.count("\n") > FILE_LINES:
            faults.append((path, "lines", f"{path}: {text.count(chr(10))} lines (limit {FILE_LINES})"))
        check_functions(path, text, lengths, faults)
    check_structs(texts, faults)
    p95 = sorted(lengths)[int(0.95 * (len(lengths) - 1))] if lengths else 0
    if p95 > FUNCTION_P95:
        faults.append(("", "p95", f"19 of 20 functions have at most {p95} lines (limit {FUNCTION_P95})"))
    known = {path: names for path, names in OPEN.items() if path in texts}
    tree.close(open_faults(faults, known), f"{len(texts)} files, {len(lengths)} functions, 19 of 20 of at most {p95} lines")


if __name__ == "__main__":
    main(sys.argv[1])
