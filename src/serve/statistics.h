/* SPDX-License-Identifier: MIT */
/* How what is in a file of training data is distributed, as events: `part` while it is read, then `done`. */
#pragma once
#include "serve/stream.h"

/* Reads the file to its end, or until is_over(context). Any thread. */
void statistics_send(const char *file_name, Stream *stream, bool (*is_over)(void *context), void *context);
