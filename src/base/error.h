/* SPDX-License-Identifier: MIT */
/*
 * How a function of the tree reports a failure: it takes a TabiaError, the one error type of library and programs
 * (tabia/error.h), writes one line for a person into it (what is wrong, where, and what would be right), and returns
 * false, NULL or a negative code. The caller adds nothing and prints the line.
 *
 *     if (!file) return tabia_fail(error, "%s: cannot be read: %s", name, strerror(errno));
 *     if (!bytes) return tabia_error_set(error, TABIA_ERROR_OPTION, "bytes 0: at least 1 is needed");
 *
 * All functions keep errno, cut a longer text, put '?' for control characters and what is not UTF-8, and allow a NULL
 * error: the caller does not want the line.
 */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "tabia/error.h"

/* Writes the line, sets the code TABIA_ERROR_OTHER, and returns false. For functions whose callers need no code. */
bool tabia_fail(TabiaError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a list of arguments. */
bool tabia_fail_list(TabiaError *error, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Writes the line, sets the code (negative, of TABIA_ERRORS), and returns the code. */
int tabia_error_set(TabiaError *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Bytes of the UTF-8 character that begins here, 0 if none does. */
size_t tabia_character_bytes(const char *at);
