/* SPDX-License-Identifier: MIT */
/* The command `simulate`; a program with a transport passes a function that measures the constants. */
#pragma once
#include "lab/cluster_model/model.h"

/* Sets the constants that it can measure, and describes them in one line. False with an error. */
typedef bool ModelMeasure(void *context, ModelCosts *costs, char about[120], TabiaError *error);

/* Reads the command line, calls and prints; the exit status of commands.h. measure may be NULL. */
int simulate_command(int argc, char **argv, ModelMeasure *measure, void *context);
