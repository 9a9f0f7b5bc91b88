#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes a manual page for each command of tabia, tabia-perft(1) and so on, from the sections of tabia(1) that tell of it and from
the list of commands, so that nothing is written twice.

    command_pages.py list COMMANDS.C                   the names of the pages, one a line
    command_pages.py write FOLDER TABIA.1 COMMANDS.C   writes them

A subsection of OPTIONS belongs to the command that its title begins with (`tabia perft: suites`); what follows
the command becomes the title there. "The engine" is uci's.
"""
import os
import re
import sys

ROW = re.compile(r'^    \{"([a-z]+)", command_\w+, "([^"]+)"\},$', re.MULTILINE)
ENGINE = "The engine"


def commands_of(path):
    """[(name, what it is for)]"""
    with open(path, encoding="utf-8") as file:
        return ROW.findall(file.read())


def sections_of(text, kind):
    """[(title, text)] of what begins with .SH or .SS."""
    parts = re.split(rf"^\.{kind} (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


def words(roff):
    """What is printed of it, as words."""
    text = re.sub(r"^\.[A-Z]+ ?|\\f.|\\&", "", roff, flags=re.MULTILINE)
    return text.replace("\\-", "-").replace("\n", " ").split()


def subsections_of(options, command):
    """[(what follows the command in the title, text)]"""
    found = []
    for title, text in sections_of(options, "SS"):
        rest = re.match(rf"tabia {command}\b:?(.*)", title)
        if rest or (command == "uci" and title == ENGINE):
            found.append((rest[1].strip() if rest else "", text))
    return found


def synopsis_of(synopsis, command):
    forms = synopsis.split(".br\n")
    own = [form for form in forms if words(form)[1:2] == [command]]
    return ".br\n".join(own or [f".B tabia {command}\n"])


def page(command, about, head, sections):
    date_and_version = re.search(r"^\.TH \S+ \S+ (.*)$", head, re.MULTILINE)[1]
    text = [f'.\\" SPDX-License-Identifier: MIT\n.\\" Made by tools/command_pages.py from tabia.1.\n'
            f'.TH TABIA\\-{command.upper()} 1 {date_and_version}\n'
            f".SH NAME\ntabia\\-{command} \\- {about}\n.SH SYNOPSIS\n{synopsis_of(sections['SYNOPSIS'], command)}.SH DESCRIPTION\n"]
    for title, body in subsections_of(sections["OPTIONS"], command):
        text.append((f".SS {title[:1].upper()}{title[1:]}\n" if title else "") + body)
    text.append(f".SH EXIT STATUS\n{sections['EXIT STATUS']}")
    text.append(f".SH SEE ALSO\n.BR tabia (1);\n.B tabia help {command}\nlists the options briefly.\n")
    return "".join(text)


def write(folder, overview, commands):
    with open(overview, encoding="utf-8") as file:
        text = file.read()
    sections = dict(sections_of(text, "SH"))
    for command, about in commands_of(commands):
        with open(os.path.join(folder, f"tabia-{command}.1"), "w", encoding="utf-8") as file:
            file.write(page(command, about, text, sections))


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join(f"tabia-{name}.1" for name, _ in commands_of(sys.argv[2])))
    else:
        write(*sys.argv[2:])
