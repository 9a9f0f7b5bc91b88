/* SPDX-License-Identifier: MIT */
/*
 * Why something failed, in one line for a person: what is wrong, where, and what would be right. A function that can
 * fail takes a Fault, returns false (or null) and leaves the line there; the caller adds nothing and prints it. No
 * numbers: whoever must tell failures apart does so before they become a Fault.
 */
#pragma once
#include <stdbool.h>

/* The text always ends in '\0'; longer ones are cut. Meaningful only after a failure. */
typedef struct {
    char text[400];
} Fault;

/* Writes the line and returns false, so that a failure is `return tabia_fault(...)`. A null fault is allowed: the
   caller does not want to know. Keeps errno. */
bool tabia_fault(Fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
