#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The archives of `make dist`: unpacked in a folder with a blank, they have the files that their sums name, and their programs count, play and
serve without a library: those for ARM in emulation, those for Windows under wine. A second build, elsewhere, makes the same bytes.

    dist.py FOLDER OTHER_FOLDER COMPILER      FOLDER: the archives; OTHER_FOLDER: of the second build
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from programs import check

EMULATORS = {"linux-x86_64": [], "linux-arm64": ["qemu-aarch64"], "windows-x86_64": ["wine64"]}
NOTHING = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "PATH": f"{os.environ['PATH']}:/usr/lib/wine"}


def run(command, folder, text=""):
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, env=NOTHING, timeout=300, check=False)
    check(done.returncode == 0, f"{command}: {done.returncode} {done.stdout} {done.stderr}")
    return done.stdout


def runs(emulator, folder):
    """Counts, searches and the page. Programs of the system itself name no loader."""
    def program(name):
        return [*emulator, os.path.join(folder, name + (".exe" if emulator == ["wine64"] else ""))]
    if emulator != ["wine64"]:
        check("INTERP" not in run(["readelf", "-lW", program("tabia")[-1]], folder), f"{folder}: not static")
    check("Nodes searched: 4865609" in run([*program("tabia"), "perft", "5"], folder), "perft 5")
    check("Nodes searched: 719731" in run([*program("tabia-shogi"), "perft", "4"], folder), "perft 4 of shogi")
    check("bestmove" in run([*program("tabia"), "uci", "go depth 6"], folder), "uci")
    check("bestmove" in run([*program("tabia-shogi"), "usi", "go depth 4"], folder), "usi")
    for name in ("tabia-serve", "tabia-shogi-serve"):
        server = subprocess.Popen(program(name), stdout=subprocess.PIPE, text=True, env=NOTHING, cwd=folder)
        try:
            with urllib.request.urlopen(server.stdout.readline().strip(), timeout=60) as page:
                check(b"<!DOCTYPE html>" in page.read(), f"{name}: no page")
        finally:
            server.kill()
            server.communicate()


def tries(archive, name, folder):
    shutil.unpack_archive(archive, folder)
    (top,) = os.listdir(folder)
    top = os.path.join(folder, top)
    there = {os.path.relpath(os.path.join(place, one), top) for place, _, names in os.walk(top) for one in names}
    with open(os.path.join(top, "SHA256SUMS"), encoding="ascii") as file:
        named = set(re.findall(r"^[0-9a-f]{64}  (.+)$", file.read(), re.M))
    check(there == named | {"SHA256SUMS"} and len(named) > 10, f"{archive}: {there ^ named}")
    run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], top)
    if name.startswith("windows"):  # which zipfile unpacks without their modes
        run(["wine64", "wineboot", "--init"], top)
    runs(EMULATORS[name], top)


def main(folder, other, compiler):
    with open(os.path.join(folder, "SHA256SUMS"), encoding="ascii") as file:
        sums = file.read()
    run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], folder)
    for archive in re.findall(r"\S+$", sums, re.M):
        with tempfile.TemporaryDirectory(suffix=" blank") as made:
            NOTHING["WINEPREFIX"] = os.path.join(made, "wine")
            os.mkdir(os.path.join(made, "here"))
            tries(os.path.join(folder, archive), re.search(r"-((linux|windows)-\w+)\.", archive)[1], os.path.join(made, "here"))
            subprocess.run(["wineserver", "-k"], env=NOTHING, check=False)
    subprocess.run(["tools/dist", other, compiler], stdout=subprocess.DEVNULL, check=True)
    with open(os.path.join(other, "SHA256SUMS"), encoding="ascii") as file:
        again = file.read()
    check(again == sums, f"another build makes other bytes:\n{sums}\n{again}")
    print("the archives run where they are unpacked, and two builds make the same bytes")


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:3]), sys.argv[3])
