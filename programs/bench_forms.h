/* SPDX-License-Identifier: MIT */
/* The forms of `tabia bench` that take options. Each returns the exit status. */
#pragma once

int bench_path_keys(int argc, char **argv);
int bench_exact(int argc, char **argv);
int bench_threads(int argc, char **argv);
