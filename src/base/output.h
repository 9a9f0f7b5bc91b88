/* SPDX-License-Identifier: MIT */
/*
 * Has everything that was written to a stream arrived? stdio writes late, remembers that a write has failed and forgets
 * why. A stream is asked once, at its end, whoever wrote to it and however often it was flushed before. One thread.
 */
#pragma once
#include <stdio.h>

#include "base/error.h"

/* Writes what is still buffered. Returns 0 if all has arrived, else the errno of the write that failed; EIO where the
   reason is forgotten and cannot be found out. After a failure a line feed may follow what has arrived: it is written
   to be given the reason again. */
int tabia_output_flush(FILE *out);

/* Flushes and closes a stream, standard output for one. False with an error, "cannot write to NAME: why", if anything
   written to it is lost. A stream that was closed when the program began and that nobody wrote to is fine. */
bool tabia_output_close(FILE *out, const char *name, TabiaError *error);
