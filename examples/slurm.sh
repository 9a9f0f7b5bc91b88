#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A perft on many nodes under Slurm: sbatch examples/slurm.sh [DEPTH [more options of tabia-mpi perft]]
#
# Edit the next lines: nodes, ranks on each (one for each core), the time limit, and memory: --hash below is that of each
# rank, so nodes need ranks * hash and some hundred MB more.
#
#SBATCH --job-name=tabia
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=tabia-%j.out

set -eu
depth=${1:-11}
[ $# -gt 0 ] && shift

# The ledger must lie where every node that may become the first one sees it. A job that is killed, requeued or submitted
# again resumes from it, also with another number of nodes.
ledger=${LEDGER:-$SLURM_SUBMIT_DIR/perft-$depth.ledger}
program=${TABIA_MPI:-$SLURM_SUBMIT_DIR/build/tabia-mpi}

# Two minutes before the time limit Slurm sends TERM to mpirun, which ends all ranks; what was finished is in the ledger.
# Inside a Slurm job Open MPI learns nodes and ranks from Slurm. The settings are explained in docs/cluster.md.
exec mpirun --enable-recovery --continuous --bind-to core --mca pml ob1 \
    "$program" perft "$depth" --hash "${HASH:-2G}" --ledger "$ledger" "$@"
