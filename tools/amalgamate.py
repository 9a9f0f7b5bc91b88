#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes libtabia as two files, tabia.h and tabia.c, for programs that would rather compile it than link it.
#
#     tools/amalgamate.py DIRECTORY [--version 0.1.0]
#
# tabia.h is the public headers, whole. tabia.c is the rest, without comments, sources in turn; names that two of them use for
# different things get the source's name behind them. Atomic objects become plain ones that only __atomic builtins touch, which C++ has too.
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLIC = ["error", "versions", "options", "stats", "table", "entry", "counts", "record"]
BASE = ["error", "text", "time", "checksum", "memory_limit", "threads", "memory", "memory_windows", "file_calls",
        "file_calls_windows"]
TABLE = ["error", "options", "work", "segment", "allocate", "named_shape", "named", "named_windows", "table", "stats",
         "entry", "counts", "record", "move", "resize", "file_format", "file_io", "file_save", "file_load"]
# of these one is compiled, the second on Windows
OF_POSIX = {"memory", "file_calls", "named"}
NEEDS_CHECKSUM = {"checksum", "file_format", "file_io", "file_save", "file_load"}
SEARCHED = ["src", "include", "src/table", "src/base"]

LOCAL = re.compile(r'^[ \t]*#include "([^"]+)"[^\n]*\n', re.M)
# but those that not every processor or system has, which stay where they are
SYSTEM = re.compile(r"^[ \t]*#include <(?!emmintrin|sys/|windows|io\.h|fcntl|malloc)([^>]+)>[^\n]*\n", re.M)
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
ORDERS = {"memory_order_" + order: "__ATOMIC_" + order.upper() for order in ("relaxed", "acquire", "release", "acq_rel", "seq_cst")}
ATOMICS = {"atomic_load_explicit": "__atomic_load_n", "atomic_store_explicit": "__atomic_store_n",
           "atomic_fetch_add_explicit": "__atomic_fetch_add", "atomic_fetch_or_explicit": "__atomic_fetch_or",
           "atomic_exchange_explicit": "__atomic_exchange_n"}
EXCHANGE = re.compile(r"atomic_compare_exchange_(strong|weak)_explicit\(((?:[^;()]|\([^()]*\))*?),"
                      r"\s*(memory_order_\w+),\s*(memory_order_\w+)\)")
# what C converts from void * by itself, C++ by a cast
VOID = r"(?=(?:calloc|malloc|tabia_aligned_get|mmap)\(|(?:argument|context|data|m->at|t->memory\.at);)"
CASTS = [(r"((?:const |volatile |)\w+ \*)(\w+) =\s+" + VOID, r"\1\2 = (\1)"),
         (r"^(\s+)([\w.*\->\[\]]+) =\s+" + VOID, r"\1\2 = (__typeof__(\2))")]


def without_comments(text):
    text = TOKENS.sub(lambda m: " " if m.group().startswith("/") else m.group(), text)
    text = re.sub(r"[ \t]+\n", "\n", text)
    return re.sub(r"\n{2,}", "\n", text).lstrip("\n")


def with_plain_atomics(text):
    text = EXCHANGE.sub(lambda m: f"__atomic_compare_exchange_n({m[2]}, {'true' if m[1] == 'weak' else 'false'}, {m[3]}, {m[4]})", text)
    text = re.sub(r"\batomic_init\((.*?), (\w+)\)", r"__atomic_store_n(\1, \2, __ATOMIC_RELAXED)", text.replace("_Atomic ", ""))
    for pattern, cast in CASTS:
        text = re.sub(pattern, cast, text, flags=re.M)
    return re.sub(r"\b\w+\b", lambda m: ATOMICS.get(m[0], ORDERS.get(m[0], m[0])), text)


class Writer:
    """The texts in the order in which they are needed, each header once."""

    def __init__(self):
        self.seen, self.system = set(), []

    def found(self, name, beside):
        for folder in [beside] + [ROOT / s for s in SEARCHED]:
            if (folder / name).is_file():
                return (folder / name).resolve()
        sys.exit(f"amalgamate.py: {name}: in none of {', '.join(SEARCHED)}")

    def text_of(self, path):
        """A file and, in front of it, what it includes and was not yet there."""
        path = pathlib.Path(path).resolve()
        if path in self.seen:
            return ""
        self.seen.add(path)
        text, before = path.read_text(), ""
        for name in LOCAL.findall(text):
            before += self.text_of(self.found(name, path.parent))
        self.system += [h for h in SYSTEM.findall(text) if h not in self.system and h not in ("stdatomic.h", "xxhash.h")]
        text = SYSTEM.sub("", LOCAL.sub("", text))
        text = re.sub(r"^#(pragma once|define _GNU_SOURCE|define XXH_INLINE_ALL)\n", "", text, flags=re.M)
        return before + with_plain_atomics(without_comments(text))


def public_text(name):
    text = (ROOT / "include/tabia" / f"{name}.h").read_text()
    text = LOCAL.sub("", text).replace("/* SPDX-License-Identifier: MIT */\n", "")
    return re.sub(r"\n{3,}", "\n\n", text) + "\n"


DEFINES = [r"^(?:static|INLINE|NOINLINE)\b[^=;(\n]*?\b(\w+)\(", r"^static\b[^=;(\n]*?\b(\w+)(?:\[[^\]]*\])*(?: =|;)",
           r"^\} (\w+);", r"^#define (\w+)", r"^struct (\w+) \{", r"^typedef [^{;]*\b(\w+)(?:\[\w*\])?;"]


def own_names(text):
    names = set(re.findall(r"^static const EntryMode (\w+)", text, re.M))
    for pattern in DEFINES:
        names.update(re.findall(pattern, text, re.M))
    for body in re.findall(r"\benum \{([^}]*)\}", text):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    return {n for n in names if not n.lower().startswith("tabia")} - {"static", "struct", "X"}


def renamed(text, names, suffix):
    def new(m):
        return m[0] + suffix if m[0] in names else m[0]
    words = r"(?<![.\w])(?<!->)\b[A-Za-z_]\w*\b"
    pieces = re.split(r'("(?:\\.|[^"\\\n])*")', text)
    return "".join(p if i % 2 else re.sub(words, new, p) for i, p in enumerate(pieces))


def sources():
    return [ROOT / "src/base" / f"{n}.c" for n in BASE] + [ROOT / "src/table" / f"{n}.c" for n in TABLE]


def source_texts(writer):
    """Headers' and sources' texts in turn, names that several sources have made different."""
    texts = []
    for path in sources():
        headers = "".join(writer.text_of(writer.found(n, path.parent)) for n in LOCAL.findall(path.read_text()))
        texts.append((path, headers, writer.text_of(path)))
    users = {}
    shared = own_names("".join(headers for _, headers, _ in texts))  # what a header declares has one name
    for path, _, body in texts:
        for name in own_names(body):
            users.setdefault(name, []).append(path)
    out = []
    for path, headers, body in texts:
        twice = {n for n in own_names(body) - shared if len(users[n]) > 1}
        macros = "".join(f"#undef {n}\n" for n in re.findall(r"^#define (\w+)", body, re.M) if n in users)
        suffix = ("_of_base_" if path.parent.name == "base" else "_of_") + path.stem
        out.append((path, headers, renamed(body + macros, twice, suffix)))
    return out


def for_system(stem, body):
    """A source of one kind of system, so that it is nothing on the other."""
    windows = stem.endswith("_windows")
    return f"#if{'' if windows else 'n'}def _WIN32\n{body}#endif\n" if windows or stem in OF_POSIX else body


FOR_CPP = """#pragma GCC diagnostic ignored "-Wpedantic" /* 128-bit integers */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wc++20-designator"
#pragma GCC diagnostic ignored "-Wc99-extensions"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#else
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wc++20-extensions"
#endif
#define _Static_assert static_assert
#define _Alignas alignas
#define _Alignof alignof
#endif
"""
FIRST = """/* SPDX-License-Identifier: MIT */
/* libtabia {version}, {what}. Made by tools/amalgamate.py: change the sources, not this. */
"""


def header(writer, version):
    text = FIRST.format(version=version, what="its public headers, in one file")
    text += "#ifndef TABIA_AMALGAMATED_H\n#define TABIA_AMALGAMATED_H\n"
    text += f'#define TABIA_AMALGAMATION "{version}"\n'
    for name in PUBLIC:
        writer.seen.add((ROOT / "include/tabia" / f"{name}.h").resolve())
        text += public_text(name)
    return text + "#endif\n"


NO_FILES = """#else
int tabia_table_save(const TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error) {
    (void)table, (void)watch;
    return tabia_error_set(error, TABIA_ERROR_UNSUPPORTED, "%s: built without xxhash.h, tables cannot be saved", path);
}
int tabia_table_load(TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error) {
    (void)table, (void)watch;
    return tabia_error_set(error, TABIA_ERROR_UNSUPPORTED, "%s: built without xxhash.h, tables cannot be loaded", path);
}
#endif
"""


def implementation(writer, version):
    plain, files = "", ""
    for path, headers, body in source_texts(writer):
        body = for_system(path.stem, body)
        part = f"/* {path.relative_to(ROOT / 'src')} */\n" + headers + body
        if path.stem in NEEDS_CHECKSUM:
            files += part
        else:
            plain += part
    system = "".join(f"#include <{h}>\n" for h in writer.system)
    return f"""{FIRST.format(version=version, what="the library")}#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define __USE_MINGW_ANSI_STDIO 1
#endif
#include "tabia.h"
#pragma GCC diagnostic ignored "-Wunused-function"
#if defined(__cplusplus) && !defined(__clang__) /* C++ has opinions on enums; GCC's own AVX-512 is called uninitialized */
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
{system}{FOR_CPP}#ifndef TABIA_VERSION
#define TABIA_VERSION TABIA_AMALGAMATION
#endif
{plain}/* ---- files: with the checksum of xxhash.h, where there is one ---- */
#if defined(__has_include)
#if __has_include(<xxhash.h>)
#define TABIA_FILES
#endif
#endif
#ifdef TABIA_FILES
#define XXH_INLINE_ALL
#include <xxhash.h>
{files}{NO_FILES}"""


def main():
    arguments = argparse.ArgumentParser(description="Writes libtabia as tabia.h and tabia.c.")
    arguments.add_argument("directory", type=pathlib.Path)
    arguments.add_argument("--version", help="what tabia_version() says; the project's by default")
    asked = arguments.parse_args()
    version = asked.version or re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())[1]
    writer = Writer()
    texts = {"tabia.h": header(writer, version)}
    texts["tabia.c"] = implementation(writer, version)
    try:
        asked.directory.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (asked.directory / name).write_text(text)
            print(f"{asked.directory / name}: {text.count(chr(10))} lines")
    except OSError as error:
        sys.exit(f"amalgamate.py: {error}")


if __name__ == "__main__":
    main()
