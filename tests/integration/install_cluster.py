#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs libtabia-cluster into an empty folder and uses it as others will, on 2 and 4 ranks.

install_cluster.py KIND PACKAGE ROOT BUILD VERSION        KIND: openmpi or mpich; PACKAGE: tabia-cluster or tabia-cluster-mpich
"""
import os
import re
import shutil
import sys
import tempfile

import mpi_jobs as mpi
from installed import Outside, check, find, install, run, skip

KIND, PACKAGE, ROOT, BUILD, VERSION = sys.argv[1:6]
WARN = ("-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-cast-function-type")
LINE = re.compile(r"rank (\d) of (\d): of (\d+) positions \d+ found at once, (\d+) later, (\d+) wrong; (\d+) requested from other ranks, (\d+) found there")


def on_ranks(outside, ranks, net, program):
    """What a job of so many ranks prints; they find the library where it was installed."""
    library = {"LD_LIBRARY_PATH": outside.environment["LD_LIBRARY_PATH"]}
    os.environ.update(library)
    status, out, errors = mpi.finish(mpi.start([*mpi.launcher(KIND, net), "-n", str(ranks), program]))
    check(status == 0, f"{ranks} ranks of {program}, {net}: status {status}\n{out}{errors}")
    return out


def check_shape(target, outside):
    for name in ("cluster.h", "cluster.c", f"lib{PACKAGE}.a"):
        find(target, name)
    check(run("pkg-config", "--modversion", PACKAGE, env=outside.environment).strip() == VERSION, "its .pc: version")
    needs = run("pkg-config", "--print-requires", PACKAGE, env=outside.environment)
    check(f"tabia = {VERSION}\n" in needs and {"openmpi": "ompi-c", "mpich": "mpich"}[KIND] in needs, f"requires {needs}")
    check(os.path.realpath(outside.library).endswith(f"lib{PACKAGE}.so.{VERSION}"), "the library's file lacks the version")
    if shutil.which("objdump"):
        soname = re.search(r"SONAME\s+(\S+)", run("objdump", "-p", outside.library)).group(1)
        check(soname == f"lib{PACKAGE}.so." + VERSION.split(".")[0], f"soname {soname}")


def build_static(outside, target, source, program):
    """Against the archives, by their names: MPI itself is seldom there as one."""
    archives = [find(target, name) for name in (f"lib{PACKAGE}.a", "libtabia.a")]
    include = os.path.dirname(os.path.dirname(find(target, "cluster.h")))
    run(f"mpicc.{KIND}", *WARN, "-I" + include, source, *archives, "-pthread", "-o", program, cwd=outside.folder)
    return os.path.join(outside.folder, program)


def check_example(outside, program, ranks, net):
    """All ranks find nearly all; what was lost on the way is a miss, and nothing is wrong."""
    found = LINE.findall(on_ranks(outside, ranks, net, program))
    check(sorted(int(rank) for rank, *_ in found) == list(range(ranks)), f"{program}, {ranks} ranks: {found}")
    for rank, of, positions, known, wrong, asked, there in (map(int, words) for words in found):
        check(of == ranks and known > 0.95 * positions and wrong == 0 and there > asked / 2 > positions / ranks / 10,
              f"{program}: rank {rank} of {ranks}: {known} known of {positions}, {wrong} wrong, {asked} asked, {there} there")


def main():
    for tool in ("meson", "pkg-config", f"mpicc.{KIND}", f"mpirun.{KIND}"):
        if not shutil.which(tool):
            skip(f"no {tool} on this machine")
    helper, languages = os.path.join(ROOT, "tests/helpers/cluster_use.c"), ["C"]
    example = os.path.join(ROOT, "examples/cluster.c")
    with tempfile.TemporaryDirectory() as target, tempfile.TemporaryDirectory() as folder:
        install(BUILD, target)
        outside = Outside(target, folder, PACKAGE)
        check_shape(target, outside)
        shared = outside.build(f"mpicc.{KIND}", example, "cluster", "-std=c17", *WARN)
        for ranks, net in ((2, "shm"), (2, "tcp"), (4, "shm")):
            check_example(outside, shared, ranks, net)
        check_example(outside, build_static(outside, target, example, "cluster_static"), 2, "shm")
        programs = [outside.build(f"mpicc.{KIND}", helper, "use_c", "-std=c17", *WARN)]
        if shutil.which(f"mpicxx.{KIND}"):
            programs.append(outside.build(f"mpicxx.{KIND}", helper, "use_cpp", "-x", "c++", "-std=c++20", *WARN))
            languages.append("C++")
        for program in programs:
            for ranks in (2, 4):
                out = on_ranks(outside, ranks, "shm", program)
                check(out.count("well") == ranks, f"{program} on {ranks} ranks: {out}")
    print(f"{PACKAGE} installed and used from {' and '.join(languages)} on 2 and 4 ranks")


if __name__ == "__main__":
    main()
