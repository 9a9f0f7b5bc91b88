/* SPDX-License-Identifier: MIT */
/* tabia-mpi simulate: as tabia simulate, with constants that two ranks measure over the network between them. */
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "cluster/calibrate.h"
#include "commands.h"
#include "mpi_commands.h"
#include "notation/fen.h"
#include "simulate_forms.h"

bool mpi_measured_costs(const Calibration *c, SimulateCosts *costs, Fault *fault) {
    enum { APPLY_BYTES = 64 << 20 };
    costs->message = c->message, costs->entry = c->entry;
    costs->latency = c->latency, costs->look = c->empty_poll;
    if (costs->poll < c->poll_interval) costs->poll = c->poll_interval;
    return simulate_measure_apply(costs, APPLY_BYTES, fault);
}

static bool use_measured(void *context, SimulateCosts *costs, char about[120], Fault *fault) {
    if (!context) return true;
    snprintf(about, 120, "measured between ranks 0 and 1 (message, entry, latency, look, poll, apply)");
    return mpi_measured_costs(context, costs, fault);
}

/* As start 8 on two ranks. */
static bool calibrate(TabiaTransport *t, Calibration *result, Fault *fault) {
    Position start;
    const MpiWork like = {.root = &start, .table_bytes = 256 << 20, .positions = 16000};
    return fen_parse(&start, fen_start, fault) && mpi_calibrate(t, &like, result, fault);
}

int mpi_simulate(int argc, char **argv) {
    TabiaTransport *transport;
    TabiaReason why;
    Fault fault = {""};
    Calibration calibration;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--check") == 0) return mpi_check(argc, argv);
    if (tabia_transport_mpi(&transport, &argc, &argv, &why)) {
        tabia_fault(&fault, "%s", why.text);
        return mpi_complain("simulate", &fault, EXIT_OUTSIDE);
    }
    const bool several = transport->ranks > 1, first = transport->rank == 0;
    if (several && !calibrate(transport, &calibration, &fault)) {
        mpi_complain("simulate", &fault, EXIT_OUTSIDE);
        mpi_leave(transport, false, EXIT_OUTSIDE);
    }
    const int status = first ? simulate_command(argc, argv, use_measured, several ? &calibration : NULL) : EXIT_GOOD;
    mpi_leave(transport, true, status);
}
