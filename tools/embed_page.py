#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Writes the files of web/ as a C source, so that the program that serves them needs no files. NAME=FILE: a file under another name.

    embed_page.py [NAME=]FILE... >page_files.c
"""
import os
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}


def main(arguments):
    if not arguments or {"-h", "--help"} & set(arguments):
        print(__doc__.strip())
        sys.exit(0 if arguments else 2)
    named = {name or os.path.basename(path): path for name, _, path in (argument.rpartition("=") for argument in arguments)}
    rows = []
    print("/* Made by tools/embed_page.py. */\n#include \"serve/page.h\"\n")
    for number, (name, path) in enumerate(sorted(named.items())):
        with open(path, "rb") as file:
            data = file.read()
        print(f"static const unsigned char file_{number}[] = {{")
        for at in range(0, len(data), 32):
            print("".join(f"{byte}," for byte in data[at:at + 32]))
        print("0};\n")
        rows.append(f'    {{"{name}", "{TYPES[os.path.splitext(name)[1]]}", file_{number}, {len(data)}}},')
    print("const HttpFile page_files[] = {", *rows, "    {0},\n};", sep="\n")


main(sys.argv[1:])
