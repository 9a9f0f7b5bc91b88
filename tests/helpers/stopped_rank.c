/* SPDX-License-Identifier: MIT */
/* Stops one rank of a job for ever, "before" MPI_Finalize or "after" it. Loaded before the program (LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int MPI_Finalize(void);

static void stop(const char *when) {
    const char *rank = getenv(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
    if (rank && !strcmp(rank, getenv("STOP_RANK")) && !strcmp(when, getenv("STOP_WHEN"))) raise(SIGSTOP);
}

int MPI_Finalize(void) {
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
    stop("before");
    const int code = finalize();
    stop("after");
    return code;
}
