/* SPDX-License-Identifier: MIT */
/* Measurements as text, as JSON and as plots. */
#pragma once
#include "base/json.h"
#include "bench.h"
#include <stdio.h>

/* What all figures depend on. */
typedef struct {
    char processor[128];
    unsigned processors; /* that this process may use */
    uint64_t memory;     /* bytes in all */
} BenchMachine;
void bench_machine(BenchMachine *machine);

/* An aligned table with a head, notes below, and an empty line. */
void bench_print(FILE *out, const BenchTable *t);

/* The same as one JSON object, with every sample. */
void bench_json(Json *json, const BenchTable *t);

/* Plots of the tables that have rows for several numbers of threads: figures over threads, and, where there are
   ratios, these. Several experiments lie one below the other in one file. */
typedef struct BenchPlots BenchPlots;
BenchPlots *bench_plots_new(void);
/* Copies what it needs. False if there is no memory. */
bool bench_plots_add(BenchPlots *plots, const BenchTable *t);
bool bench_plots_write(const BenchPlots *plots, const char *path, TabiaError *error);
void bench_plots_free(BenchPlots *plots);
