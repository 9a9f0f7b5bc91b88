#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Says what to set so that what `make install` put there is found, and for which processors it was built. Nothing under DESTDIR, where
packages are made.

    tools/install_note.py BUILD
"""
import argparse
import json
import os
import subprocess


def options(folder):
    printed = subprocess.run(["meson", "introspect", folder, "--buildoptions"], capture_output=True, text=True, check=True).stdout
    return {option["name"]: option["value"] for option in json.loads(printed)}


def notes(option):
    library = os.path.join(option["prefix"], option["libdir"])
    if option["prefix"] == "/usr/local":
        yield "run ldconfig once, as root, so that the shared library is found"
    elif option["prefix"] != "/usr":
        yield f"export PKG_CONFIG_PATH={library}/pkgconfig LD_LIBRARY_PATH={library}"
    if not option["portable"]:
        yield "built for the CPU of this machine; PORTABLE=1 builds for any of its architecture"


def main():
    parser = argparse.ArgumentParser(prog="tools/install_note.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD")
    build = parser.parse_args().build
    if not os.environ.get("DESTDIR"):
        for note in notes(options(build)):
            print("tabia: " + note)


main()
