#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-shogi-mpi perft on 1, 2 and 3 ranks: exact, sibling sets are shared out; without a command it says how it is called.

shogi_mpi_perft.py KIND TABIA-SHOGI-MPI        KIND: openmpi or mpich
"""
import json
import sys

import mpi_jobs as mpi

MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"

kind, program = sys.argv[1:3]
mpi.skip_without(kind)


def run(ranks, *options):
    return mpi.finish(mpi.start([*mpi.launcher(kind, "shm"), "-n", str(ranks), program, *options]))


def exact(ranks, nodes, *options):
    status, out, errors = run(ranks, "perft", *options)
    mpi.check(status == 0 and mpi.total(out) == nodes, f"{ranks} ranks, {options}: status {status}, {mpi.total(out)} and not {nodes}; {errors}")
    return out


exact(1, 19861490, "5", "--quiet")
exact(3, 516925165, "4", "--sfen", MATSURI, "--hash", "4M")
exact(2, 19861490, "5", "--hash", "off")
mpi.check("7g7f: " in exact(2, 25470, "3", "--divide"), "--divide")
status, out, errors = run(2, "perft", "6", "--json")
figures = json.loads(out)
mpi.check(figures["nodes"] == 547581517 and figures["ranks"] == 2 and figures["sibling_sets_sent"] > 0
          and figures["sibling_sets_served"] == figures["sibling_sets_sent"] and figures["corrupt_messages"] == 0,
          f"--json printed {out}")
status, out, errors = run(1, "perft", "2", "--fen", "x")
mpi.check(status == 2 and "tabia-shogi-mpi perft: '--fen' is not understood" in errors, f"--fen: {status} {errors}")
status, out, errors = run(1)
mpi.check(status == 2 and "usage: mpirun -n RANKS tabia-shogi-mpi COMMAND" in errors, f"no command: {status} {errors}")
print("tabia-shogi-mpi perft is exact on 1, 2 and 3 ranks")
