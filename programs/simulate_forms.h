/* SPDX-License-Identifier: MIT */
/* The command `simulate`, which a program with a transport runs with constants that it measures itself. */
#pragma once
#include "lab/cluster_model/simulate.h"

/* Sets what it can measure of *costs, and says in one line over what. False with a fault. */
typedef bool SimulateMeasure(void *context, SimulateCosts *costs, char about[120], Fault *fault);

/* Reads the command line, calls and prints; the exit status of commands.h. measure may be NULL. */
int simulate_command(int argc, char **argv, SimulateMeasure *measure, void *context);
