/* SPDX-License-Identifier: MIT */
/* The experiments of `tabia table`, one file each: options in, a call of src/lab, a table, JSON or plot out. argv[0] is
   the experiment's name; each returns the exit status. */
#pragma once

int table_bench(int argc, char **argv);
int table_audit(int argc, char **argv);
int table_stress(int argc, char **argv);
int table_record(int argc, char **argv);
