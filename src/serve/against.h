/* SPDX-License-Identifier: MIT */
/*
 * Another program's divide, for the page to set beside ours (compare/opponent.h). The program is the one that was named on
 * the command line, and starts with the first question; it runs on between questions, and ends with the server. A question
 * ends soon after nobody waits for it, and has a time limit; the program is then killed, and started anew by the next one.
 */
#pragma once
#include "compare/opponent.h"
#include "serve/http.h"

typedef struct {
    const char *command; /* NULL: none is named; lives as long as the task */
    Protocol protocol;
    double seconds; /* for each question */
} AgainstProgram;

typedef struct AgainstTask AgainstTask;

/* NULL: no memory. */
AgainstTask *against_task_create(const AgainstProgram *program);
/* NULL is allowed. */
void against_task_destroy(AgainstTask *t);
/* A route's `answer`: {"program": its command line, or null}. */
void against_task_answer_name(void *against, HttpRequest *request);
/* A route's `answer`: the position, and `depth`. Event `done` with the count below each move as the program gives it, each
   move spelt as ours are where it is legal, and the total. */
void against_task_answer(void *against, HttpRequest *request);
