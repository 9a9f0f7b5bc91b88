/* SPDX-License-Identifier: MIT */
/*
 * The subcommands of `tabia-mpi`, which runs on the ranks of an MPI job. Each reads its options, starts MPI by
 * tabia_transport_mpi(), and ends by mpi_leave(). Exit statuses are those of commands.h, the same on all ranks.
 */
#pragma once
#include "base/fault.h"
#include "cluster/calibrate.h"
#include "distributed/perft/distributed_perft.h"
#include "lab/cluster_model/simulate.h"
#include "tabia/cluster.h"

int mpi_perft(int argc, char **argv);
int mpi_simulate(int argc, char **argv);
int mpi_uci(int argc, char **argv);
/* tabia-mpi simulate TRACE --check: its own command line, and its own start and end of MPI. */
int mpi_check(int argc, char **argv);

/* What ranks do between messages. */
typedef struct {
    const Position *root; /* a perft of it */
    uint64_t table_bytes; /* of each rank */
    double positions;     /* that a rank counts from one message to its next */
} MpiWork;

/* Measures what messages cost between ranks 0 and 1 while all ranks do such work. To be called by all; rank 0 gets the
   result. */
bool mpi_calibrate(TabiaTransport *t, const MpiWork *like, Calibration *result, Fault *fault);

/* Puts what was measured between two ranks, and here, in the place of the model's defaults. */
bool mpi_measured_costs(const Calibration *c, SimulateCosts *costs, Fault *fault);

/* Is this the rank that speaks? Known before MPI has started, by what mpirun tells its children. */
bool mpi_is_first(void);

/* How many ranks share this machine, from the same source; 1 if nobody says. */
unsigned mpi_ranks_here(void);

/* How many of them share a processor: 1 where each may have its own. */
unsigned mpi_ranks_a_processor(void);

/* Prints "tabia-mpi COMMAND: fault" to stderr and returns status. */
int mpi_complain(const char *command, const Fault *fault, int status);

/* Ends MPI and this process. all_well: all ranks do the same now; otherwise MPI is left without a farewell, which would
   wait for those who are dead. */
_Noreturn void mpi_leave(TabiaTransport *transport, bool all_well, int status);
