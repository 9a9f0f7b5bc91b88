# SPDX-License-Identifier: MIT
"""
The public headers are the manual of the libraries. Each has at least two lines of comment for a line of code; each public
function has a comment of its own with the paragraphs `Errors:` and `Threads:` and an `Example:`; and tools/manpages.py makes a
page for each function and each type, in which groff finds no fault (left out, with a word, where there is no groff).
Nor does it in the pages of the programs, docs/*.1.

    manual.py ROOT
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import manpages  # noqa: E402


RATIO, LEAST_WORDS = 2.0, 2
LABELS = ("Errors", "Threads", "Example")
DECLARED = re.compile(r"^(?:TABIA_API|TABIA_CLUSTER_API)\b[^;]*?\b(\w+)\s*\(|^static inline\b[^{;]*?\b(\w+)\s*\(", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
OVERVIEW = '.TH LIBTABIA 3 2026-01-01 "tabia 0" "Library functions"\n'


def count_lines(text):
    """(lines of comment, lines of code); a line of code with a comment behind it is code, an empty line neither."""
    code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text).splitlines()
    lines = list(zip(text.splitlines(), code))
    return sum(bool(line.strip()) and not rest.strip() for line, rest in lines), sum(bool(rest.strip()) for _, rest in lines)


def check_ratio(path, text):
    comments, code = count_lines(text)
    if comments >= RATIO * code:
        return []
    return [f"{path}: {comments} lines of comment for {code} of code, fewer than {RATIO:g} for each"]


def check_functions(path, text, header):
    """Faults of a header's functions: each has a comment of its own, with all that a manual says of it."""
    documented = {f.name: f for f in header.functions}
    names = [first or second for first, second in DECLARED.findall(COMMENT.sub("", text))]
    faults = [f"{path}: {name} has no comment of its own" for name in names if name not in documented or not documented[name].comment]
    for name, function in documented.items():
        said = {label: lines for label, lines in function.paragraphs() if label}
        faults += [f"{path}: {name} says nothing under `{label}:`" for label in LABELS if not any(line.strip() for line in said.get(label, []))]
        faults += [f"{path}: {name} is not described" for _ in [0] if function.comment and function.paragraphs()[0][0]]
    return faults


def check_pages(headers):
    """Faults of the pages that the headers make."""
    with tempfile.TemporaryDirectory() as folder:
        tree_of = {"overview.3": OVERVIEW}
        for name, text in tree_of.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        manpages.write(folder, os.path.join(folder, "overview.3"), *headers)
        made = set(os.listdir(folder)) - set(tree_of)
        parsed = [manpages.Header(path) for path in headers]
        wanted = {name + ".3" for header in parsed for name in header.pages()}
        faults = [f"{name}: no such page was made" for name in sorted(wanted - made)]
        whole = [name for name in sorted(made) if not read(folder, name).startswith(".so ")]
        faults += [f"{name}: no section {section}" for name in whole for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO")
                   if f".SH {section}\n" not in read(folder, name)]
        return faults + format_faults(folder, whole), len(made)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def format_faults(folder, names):
    """What groff warns of, and mandoc."""
    whole = [name for name in names if not read(folder, name).startswith(".so ")]
    strict = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *whole], cwd=folder, capture_output=True, text=True) if shutil.which("mandoc") else None
    reported = strict.stdout.splitlines() if strict else []
    return reported + groff_faults(folder, names)


def groff_faults(folder, names):
    if not shutil.which("groff"):
        print("no groff on this machine: the pages are made, and not formatted")
        return []
    run = subprocess.run(["groff", "-man", "-ww", "-z", *names], cwd=folder, capture_output=True, text=True)
    return [f"groff: {line}" for line in run.stderr.splitlines()] + ["groff failed"] * (run.returncode != 0)


def program_faults(root):
    """None in a tree of headers alone (can_fail.py)."""
    folder = os.path.join(root, "docs")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".1")) if os.path.isdir(folder) else []
    return format_faults(folder, names) if names else []


def main(root):
    paths = tree.sources(root, (manpages.FOLDER,), (".h",))
    faults, functions = [], 0
    headers = [manpages.Header(os.path.join(root, path)) for path in paths]
    for path, header in zip(paths, headers):
        text = tree.read(root, path)
        functions += len(header.functions)
        faults += check_ratio(path, text) + check_functions(path, text, header)
    more, pages = check_pages([os.path.join(root, path) for path in paths]) if paths and not faults else ([], 0)
    tree.close(faults + more + program_faults(root), f"{functions} functions in {len(paths)} headers, {pages} pages")


if __name__ == "__main__":
    main(sys.argv[1])
