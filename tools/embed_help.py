#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Writes the help of the commands of a game's program as a C source, for programs/help.h. A text begins with a line `=== COMMAND`. A line
that begins with `@chess ` or `@shogi ` is of the program of that game alone.

    embed_help.py GAME NAME=WORD... FILE... >help_texts.c     {NAME} in a text becomes WORD
"""
import json
import re
import sys


def texts_of(path, game, words):
    """[(command, text)]"""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^=== (.*)\n", file.read(), flags=re.MULTILINE)[1:]
    for command, text in zip(parts[::2], parts[1::2]):
        lines = [line for line in text.split("\n") if not line.startswith("@") or line.startswith("@" + game)]
        text = "\n".join(line.removeprefix("@" + game).removeprefix(" ") if line.startswith("@") else line for line in lines)
        yield command, re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), text)


def main(game, *arguments):
    words = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    print('/* Made by tools/embed_help.py. */\n#include "help.h"\n\nconst HelpText help_texts[] = {')
    for path in (argument for argument in arguments if "=" not in argument):
        for command, text in texts_of(path, game, words):
            lines = "\n".join("     " + json.dumps(line, ensure_ascii=False) for line in text.splitlines(keepends=True))
            print(f'    {{"{command}",\n{lines}}},')
    print("    {0},\n};")


if __name__ == "__main__":
    main(*sys.argv[1:])
