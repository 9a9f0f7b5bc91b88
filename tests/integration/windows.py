# SPDX-License-Identifier: MIT
"""
libtabia on Windows, by mingw-w64 and wine: the two files of the amalgamation do what they do here and save the same bytes;
the library is compiled by meson, as a DLL and static, and a program of memory, threads, files and named memory runs with both.

    windows.py ROOT WINE_FOLDER      wine keeps its files there, which take it half a minute to make
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from installed import check, run, skip

ROOT, PREFIX = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CC = "x86_64-w64-mingw32-gcc"
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]
SAID = "4 threads: no wrong entry\nsaved and loaded\nmemory\ntwo processes\n"
HELPERS = os.path.join(ROOT, "tests/helpers")


def under_wine(wine, program, *arguments, **more):
    environment = {**os.environ, "WINEPREFIX": PREFIX, "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", **more}
    return run(wine, program, *arguments, cwd=os.path.dirname(program), env=environment).replace("\r\n", "\n")


def amalgamation(wine, folder):
    """With vectors, and without; beside the same program of this system."""
    run(sys.executable, os.path.join(ROOT, "tools/amalgamate.py"), folder)
    user, library = os.path.join(HELPERS, "amalgamation_user.c"), os.path.join(folder, "tabia.c")
    here = os.path.join(folder, "here")
    run("cc", "-std=c11", "-O1", "-I" + folder, user, library, "-o", here, "-pthread")
    wanted, saved = run(here, "here.tt", cwd=folder), os.path.join(folder, "here.tt")
    for number, more in enumerate(([], ["-march=haswell", "-DNDEBUG"])):
        program = os.path.join(folder, f"user{number}.exe")
        run(CC, *FLAGS, *more, "-I" + folder, user, library, "-o", program, "-static", "-pthread")
        said = under_wine(wine, program, f"wine{number}.tt")
        check(said == wanted, f"amalgamation {more}: {said!r} instead of {wanted!r}")
        with open(saved, "rb") as a, open(os.path.join(folder, f"wine{number}.tt"), "rb") as b:
            check(a.read() == b.read(), f"amalgamation {more}: another file was saved")


def library(wine, folder):
    """By meson; the header of the checksum is that of this system, which needs nothing of it."""
    build, target = os.path.join(folder, "build"), os.path.join(folder, "target")
    run("meson", "setup", build, ROOT, "--cross-file", os.path.join(ROOT, "packaging/mingw-w64.ini"), "-Dprograms=false",
        "-Dportable=true", f"-Dc_args=-I{folder}", "--prefix", target, "--werror")
    run("meson", "install", "-C", build)
    user = os.path.join(HELPERS, "platform_use.c")
    threads = glob.glob("/usr/x86_64-w64-mingw32/lib/libwinpthread-1.dll") + glob.glob("/usr/lib/gcc/x86_64-w64-mingw32/*/libgcc_s_seh-1.dll")
    for dll in glob.glob(os.path.join(target, "bin/*.dll")) + threads:
        shutil.copy(dll, folder)
    for kind in ("shared", "static"):
        program = os.path.join(folder, f"platform_{kind}.exe")
        libraries = ["-L" + os.path.join(target, "lib"), "-ltabia"] if kind == "shared" else [os.path.join(target, "lib/libtabia.a")]
        run(CC, *FLAGS, "-I" + os.path.join(target, "include"), user, *libraries, "-o", program, *(["-static"] if kind == "static" else []),
            "-pthread")
        said = under_wine(wine, program, ".", "test")
        check(said == SAID, f"{kind} library: {said}")


def main():
    os.environ["PATH"] += ":/usr/lib/wine"  # where Debian has wine64, and wineserver
    wine = shutil.which("wine64") or shutil.which("wine")
    if os.uname().machine != "x86_64":
        skip("the programs are for x86-64")
    for tool, found in ((CC, shutil.which(CC)), ("wine", wine), ("meson", shutil.which("meson"))):
        if not found:
            skip(f"no {tool} on this machine")
    if not os.path.exists("/usr/include/xxhash.h"):
        skip("no xxhash.h in /usr/include")
    os.makedirs(PREFIX, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy("/usr/include/xxhash.h", folder)
        try:
            amalgamation(wine, folder)
            library(wine, folder)
        finally:
            subprocess.run(["wineserver", "-k"], env={**os.environ, "WINEPREFIX": PREFIX}, capture_output=True, check=False)
    print("libtabia on Windows: the two files, the DLL and the static library, under wine")


if __name__ == "__main__":
    main()
