/* SPDX-License-Identifier: MIT */
/* A finding in words for a person, or as members of a JSON object. */
#pragma once
#include "against.h"
#include "base/json.h"

/* Prints a finding that is not DIFFERENCE_NONE. */
void against_print(FILE *out, const Difference *difference, const char *command);

/* Writes "found" and what belongs to it into the object that is open. */
void against_json(Json *j, const Difference *difference);
