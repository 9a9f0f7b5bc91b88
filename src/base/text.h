/* SPDX-License-Identifier: MIT */
/*
 * Numbers as people write and read them: 128-bit counts, sizes of memory, rates and times. No locale, no allocation;
 * every out is filled with a string that ends in '\0'. Any thread.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include <stddef.h>
#include <stdint.h>

enum { U128_TEXT_MAX = 40, SHORT_TEXT_MAX = 16 };

/* n in decimal, without separators: at most 39 digits. */
void tabia_u128_text(U128 n, char out[U128_TEXT_MAX]);

/* Reads a text that consists of decimal digits only, at least one. False, and *n untouched, for any other text and for
   numbers of 2^128 and more. */
bool tabia_u128_parse(const char *text, U128 *n);

/* Reads a size in bytes: a whole number, then nothing, or one of K M G T, which may be followed by B or iB; any case.
   All are powers of 1024, because memory is: 64K, 512M, 8G, 8GiB and 16MB. False with an error, and *bytes untouched,
   for anything else and from 2^64 bytes on. */
bool tabia_size_parse(const char *text, uint64_t *bytes, TabiaError *error);

/* A size in four digits: "1 GiB", "1.25 MiB", "64 KiB", "100 bytes". Returns out. */
const char *tabia_size_text(uint64_t bytes, char out[SHORT_TEXT_MAX]);

/* Three digits and a power of 1000: "1.23 G", "45.6 M", "789". "-" for what is no amount (negative, not finite, 999e24
   and more). */
void tabia_amount_text(double amount, char out[SHORT_TEXT_MAX]);

/* The same for a rate: "1.23 G/s", "45.6 M/s", "789 /s", "- /s". */
void tabia_rate_text(double per_second, char out[SHORT_TEXT_MAX]);

/* "12.3 s" below a minute, then "2:03", then "1:02:03" with as many hours as it takes. "-" for what is no duration
   (negative, not finite) and for more than a hundred thousand years. */
void tabia_duration_text(double seconds, char out[SHORT_TEXT_MAX]);

/* Appends to a text for which there is so much room, its '\0' included; what does not fit is cut off. */
void tabia_text_append(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Write a text, or a number in decimal, and return where the next one goes, without a '\0' behind it. The caller has
   room: 20 characters for a number. For millions of lines, where snprintf takes longer than what it prints took. */
char *tabia_text_put(char *at, const char *text);
char *tabia_text_put_number(char *at, int64_t n);
