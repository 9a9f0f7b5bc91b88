/* SPDX-License-Identifier: MIT */
/* tabia-mpi and tabia-shogi-mpi: the programs that run on many machines. Which subcommand? */
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/transport.h"
#include "commands.h"
#include "mpi_commands.h"
#include "options.h"
#include "program.h"
#include "subcommands.h"
#include "version.h"

/* What Open MPI, and MPICH's launchers, tell their children. */
static const char *launcher_variable(const char *open_mpi, const char *mpich) {
    const char *value = getenv(open_mpi);
    return value ? value : getenv(mpich);
}

bool mpi_is_root(void) {
    const char *rank = launcher_variable("OMPI_COMM_WORLD_RANK", "PMI_RANK");
    return !rank || atoi(rank) == 0;
}

unsigned mpi_local_ranks(void) {
    const char *ranks = launcher_variable("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS");
    return ranks && atoi(ranks) > 0 ? (unsigned)atoi(ranks) : 1;
}

int mpi_report_error(const char *command, const TabiaError *error, int status) {
    fprintf(stderr, "%s %s: %s\n", program_texts.mpi_name, command, error->text);
    return status;
}

/* Is this process stopped, which has that parent? */
static bool is_stopped(pid_t process, pid_t parent) {
    char path[64], state = 0;
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const bool is_read = fscanf(file, "%*d (%*[^)]) %c %d", &state, &found) == 2;
    fclose(file);
    return is_read && state == 'T' && found == parent;
}

/* Those of this job here, which Open MPI would wait for under --enable-recovery. All have one parent. */
static void kill_stopped_ranks(void) {
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && (entry = readdir(processes));)
        if (is_stopped(atoi(entry->d_name), getppid())) kill(atoi(entry->d_name), SIGKILL);
    if (processes) closedir(processes);
}

/* A rank that stops for ever (SIGSTOP) on its way out, perhaps when all others have ended: only a child of its own can see
   it, and lets it continue. The pipe closes when this process ends. Its memory has been given back: the
   fork copies little. */
static void go_on_when_stopped(void) {
    enum { MILLISECONDS = 1000 };
    const pid_t launcher = getppid(), rank = getpid();
    int ends[2];
    if (pipe(ends) || fork()) return;
    close(ends[1]); /* the output has been closed */
    for (struct pollfd end = {.fd = ends[0]}; !poll(&end, 1, MILLISECONDS);) {
        if (!is_stopped(rank, launcher)) continue;
        fprintf(stderr, "%s: process %d was stopped at its end, and continues\n", program_texts.mpi_name, (int)rank);
        kill(rank, SIGCONT);
    }
    _exit(EXIT_GOOD);
}

/* Ranks are missing, and MPI_Finalize would wait for them. A rank that has nothing to report leaves the end to rank 0:
   the launcher kills all that live when the first one ends so, perhaps before rank 0 has written its result. */
static _Noreturn void end_job(int status) {
    enum { SECONDS = 60 };
    const bool recovers = getenv("OMPI_MCA_orte_enable_recovery") != NULL;
    struct timespec left = {.tv_sec = SECONDS};
    if (recovers) {
        kill_stopped_ranks();
        _exit(status); /* past the handlers of the MPI library */
    }
    while (status == EXIT_GOOD && !mpi_is_root() && nanosleep(&left, &left)) continue;
    tabia_transport_abort(status);
}

/* MPI_Finalize may not come back: where a rank has died or stopped meanwhile, or, rarely, as transport_mpi.c tells of
   MPICH. */
static void *end_after_timeout(void *status) {
    enum { SECONDS = 3 };
    struct timespec left = {.tv_sec = SECONDS};
    while (nanosleep(&left, &left)) continue;
    end_job(*(int *)status);
}

void mpi_exit(TabiaTransport *transport, bool orderly, int status) {
    pthread_t watch;
    status = close_output(program_texts.mpi_name, status);
    fflush(NULL);
    if (!orderly) end_job(status);
    go_on_when_stopped();
    pthread_create(&watch, NULL, end_after_timeout, &status);
    tabia_transport_close(transport, orderly);
    exit(status);
}

bool mpi_begin(TabiaTransport **transport, int *argc, char ***argv, TabiaError *error) {
    if (tabia_transport_mpi(transport, argc, argv, error)) return false;
    const char *ranks = launcher_variable("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    if (!ranks || atoi(ranks) < 2 || tabia_transport_ranks(*transport) > 1) return true;
    if (mpi_is_root())
        fprintf(stderr,
                "%s: was built with another MPI than this mpirun's, which started %s programs of one rank: use %s\n",
                program_texts.mpi_name, ranks, getenv("OMPI_COMM_WORLD_SIZE") ? "mpirun.mpich" : "mpirun.openmpi");
    mpi_exit(*transport, true, EXIT_USAGE);
}

static void usage(FILE *to) {
    fprintf(to,
            "%s " TABIA_VERSION "\n"
            "usage: mpirun -n RANKS %s %s  one rank for each core; help COMMAND tells more\n\n",
            program_texts.mpi_name, program_texts.mpi_name, mpi_command_alone ? "[COMMAND ...]" : "COMMAND ...");
    subcommands_print(mpi_commands, to);
    fputs("\nHow to run it on one machine, on several, and under Slurm: docs/cluster.md\n", to);
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return true;
    return false;
}

/* What needs no MPI is said by rank 0 alone. */
static int run(int argc, char **argv) {
    const char *name = program_texts.mpi_name;
    const bool named = argc > 1 && (subcommand_find(mpi_commands, argv[1]) || !strcmp(argv[1], "help"));
    if (mpi_command_alone && (argc < 2 || (!named && mpi_command_takes(argv[1]))))
        return mpi_command_alone->run(argc, argv);
    if (argc < 2) return mpi_is_root() ? usage(stderr), EXIT_USAGE : EXIT_USAGE;
    if (!mpi_is_root() && (!subcommand_find(mpi_commands, argv[1]) || asks_for_help(argc, argv))) return EXIT_GOOD;
    if (!strcmp(argv[1], "--version")) return version_print(name), EXIT_GOOD;
    const Subcommands commands = {name, "command", mpi_commands, usage, NULL};
    return subcommands_run(&commands, argc, argv);
}

/* Not reached by commands that end by mpi_exit. */
int main(int argc, char **argv) {
    return program_main(program_texts.mpi_name, run, argc, argv);
}
