/* SPDX-License-Identifier: MIT */
/* How the library says why something failed: `return tabia_refuse(why, TABIA_ERROR_OPTION, "...")`. */
#pragma once
#include "base/fault.h"
#include "tabia/error.h"

/* Leaves the line in *why (which may be NULL) and returns the code. */
int tabia_refuse(TabiaReason *why, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a line that a lower layer left. */
int tabia_refuse_fault(TabiaReason *why, int code, const Fault *fault);
