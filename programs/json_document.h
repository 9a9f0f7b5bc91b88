/* SPDX-License-Identifier: MIT */
/* What --json of the commands prints: documents that say what made them (docs/schema.json is their form). */
#pragma once
#include "base/json.h"

/* This program's; command is as the user calls it: "data stats", or with the option that makes it another: "perft --suite". */
JsonOrigin json_origin(const char *command);

/* Begins a document on standard output, whose object is open. */
void json_document(Json *j, const char *command);
