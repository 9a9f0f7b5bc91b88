#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Says what to set so that what `make install` put there is found, and for which processors it was built. Nothing under DESTDIR, where
packages are made.

    tools/install_note.py BUILD
"""
import json
import os
import subprocess
import sys


def options(folder):
    told = subprocess.run(["meson", "introspect", folder, "--buildoptions"], capture_output=True, text=True, check=True).stdout
    return {option["name"]: option["value"] for option in json.loads(told)}


def notes(option):
    library = os.path.join(option["prefix"], option["libdir"])
    if option["prefix"] == "/usr/local":
        yield "run ldconfig once, as root, so that the shared library is found"
    elif option["prefix"] != "/usr":
        yield f"export PKG_CONFIG_PATH={library}/pkgconfig LD_LIBRARY_PATH={library}"
    if not option["portable"]:
        yield "built for the CPU of this machine; PORTABLE=1 builds for any of its architecture"


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__.strip())
    if not os.environ.get("DESTDIR"):
        for note in notes(options(arguments[0])):
            print("tabia: " + note)


main(sys.argv[1:])
