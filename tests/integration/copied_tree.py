#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tree that was copied or moved with its build folder is built where it is, and the tree it came from is left alone; files
dated in the future are built once; `make install` installs what was built. With the Makefile and the tools of this tree around
a program of one file.

copied_tree.py ROOT COMPILER
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT, COMPILER = sys.argv[1:3]
PROJECT = """project('tabia', 'c', meson_version: '>=0.61')
executable('tabia', 'tabia.c', c_args: get_option('portable') ? '-DKIND="portable"' : '-DKIND="native"', install: true)
"""
PROGRAM = '#include <stdio.h>\nint main(void) { return puts("%s, " KIND) < 0; }\n'
AS_THE_FIRST = ["PORTABLE=1", "PREFIX=/opt/first", f"CC={COMPILER}"]
LEAVE_OUT = {"CC", "CFLAGS", "DESTDIR", "PREFIX", "PORTABLE", "EXE", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in LEAVE_OUT}


def fail(text):
    sys.exit(f"copied_tree: {text}")


def make(tree, *words):
    done = subprocess.run(["make", *words], cwd=tree, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        fail(f"make {words} in {os.path.basename(tree)}: status {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout + done.stderr


def says(program, text):
    said = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True).stdout.strip()
    if said != text:
        fail(f"{program} says '{said}' instead of '{text}'")


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def new_tree(tree):
    os.makedirs(f"{tree}/tools")
    for name in ("Makefile", "meson_options.txt", "tools/configure", "tools/setup", "tools/install_note.py"):
        shutil.copy(f"{ROOT}/{name}", f"{tree}/{name}")
    write(f"{tree}/meson.build", PROJECT)
    write(f"{tree}/tabia.c", PROGRAM % "first")


def contents(tree):
    """Of every file: when it was written, and what."""
    found = {}
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = os.stat(path).st_mtime_ns, file.read()
    return found


def unchanged(tree, before, what):
    after = contents(tree)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    if changed:
        fail(f"{what} changed in the tree it came from: {changed[:5]}")


def copies_and_moves(folder, first):
    before = contents(first)
    for name, copy in (("second", shutil.copy2), ("third", shutil.copyfile)):
        tree = f"{folder}/{name}"
        shutil.copytree(first, tree, copy_function=copy)
        for script in os.listdir(f"{tree}/tools"):
            os.chmod(f"{tree}/tools/{script}", 0o755)
        write(f"{tree}/tabia.c", PROGRAM % name)
        write(f"{tree}/meson.build", PROJECT + "# later\n")
        make(tree, *AS_THE_FIRST)
        unchanged(first, before, f"make in a copy ({copy.__name__})")
        says(f"{tree}/build/tabia", f"{name}, portable")
    os.rename(f"{folder}/third", f"{folder}/moved")
    write(f"{folder}/moved/meson.build", PROJECT + "# later still\n")
    make(f"{folder}/moved", *AS_THE_FIRST)
    says(f"{folder}/moved/build/tabia", "third, portable")
    if os.path.exists(f"{folder}/third"):
        fail("make in a moved tree wrote where it had been")


def dated_in_the_future(tree):
    for name in ("meson.build", "tabia.c"):
        os.utime(f"{tree}/{name}", (time.time() + 86400,) * 2)
    make(tree, *AS_THE_FIRST)
    again = make(tree, *AS_THE_FIRST)
    if "no work to do" not in again:
        fail(f"files dated in the future are built again and again: {again}")


def installs_what_was_built(folder, tree):
    built = contents(tree)[f"{tree}/build/tabia"]
    for words, place in ((["DESTDIR=" + folder + "/a"], "a/opt/first/bin"), (["PREFIX=" + folder + "/b"], "b/bin")):
        make(tree, "install", *words)
        says(f"{folder}/{place}/tabia", "first, portable")
        if contents(tree)[f"{tree}/build/tabia"] != built:
            fail(f"make install {words} built it again")
    write(f"{tree}/tabia.c", PROGRAM % "changed")
    make(tree, "install")
    says(f"{folder}/b/bin/tabia", "changed, portable")
    make(tree, "install", "PORTABLE=0")
    says(f"{folder}/b/bin/tabia", "changed, native")
    make(tree, "uninstall")
    if os.path.exists(f"{folder}/b/bin/tabia"):
        fail("make uninstall left what was installed")


def main(folder):
    first = f"{folder}/first"
    new_tree(first)
    make(first, "install", *AS_THE_FIRST, f"DESTDIR={folder}/at-once")
    says(f"{folder}/at-once/opt/first/bin/tabia", "first, portable")
    copies_and_moves(folder, first)
    dated_in_the_future(f"{folder}/second")
    installs_what_was_built(folder, first)


if not shutil.which("make"):
    print("skipped: no make on this machine")
    sys.exit(77)
with tempfile.TemporaryDirectory() as place:
    main(os.path.realpath(place))
