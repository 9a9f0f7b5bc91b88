/* SPDX-License-Identifier: MIT */
/*
 * The commands of `tabia-lab` and `tabia-shogi-lab`, one file each: options in, a call of src/lab, a table or JSON
 * out. argv[0] is the command's name; each returns the exit status (commands.h).
 */
#pragma once

int lab_hazard(int argc, char **argv);
int lab_simulate(int argc, char **argv);

/* Those below `table`. */
int table_audit(int argc, char **argv);
int table_bench(int argc, char **argv);
int table_stress(int argc, char **argv);
