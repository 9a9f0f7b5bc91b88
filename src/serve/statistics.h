/* SPDX-License-Identifier: MIT */
/* How what is in a file of training data is distributed, as events: `part` while it is read, then `done`. */
#pragma once
#include "data/filter_rules.h"
#include "serve/stream.h"

/* Reads the file to its end, or until is_over(context); what the rules remove is not counted. Any thread. */
void statistics_send(const char *file_name, const FilterRules *rules, Stream *stream, bool (*is_over)(void *context),
                     void *context);
