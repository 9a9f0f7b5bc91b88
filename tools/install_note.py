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

if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    print(__doc__.strip())
    sys.exit(0 if "--help" in sys.argv else 2)
if not os.environ.get("DESTDIR"):
    options = json.loads(subprocess.check_output(["meson", "introspect", sys.argv[1], "--buildoptions"]))
    option = {o["name"]: o["value"] for o in options}
    library = os.path.join(option["prefix"], option["libdir"])
    if option["prefix"] == "/usr/local":
        print("tabia: run ldconfig once, as root, so that the shared library is found")
    elif option["prefix"] != "/usr":
        print(f"tabia: export PKG_CONFIG_PATH={library}/pkgconfig LD_LIBRARY_PATH={library}")
    if not option["portable"]:
        print("tabia: built for the CPU of this machine; PORTABLE=1 builds for any of its architecture")
