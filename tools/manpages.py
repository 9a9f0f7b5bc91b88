#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes the manual pages of section 3 from the public headers, which are the manual: a page for each function, one for each
header (tabia_table for tabia/table.h), and for each type a page that points to that of its header.

    manpages.py list HEADER...                       the names of the pages, one a line
    manpages.py write FOLDER OVERVIEW.3 HEADER...    writes them; date and version are those of the overview's .TH line

A header consists of blocks, separated by empty lines: a comment and what it describes. The comment of a function begins with
a sentence, which becomes its NAME. A paragraph that begins with one of LABELS and a colon becomes a section of that name; all
other paragraphs are the DESCRIPTION. What is indented by four spaces is shown as it stands.
"""

import os
import re
import sys
import textwrap

LABELS = ("Ownership", "Errors", "Threads", "Memory ordering", "Example")
FOLDER = "include/tabia"
SECTION = re.compile(rf"({'|'.join(LABELS)}): *")
PUBLIC = re.compile(r"^(?:TABIA_API|TABIA_CLUSTER_API|static inline)\s+([^;{]*?\b(\w+)\s*\([^;{]*?\))\s*[;{]", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:typedef struct (\w+) \1;|typedef (?:struct|enum) (\w+) \{|typedef [^{;]*?\b(Tabia\w+)\()", re.MULTILINE)
OPENING_COMMENT = re.compile(r"\s*/\*(.*?)\*/\n?", re.DOTALL)
NAME_MAX = 72
NOT_SHOWN = ("#ifdef __cplusplus", "#ifndef TABIA_", "#include", "#endif")


class Block:
    """A comment and the code below it."""

    def __init__(self, text):
        found = OPENING_COMMENT.match(text)
        self.comment = [re.sub(r"^ \* ?|^   ", "", line).rstrip() for line in found[1].strip("\n").split("\n")] if found else []
        if len(self.comment) == 1 or (self.comment and not found[1].startswith("\n")):
            self.comment = [line.strip() for line in self.comment]
        self.comment = self.comment[: len(self.comment) - (not self.comment[-1].strip())] if self.comment else []
        self.code = text[found.end():] if found else text
        function = PUBLIC.search(self.code)
        self.prototype, self.name = (function[1], function[2]) if function else (None, None)
        self.types = [next(filter(None, names)) for names in TYPE.findall(self.code)]

    def paragraphs(self):
        """[(label or None, lines)]; lines that are shown as they stand keep their indentation."""
        found = []
        for line in self.comment + [""]:
            label = SECTION.match(line)
            if label:
                found.append((label[1], [line[label.end():][:1].upper() + line[label.end() + 1:]]))
            elif not line:
                found.append((None, []))
            elif line.startswith("    ") and (not found or not (found[-1][1] and found[-1][1][0].startswith("    "))):
                label = found[-1][0] if found and not any(found[-1][1]) else None
                found.append((label, [line]))
            else:
                found.append((None, [])) if not found else None
                found[-1][1].append(line)
        return join_example([(label, [line for line in lines if line]) for label, lines in found])


def join_example(paragraphs):
    """What is indented below `Example:` belongs to it; empty paragraphs are dropped."""
    joined, pending = [], None
    for label, lines in paragraphs:
        if label == "Example" and not lines:
            pending = label
        elif lines:
            joined.append((label or (pending if lines[0].startswith("    ") else None), lines))
            pending = None
    return joined


class Header:
    """A public header: its opening comment and its blocks."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.file = os.path.basename(path)
        self.page = "tabia_" + self.file.removesuffix(".h")
        opening = text.index("/*", text.index("*/"))
        end = text.index("*/", opening) + 2
        self.opening = Block(text[opening:end] + "\n")
        self.blocks = [Block(part + "\n") for part in text[end:].split("\n\n") if part.strip()]
        self.functions = [block for block in self.blocks if block.name]
        self.types = list(dict.fromkeys(name for block in self.blocks for name in block.types))

    def pages(self):
        return [self.page, *(f.name for f in self.functions), *self.types]


# ---- roff ----

def escape(line):
    line = line.replace("\\", "\\e").replace("^", "\\(ha").replace("~", "\\(ti").replace("'", "\\(aq").replace("-", "\\-")
    return "\\&" + line if line.startswith(".") else line


def prose(lines):
    """Filled text: names of the library and what stands between backquotes in bold, a bullet of a list as an indented paragraph."""
    text = []
    for line in lines:
        if line.startswith("- "):
            text.append(".IP \\(bu 2")
        text.append(escape(re.sub(r"^(- |  )", "", line)))
    return re.sub(r"`([^`]+)`|\b((?:tabia_\w+|TABIA_\w+))\b", lambda found: f"\\fB{found[1] or found[2]}\\fP", "\n".join(text))


def shown(lines):
    """Lines as they stand."""
    return ".RS 4\n.nf\n" + "\n".join(escape(line) for line in lines) + "\n.fi\n.RE"


def body(paragraphs):
    parts = []
    for _, lines in paragraphs:
        indented = lines[0].startswith("    ")
        parts.append(shown([line[4:] for line in lines]) if indented else prose(lines))
    return "\n.PP\n".join(parts)


def sentence(block):
    """The first sentence of a comment, as NAME shows it; what stands in brackets is not parted."""
    text = " ".join(next(lines for _, lines in block.paragraphs())).replace("`", "")
    text = re.split(r"[.:;](?: |$)(?![^(]*\))", text.removeprefix("libtabia: ").removeprefix("libtabia-cluster: "))[0]
    text = text if len(text) <= NAME_MAX else re.split(r", (?![^(]*\))", text)[0]
    return escape(text[0].lower() + text[1:])


def prototype(text):
    """Its lines, broken between parameters only."""
    text = re.sub(r"(?<!,) ", "\0", re.sub(r"\s+", " ", text) + ";")
    lines = textwrap.wrap(text, 72, break_long_words=False, break_on_hyphens=False)
    return [f'.B "{"    " * (i > 0)}{escape(line.replace(chr(0), " "))}"' for i, line in enumerate(lines)]


def see_also(names, own):
    seen = [name for name in dict.fromkeys(names) if name != own]
    return ".SH SEE ALSO\n" + ",\n".join(f".BR {name} (3)" for name in seen).replace(",\n", " ,\n") + "\n"


def title(name, rest):
    return f'.\\" SPDX-License-Identifier: MIT\n.\\" Made from the public headers by tools/manpages.py.\n.TH {name} 3 {rest}\n.nh\n.ad l\n'


def synopsis(header, prototypes):
    package = "tabia\\-cluster" if header.file.startswith(("cluster", "transport")) else "tabia"
    compiler = "mpicc" if package != "tabia" else "cc"
    lines = [f".B #include <tabia/{header.file}>", ".PP", *(line for text in prototypes for line in prototype(text)), *[".PP"] * bool(prototypes)]
    lines += [f"{compiler} program.c $(pkg\\-config \\-\\-cflags \\-\\-libs {package})"]
    return ".SH SYNOPSIS\n.nf\n" + "\n".join(lines) + "\n.fi\n"


def sections(paragraphs, more=""):
    """The description, what else is given, and the sections that have labels."""
    text = ".SH DESCRIPTION\n" + body([p for p in paragraphs if p[0] is None]) + "\n" + more
    for label in LABELS:
        own = [p for p in paragraphs if p[0] == label]
        text += f".SH {label.upper()}\n{body(own)}\n" if own else ""
    return text


def function_page(header, block, known, rest):
    paragraphs = block.paragraphs()
    text = title(block.name, rest) + f".SH NAME\n{block.name} \\- {sentence(block)}\n" + synopsis(header, [block.prototype])
    text += sections(paragraphs)
    mentioned = [name for name in re.findall(r"\btabia_\w+", "\n".join(block.comment)) if name in known]
    return text + see_also([header.page, *mentioned, "libtabia"], block.name)


def declarations(header):
    """What a header declares besides functions, as it stands there."""
    parts = []
    for block in header.blocks:
        code = block.code.strip("\n")
        if block.name or not code or code.startswith(NOT_SHOWN):
            continue
        lines = [re.sub(r" +\\$", r" \\", line) for line in code.split("\n")]
        parts.append(body(block.paragraphs()) + "\n.PP\n" + shown(lines))
    return "\n.PP\n".join(parts)


def header_page(header, known, rest):
    names = ", ".join([header.page, *header.types])
    text = title(header.page, rest) + f".SH NAME\n{names} \\- {sentence(header.opening)}\n"
    text += synopsis(header, [f.prototype for f in header.functions])
    types = declarations(header)
    text += sections(header.opening.paragraphs(), f".SH DECLARATIONS\n{types}\n" if types else "")
    return text + see_also([*(f.name for f in header.functions), "libtabia"], header.page)


def pages(headers, rest):
    """{file name: text}"""
    known = {name for header in headers for name in header.pages()}
    made = {}
    for header in headers:
        made[header.page] = header_page(header, known, rest)
        made.update((f.name, function_page(header, f, known, rest)) for f in header.functions)
        made.update((name, f".so man3/{header.page}.3\n") for name in header.types)
    return {name + ".3": text for name, text in made.items()}


def write(folder, overview, *paths):
    with open(overview, encoding="utf-8") as file:
        rest = re.search(r"^\.TH \S+ 3 (.*)$", file.read(), re.MULTILINE)[1]
    for name, text in pages([Header(path) for path in paths], rest).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def main(command, *arguments):
    if command == "list":
        print("\n".join(name + ".3" for path in arguments for name in Header(path).pages()))
    else:
        write(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
