/* SPDX-License-Identifier: MIT */
/*
 * Writes one JSON value (RFC 8259) to a stream, by jansson, indented by two spaces, in the order of the calls:
 *
 *   Json j;                                        {
 *   tabia_json_begin(&j, stdout);                    "depth": 2,
 *   tabia_json_object(&j, NULL);                     "moves": [
 *   tabia_json_count(&j, "depth", 2);                  "e2e4"
 *   tabia_json_array(&j, "moves");                   ]
 *   tabia_json_text(&j, NULL, "e2e4");             }
 *   done = tabia_json_end(&j, &error);
 *
 * Every value takes a key: the member's name inside an object, null inside an array and at the top. What is written is
 * valid whatever the texts hold. That keys of an object differ is the caller's affair. The value is kept in memory, and
 * written whole by tabia_json_end; tabia_json_discard drops it.
 *
 * What --json of a command prints begins with tabia_json_document and has the form of docs/schema.json.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include <stdint.h>
#include <stdio.h>

/* How deep objects and arrays may lie in each other; the number of the form that docs/schema.json describes, which
   changes when a member is renamed, is left out or changes its type. */
enum { JSON_DEPTH_MAX = 15, JSON_SCHEMA = 1 };

/* Nothing in it is for the caller. */
typedef struct {
    FILE *out;
    struct json_t *root, *container[JSON_DEPTH_MAX];
    unsigned depth; /* of open containers */
    bool failed;    /* there was no memory for a value */
} Json;

/* Begins at the top. The stream stays the caller's, and may be given its own text before and after. */
void tabia_json_begin(Json *j, FILE *out);

/* Begins a document of a command: opens its object and writes the member "tabia", which says
   what made it: program, processor and date. The texts need to live for this call only. */
typedef struct {
    const char *command, *version, *commit, *compiler;
} JsonOrigin;
void tabia_json_document(Json *j, FILE *out, const JsonOrigin *origin);

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

/* x with 15 digits, and a point or an exponent; null for what is not finite. */
void tabia_json_real(Json *j, const char *key, double x);
void tabia_json_boolean(Json *j, const char *key, bool b);

/* Adds the last member of the outermost object: "checksum", of all others. */
void tabia_json_checksum(Json *j);

/* Is that member in an object that jansson has read, and right? Takes it out. */
bool tabia_json_is_whole(struct json_t *object);

/* Closes what is open, writes the value and a line break, flushes, and frees what it took. False with an error if the
   stream failed at any time, or memory did. */
bool tabia_json_end(Json *j, TabiaError *error);

/* The same, without line breaks and indentation in the value: for files of one value a line. */
bool tabia_json_end_line(Json *j, TabiaError *error);

/* Frees what was begun, and writes nothing. */
void tabia_json_discard(Json *j);
