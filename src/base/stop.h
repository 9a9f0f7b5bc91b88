/* SPDX-License-Identifier: MIT */
/*
 * A clean Ctrl-C: the first one asks a program to come to an end by itself, with its partial results; the second one
 * kills it at once.
 */
#pragma once
#include <stdbool.h>

/* From now on SIGINT and SIGTERM are requests to stop. A signal that was ignored when the program started (nohup) stays
   ignored. System calls go on after it, except sleeps, which end early. Once, from main. */
void tabia_stop_install(void);

/* Has there been a request? Cheap enough to ask for every unit of work; any thread. */
bool tabia_stop_requested(void);
