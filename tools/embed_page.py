#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Writes the files of web/ as a C source, so that the program that serves them needs no files.

    embed_page.py FILE... >page_files.c
"""
import os
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".svg": "image/svg+xml"}


def main(paths):
    rows = []
    print("/* Made by tools/embed_page.py. */\n#include \"serve/page.h\"\n")
    for number, path in enumerate(sorted(paths, key=os.path.basename)):
        with open(path, "rb") as file:
            data = file.read()
        print(f"static const unsigned char file_{number}[] = {{")
        for at in range(0, len(data), 32):
            print("".join(f"{byte}," for byte in data[at:at + 32]))
        print("0};\n")
        name = os.path.basename(path)
        rows.append(f'    {{"{name}", "{TYPES[os.path.splitext(name)[1]]}", file_{number}, {len(data)}}},')
    print("const HttpFile page_files[] = {", *rows, "    {0},\n};", sep="\n")


main(sys.argv[1:])
