/* SPDX-License-Identifier: MIT */
/* The forms of `tabia bench`: without options, and those that take some. Each returns the exit status. */
#pragma once

int bench_positions(int argc, char **argv);
int bench_path_keys(int argc, char **argv);
int bench_exact(int argc, char **argv);
int bench_threads(int argc, char **argv);
