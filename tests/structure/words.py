# SPDX-License-Identifier: MIT
"""
One word has one meaning, and where the field has a word it is that one. retired_words.txt lists the words that the tree
used to have of its own, what the field says instead, and where the old one must not come back:

    old word <TAB> the field's word <TAB> where <TAB> in what

    where     `tree`, or folders and files, separated by commas
    in what   `name`   the old word as a part of an identifier (HomeMap, home_of, FAMILY_MAX hold home and family)
              `text`   in comments, messages and documents as well

A word of several parts (`line_table`) is one identifier or the beginning of one. Types have names that are unique in the
tree, so that a name has one meaning too; the same file of two games may define the same.

    words.py ROOT
"""

import collections
import os
import re
import sys

import tree

LIST = "tests/structure/retired_words.txt"
FOLDERS = ("include", "src", "programs", "tests", "bench", "examples", "docs", "tools")
TEXTS = ("README.md", "CONTRIBUTING.md", "Makefile", "meson.build")
LEFT_OUT = (LIST,)  # it must name them
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
CODE = (".c", ".h", ".cpp")
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
GAME = re.compile(r"^src/games/[^/]+/")
TYPE = re.compile(r"^(?:typedef (?:struct|union|enum)\b[^{};]*\{.*?^\} ?(?:__attribute__\(\(.*?\)\)\)? )?(\w+)[^;\n]*;|typedef (?:struct|union|enum) \w+ (\w+);"
                  r"|typedef [^{;]*?(\w+);)", re.MULTILINE | re.DOTALL)


def read_list(root):
    """[(old word, the field's, folders, whether text counts)], or a fault for a line that is none."""
    words, faults = [], []
    for number, line in enumerate(tree.read(root, LIST).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 4 or parts[3] not in ("name", "text"):
            faults.append(f"{LIST}:{number}: not `old<TAB>new<TAB>where<TAB>name or text`")
            continue
        where = () if parts[2] == "tree" else tuple(parts[2].split(","))
        faults += [f"{LIST}:{number}: there is no {w}" for w in where if not os.path.exists(os.path.join(root, w))]
        words.append((parts[0], parts[1], where, parts[3] == "text"))
    return words, faults


def files_of(root):
    """The paths of what is read, from the root."""
    found = [t for t in TEXTS if os.path.exists(os.path.join(root, t))]
    for path in tree.sources(root, FOLDERS, (".c", ".h", ".cpp", ".py", ".md", ".1", ".3", ".build")):
        found.append(path)
    return [path for path in found if not path.startswith(LEFT_OUT) and "__pycache__" not in path]


def split(identifier):
    return [part.lower() for part in PART.findall(identifier)]


def holds(parts, wanted):
    """Whether the parts of an identifier hold the wanted ones, one after the other."""
    return any(parts[i : i + len(wanted)] == wanted for i in range(len(parts) - len(wanted) + 1))


def lines_of(pattern, text):
    return [text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text)]


class File:
    """One file: its identifiers, each with its parts and the line it first stands in."""

    def __init__(self, root, path):
        self.path, self.text = path, tree.read(root, path)
        code = COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), self.text) if path.endswith(CODE) else ""
        self.names = {}
        for match in IDENTIFIER.finditer(code):
            self.names.setdefault(match.group(), match.start())
        self.lower = self.text.lower()
        self.parts = {name: split(name) for name in self.names}
        self.with_part = collections.defaultdict(set)
        for name, parts in self.parts.items():
            for part in parts:
                self.with_part[part].add(name)

    def line(self, name):
        return self.text.count("\n", 0, self.names[name]) + 1


def faults_of(file, words):
    faults = []
    for old, new, where, in_text in words:
        if where and not file.path.startswith(where):
            continue
        wanted = split(old)
        faults += [f"{file.path}:{file.line(name)}: {name}: the field says {new}, not {old}"
                   for name in file.with_part.get(wanted[0], ()) if holds(file.parts[name], wanted)]
        if in_text and old in file.lower:  # never for a type's name, which has capitals
            word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])", re.IGNORECASE)
            faults += [f"{file.path}:{line}: the field says {new}, not {old}" for line in lines_of(word, file.text)]
    return sorted(set(faults))


def double_types(files):
    """A fault for each name that two types have."""
    places = collections.defaultdict(list)
    for file in files:
        generator = os.path.basename(file.path).startswith("make_")  # a program of its own, which runs while Tabia is built
        if file.path.startswith(("include/", "src/", "programs/")) and file.path.endswith(CODE) and not generator:
            for match in TYPE.finditer(file.text):
                name = next(filter(None, match.groups()))
                if match.group(2) is None:  # else a type that is declared here and defined elsewhere
                    places[name].append(file.path)
    return [f"{' and '.join(paths)}: a type {name} in each" for name, paths in sorted(places.items()) if len({GAME.sub("src/games/GAME/", path) for path in paths}) > 1]


def main(root):
    words, faults = read_list(root)
    files = [File(root, path) for path in files_of(root)]
    for file in files:
        faults += faults_of(file, words)
    faults += double_types(files)
    tree.close(faults, f"{len(files)} files without any of {len(words)} retired words, and no type name twice")


if __name__ == "__main__":
    main(sys.argv[1])
