/* SPDX-License-Identifier: MIT */
/* tabia-mpi simulate: as tabia simulate, with constants that two ranks measure over the network between them. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "lab/cluster_model/calibration_work.h"
#include "mpi_commands.h"
#include "notation/fen.h"
#include "simulate_forms.h"

static bool use_measured(void *context, ModelCosts *costs, char about[120], TabiaError *error) {
    if (!context) return true;
    snprintf(about, 120, "measured between ranks 0 and 1 (message, entry, latency, empty_poll, poll_interval, apply)");
    return model_costs_calibrate(costs, context, error);
}

/* With the work of start 8 on two ranks. */
static bool calibrate(TabiaTransport *t, Calibration *result, TabiaError *error) {
    Position start;
    const CalibrationWork work = {.root = &start,
                                  .table_bytes = 256 << 20,
                                  .positions_per_message = 16000,
                                  .ranks_per_processor = mpi_ranks_per_processor()};
    return fen_parse(&start, fen_start, error) && calibrate_while_counting(t, &work, result, error);
}

int mpi_simulate(int argc, char **argv) {
    TabiaTransport *transport;
    TabiaError error = {0};
    Calibration calibration;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--check") == 0) return mpi_check(argc, argv);
    if (tabia_transport_mpi(&transport, &argc, &argv, &error))
        return mpi_report_error("simulate", &error, EXIT_OUTSIDE);
    const bool several = transport->ranks > 1, first = transport->rank == 0;
    if (several && !calibrate(transport, &calibration, &error)) {
        mpi_report_error("simulate", &error, EXIT_OUTSIDE);
        mpi_exit(transport, false, EXIT_OUTSIDE);
    }
    const int status = first ? simulate_command(argc, argv, use_measured, several ? &calibration : NULL) : EXIT_GOOD;
    mpi_exit(transport, true, status);
}
