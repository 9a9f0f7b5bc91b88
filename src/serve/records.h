/* SPDX-License-Identifier: MIT */
/*
 * Files of training data that were named on the command line, by their index: which there are, their records by number, and
 * how what is in them is distributed. No other file can be asked for.
 */
#pragma once
#include "serve/http.h"

typedef struct Records Records;

/* The names are the caller's, and outlive it. NULL: no memory. */
Records *records_create(const char *const *names, unsigned n);
/* NULL is allowed. */
void records_destroy(Records *r);

/* Routes' `answer`. files: the names. records: of `file`, `count` from number `from`, or with `next_game` from the first on
   that starts a game, and with `next_kept` that the rules keep which are named as well; each record says which rule removes it. statistics:
   of the records of `file` that the rules keep, events `part` while it is read, then `done`. rules: which there are. */
void records_answer_files(void *records, HttpRequest *request);
void records_answer_records(void *records, HttpRequest *request);
void records_answer_statistics(void *records, HttpRequest *request);
void records_answer_rules(void *unused, HttpRequest *request);
