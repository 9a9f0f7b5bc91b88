/* SPDX-License-Identifier: MIT */
/*
 * Writes one JSON value (RFC 8259) to a stream, piece by piece, indented by two spaces, in the order of the calls:
 *
 *   Json j;                                        {
 *   tabia_json_begin(&j, stdout);                    "depth": 2,
 *   tabia_json_object(&j, NULL);                     "moves": [
 *   tabia_json_count(&j, "depth", 2);                  "e2e4"
 *   tabia_json_array(&j, "moves");                   ]
 *   tabia_json_text(&j, NULL, "e2e4");             }
 *   tabia_json_close(&j);
 *   tabia_json_close(&j);
 *   done = tabia_json_end(&j, &error);
 *
 * Every value takes a key: the member's name inside an object, null inside an array and at the top. What is written is
 * valid whatever the texts hold. That keys of an object differ is the caller's affair.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include <stdint.h>
#include <stdio.h>

/* How deep objects and arrays may lie in each other. */
enum { JSON_DEPTH_MAX = 63 };

/* Nothing in it is for the caller. Bit d of a word speaks of the container at depth d; depth 0 is the top. */
typedef struct {
    FILE *out;
    unsigned depth;
    uint64_t is_object, has_members;
} Json;

/* Begins at the top. The stream stays the caller's, and may be given its own text before and after. */
void tabia_json_begin(Json *j, FILE *out);

/* Opens an object or an array: what follows is inside, up to tabia_json_close, which closes the innermost one. */
void tabia_json_object(Json *j, const char *key);
void tabia_json_array(Json *j, const char *key);
void tabia_json_close(Json *j);

/* A string, in UTF-8: control characters and quotes are escaped, every byte that is not UTF-8 becomes U+FFFD. A null
   text is written as null. */
void tabia_json_text(Json *j, const char *key, const char *text);

/* A whole number with all its digits: as a JSON number where every reader keeps it, which is up to 2^53 - 1 either way
   (RFC 7493), as a string of its digits beyond. */
void tabia_json_count(Json *j, const char *key, U128 n);
void tabia_json_integer(Json *j, const char *key, int64_t n);

/* The shortest decimal that reads back as x; null for what is not finite. */
void tabia_json_real(Json *j, const char *key, double x);
void tabia_json_boolean(Json *j, const char *key, bool b);

/* Ends the line and flushes. False with an error if the stream failed at any time. All containers must be closed. */
bool tabia_json_end(Json *j, TabiaError *error);
