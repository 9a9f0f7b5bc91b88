# SPDX-License-Identifier: MIT
"""What the tests of what is installed share: installing into an empty folder, and building outside the tree."""

import fcntl
import os
import shutil
import subprocess
import sys

from programs import check


def run(*command, **more):
    """What the command prints; ends the test if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **more)
    check(done.returncode == 0, f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def install(build, target):
    """Installs under target. `make uninstall` goes by meson's log of the last install, which is put back: one test at a time."""
    log, kept = os.path.join(build, "meson-logs/install-log.txt"), None
    with open(os.path.join(build, "meson-logs/install-test.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(log):
            with open(log, "rb") as file:
                kept = file.read()
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", target)
        if kept is None:
            os.remove(log)
        else:
            with open(log, "wb") as file:
                file.write(kept)


def find(target, name):
    """The only file of that name under target."""
    found = [os.path.join(place, name) for place, _, names in os.walk(target) if name in names]
    check(len(found) == 1, f"{name}: installed {len(found)} times")
    return found[0]


class Outside:
    """A folder outside the tree, and an environment that knows an installed library and nothing of the tree."""

    def __init__(self, target, folder, package="tabia"):
        pc = find(target, f"{package}.pc")
        self.folder, self.package = folder, package
        self.library = find(target, f"lib{package}.so.0")
        self.environment = {**os.environ, "PKG_CONFIG_PATH": os.path.dirname(pc), "PKG_CONFIG_SYSROOT_DIR": target,
                            "LD_LIBRARY_PATH": os.path.dirname(self.library)}

    def build(self, compiler, source, program, *flags, static=False):
        """Compiles the way that the documents say."""
        shutil.copy(source, self.folder)
        ask = ("pkg-config", "--cflags", "--libs", *(["--static"] if static else []), self.package)
        words = run(*ask, env=self.environment).split()
        flags = [*flags, "-static"] if static else flags
        run(compiler, *flags, os.path.basename(source), *words, "-pthread", "-o", program, cwd=self.folder, env=self.environment)
        program = os.path.join(self.folder, program)
        if shutil.which("objdump"):
            check((f"lib{self.package}.so." in run("objdump", "-p", program)) != static, f"{program}: linked by the other library")
        return program

    def run(self, program, *arguments):
        return run(program, *arguments, env=self.environment)
