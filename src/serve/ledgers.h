/* SPDX-License-Identifier: MIT */
/* How far a long count is, by the ledger that was named on the command line. */
#pragma once
#include "serve/http.h"

/* A route's `answer`; its context is the file's name, or NULL: none was named. */
void ledger_answer(void *file_name, HttpRequest *request);
