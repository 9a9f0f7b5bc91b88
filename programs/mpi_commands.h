/* SPDX-License-Identifier: MIT */
/*
 * The subcommands of `tabia-mpi` and `tabia-shogi-mpi`, which run on the ranks of an MPI job. Each reads its options, starts MPI by
 * mpi_begin(), and ends by mpi_exit(). Exit statuses are those of commands.h, the same on all ranks.
 */
#pragma once
#include "base/error.h"
#include "subcommands.h"
#include "tabia/cluster.h"

/* Those of this program, to a row without a name, and the one that runs without any; NULL: none does. */
extern const Subcommand mpi_commands[];
extern const Subcommand *const mpi_command_alone;
/* Is the first argument a line for that one, as `tabia-mpi "go depth 5"`, or a command of it: `tabia-mpi go depth 5`? */
bool mpi_command_takes(const char *word);

int mpi_perft(int argc, char **argv);
int mpi_uci(int argc, char **argv);

/* Is this rank 0? Known before MPI has started, from the environment that mpirun sets. */
bool mpi_is_root(void);

/* How many ranks share this machine, from the same source; 1 if it is not set. */
unsigned mpi_local_ranks(void);

/* Prints "PROGRAM COMMAND: error" to stderr and returns status. */
int mpi_report_error(const char *command, const TabiaError *error, int status);

/* tabia_transport_mpi(). False with an error. Where the launcher of another MPI has begun several ranks that do not see each
   other, the first says so, and all end. */
bool mpi_begin(TabiaTransport **transport, int *argc, char ***argv, TabiaError *error);

/* Ends MPI and this process. orderly: all ranks do the same now; otherwise MPI is not finalized, because MPI_Finalize
   would wait for dead ranks. */
_Noreturn void mpi_exit(TabiaTransport *transport, bool orderly, int status);
