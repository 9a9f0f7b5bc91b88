# SPDX-License-Identifier: MIT
"""
Compares networks of tabia with bullet, whose sources are given by path as compare.py has them; no GPU is needed.

    networks.py TABIA RANDOM_GAMES NETWORK_VALUES --bullet FOLDER --bulletformat FOLDER [--positions N]

- quantised.bin, written by bullet's own code from random weights, with one output and with eight: tabia imports and exports it
  without a change, and says of each position what the unquantised weights say, but for the rounding to whole centipawns.
- The inference of bullet's examples/simple.rs says the same as tabia to the centipawn, of that network and of one of this shape
  that `tabia train` made and tabia exported.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from compare import SKIPPED, Comparison, build_crate, run

WIDTH = 128  # accumulators of the example
ROUNDING = 2  # centipawns: three divisions that drop a remainder
SEED = 11


def build_bullet(bullet, bulletformat):
    """bullet.rs, beside those of bullet's files that it is made of."""
    simple = Path(bullet, "examples", "simple.rs").read_text()
    constants = [line for line in simple.splitlines() if line.startswith("const ")]
    _, inference = simple.split("// ============ EXAMPLE INFERENCE STARTS HERE ============")
    Path("bullet", "src").mkdir(parents=True)
    Path("bullet", "src", "example.rs").write_text("\n".join("pub " + line for line in constants) + inference)
    shutil.copy(Path(bullet, "crates", "bullet_lib", "src", "game", "inputs", "chess768.rs"), Path("bullet", "src"))
    crates = Path(bullet, "crates")
    return build_crate("bullet", {"bullet-compiler": crates / "compiler", "bullet-trainer": crates / "trainer", "bulletformat": bulletformat})


def numbers(text):
    return [float(line) for line in text.split()]


class Networks:
    def __init__(self, c, bullet, network_values):
        self.c, self.bullet, self.network_values = c, bullet, network_values

    def values(self, network):
        return numbers(run(self.network_values, network, "a.bullet"))

    def of_bullet(self, outputs):
        """Random weights, written there and read here."""
        self.c.say(f"{outputs} outputs: a network by bullet", self.compare_floats(outputs, f"q{outputs}.bin", f"n{outputs}.network"))
        run(self.c.tabia, "network", "export", f"n{outputs}.network", "--out", "again.bin")
        self.c.same_file(f"{outputs} outputs: quantised.bin, imported and exported", "again.bin", f"q{outputs}.bin")

    def compare_floats(self, outputs, quantised, network):
        run(self.bullet, "write", outputs, SEED, quantised)
        run(self.c.tabia, "network", "import", quantised, "--out", network, "--outputs", outputs)
        theirs, ours = numbers(run(self.bullet, "floats", outputs, SEED, "a.bullet")), self.values(network)
        differ = max(abs(a - b) for a, b in zip(theirs, ours))
        print(f"{outputs} outputs: {len(ours)} positions, {min(ours):.0f} to {max(ours):.0f} centipawns, at most {differ:.2f} from its floats")
        return len(theirs) == len(ours) and differ < ROUNDING

    def by_the_example(self, what, quantised, network):
        theirs = numbers(run(self.bullet, "example", quantised, "a.bullet"))
        self.c.say(f"{what}: values by examples/simple.rs, {len(theirs)} positions", theirs == self.values(network))


def compare(c, bullet, network_values):
    networks = Networks(c, bullet, network_values)
    c.games("a.viri", False)
    c.convert("a.viri", "a.bullet")
    for outputs in (1, 8):
        networks.of_bullet(outputs)
    networks.by_the_example("one output", "q1.bin", "n1.network")
    run(c.tabia, "train", "a.viri", "--out", "ours.network", "--width", WIDTH, "--outputs", 1, "--mirrored", "off", "--epochs", 1,
        "--synthetic-epochs", 0, "--quiet")
    run(c.tabia, "network", "export", "ours.network", "--out", "ours.bin")
    networks.by_the_example("trained by tabia", "ours.bin", "ours.network")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tabia", "random_games", "network_values"):
        parser.add_argument(name, type=os.path.abspath)
    for name in ("bullet", "bulletformat"):
        parser.add_argument("--" + name, type=os.path.abspath, metavar="FOLDER")
    parser.add_argument("--positions", type=int, default=100000)
    given = parser.parse_args()
    if not given.bullet or not given.bulletformat:
        print("no sources of bullet and of bulletformat are given: nothing is compared")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="tabia-networks-") as folder:
        os.chdir(folder)
        c = Comparison(given.tabia, given.random_games, given.positions)
        compare(c, build_bullet(given.bullet, given.bulletformat), given.network_values)
        os.chdir("/")
    sys.exit(1 if c.failed else 0)


if __name__ == "__main__":
    main()
