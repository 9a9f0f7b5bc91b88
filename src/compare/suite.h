/* SPDX-License-Identifier: MIT */
/*
 * Runs a perft suite (epd.h) and prints what is not as the file says:
 *
 *     r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1: depth 3: expected 782, got 781 (file.epd:8)
 *     file.epd: 126 positions, 740 depths (16 left out), 1234567 nodes in 1.2 s (1.03 M/s), 1 failure
 *
 * How a count is made is the caller's affair.
 */
#pragma once
#include "base/error.h"
#include "base/json.h"
#include "base/u128.h"
#include "rules/position.h"
#include <stdio.h>

/*
 * Counts the leaves below p at a depth of 1 or more. False when it cannot: with an error, or because the user asked to
 * stop (base/stop.h), and then the error is not looked at.
 */
typedef bool PerftCount(void *context, const Position *p, int depth, U128 *nodes, TabiaError *error);

typedef struct {
    const char *file_name;
    U128 max_nodes;         /* depths with more leaves than this, by the file, are left out; 0: none is */
    const JsonOrigin *json; /* of the JSON document to print in the place of text; NULL: text */
    PerftCount *count;
    void *context;
    FILE *out;      /* failures and summary; whether all of it arrived is the caller's to ask (base/output.h) */
    FILE *messages; /* bad lines, one each */
    FILE *progress; /* or NULL; base/progress.h */
    unsigned every; /* seconds between lines of progress that stay; 0: none */
} SuiteOptions;

/*
 * Runs the whole suite. Bad lines are named (the first 20) as they are met; the others are run all the same.
 * Returns
 *
 *     0    every count is right
 *     1    a count is wrong (printed)
 *     2    no count is wrong, but a line was bad (named on messages), or the file cannot be read or has no position
 *          (an error)
 *     3    a count could not be made, or JSON not be written (an error)
 *     130  stopped: what was done so far is summed up
 *
 * The error's text is empty where none is named above.
 */
int suite_run(const SuiteOptions *options, TabiaError *error);
