/* SPDX-License-Identifier: MIT */
/* The value grows as a tree of jansson, which writes it; what is ours is the order of the calls and what a count is. */
#include "base/json.h"

#include "base/checksum.h"
#include "base/output.h"
#include "base/system.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a double holds, and so every reader. */
static const int64_t EXACT_MAX = ((int64_t)1 << 53) - 1;

void tabia_json_begin(Json *j, FILE *out) {
    *j = (Json){.out = out};
}

void tabia_json_discard(Json *j) {
    json_decref(j->root);
    *j = (Json){.out = j->out};
}

/* ---- texts ---- */

/* A text with bytes that are not UTF-8. */
static json_t *repaired_string(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    char *repaired = malloc(strlen(text) * (sizeof replacement - 1) + 1), *to = repaired;
    if (!repaired) return NULL;
    while (*text) {
        const size_t n = tabia_character_bytes(text), bytes = n ? n : sizeof replacement - 1;
        memcpy(to, n ? text : replacement, bytes);
        to += bytes;
        text += n ? n : 1;
    }
    json_t *string = json_stringn(repaired, (size_t)(to - repaired));
    free(repaired);
    return string;
}

static json_t *string_of(const char *text) {
    json_t *string = json_string(text);
    return string ? string : repaired_string(text);
}

/* ---- values ---- */

/* Takes over the value; NULL: there was no memory for it. */
static void add_value(Json *j, const char *key, json_t *value) {
    json_t *into = j->depth ? j->container[j->depth - 1] : NULL;
    assert(j->depth ? !key == !json_is_object(into) || j->failed : !key && !j->root);
    if (!j->depth)
        j->root = value;
    else if (key)
        j->failed |= json_object_set_new(into, key, value) != 0;
    else
        j->failed |= json_array_append_new(into, value) != 0;
    j->failed |= !value;
}

static void open_container(Json *j, const char *key, json_t *container) {
    assert(j->depth < JSON_DEPTH_MAX);
    add_value(j, key, container);
    j->container[j->depth++] = container;
}

void tabia_json_object(Json *j, const char *key) {
    open_container(j, key, json_object());
}

void tabia_json_array(Json *j, const char *key) {
    open_container(j, key, json_array());
}

void tabia_json_close(Json *j) {
    assert(j->depth > 0);
    j->depth--;
}

void tabia_json_text(Json *j, const char *key, const char *text) {
    add_value(j, key, text ? string_of(text) : json_null());
}

void tabia_json_count(Json *j, const char *key, U128 n) {
    char text[U128_TEXT_MAX];
    tabia_u128_text(n, text);
    add_value(j, key, n > EXACT_MAX ? json_string(text) : json_integer((json_int_t)n));
}

void tabia_json_integer(Json *j, const char *key, int64_t n) {
    char text[U128_TEXT_MAX];
    *tabia_text_put_number(text, n) = '\0';
    add_value(j, key, n > EXACT_MAX || n < -EXACT_MAX ? json_string(text) : json_integer(n));
}

void tabia_json_real(Json *j, const char *key, double x) {
    add_value(j, key, isfinite(x) ? json_real(x) : json_null());
}

void tabia_json_boolean(Json *j, const char *key, bool b) {
    add_value(j, key, json_boolean(b));
}

/* ---- checksums ---- */

enum { CHECKSUM_TEXT_MAX = 17 };

static bool write_checksum(const json_t *object, char text[CHECKSUM_TEXT_MAX]) {
    char *all = json_dumps(object, JSON_COMPACT);
    if (all) snprintf(text, CHECKSUM_TEXT_MAX, "%016" PRIx64, tabia_checksum(all, strlen(all)));
    free(all);
    return all != NULL;
}

void tabia_json_checksum(Json *j) {
    char text[CHECKSUM_TEXT_MAX];
    assert(j->depth == 1 || j->failed);
    if (j->root && write_checksum(j->root, text))
        tabia_json_text(j, "checksum", text);
    else
        j->failed = true;
}

bool tabia_json_is_whole(json_t *object) {
    char text[CHECKSUM_TEXT_MAX], given[CHECKSUM_TEXT_MAX];
    const char *member = json_string_value(json_object_get(object, "checksum"));
    snprintf(given, sizeof given, "%s", member ? member : "");
    json_object_del(object, "checksum");
    return write_checksum(object, text) && !strcmp(text, given);
}

/* ---- documents ---- */

void tabia_json_document(Json *j, FILE *out, const JsonOrigin *origin) {
    char date[32], processor[PROCESSOR_TEXT_MAX];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    tabia_processor_name(processor);
    tabia_json_begin(j, out);
    tabia_json_object(j, NULL);
    tabia_json_object(j, "tabia");
    tabia_json_integer(j, "schema", JSON_SCHEMA);
    tabia_json_text(j, "command", origin->command);
    tabia_json_text(j, "version", origin->version);
    tabia_json_text(j, "commit", origin->commit);
    tabia_json_text(j, "compiler", origin->compiler);
    tabia_json_text(j, "processor", processor);
    tabia_json_text(j, "date", date);
    tabia_json_close(j);
}

/* 15 digits are as many as a double holds of any decimal number: 0.1 stays 0.1. */
static bool write_value(Json *j, size_t layout, TabiaError *error) {
    assert(j->root || j->failed);
    FILE *out = j->out;
    const size_t flags = layout | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;
    const bool written = !j->failed && !json_dumpf(j->root, out, flags) && putc('\n', out) != EOF;
    const int code = tabia_output_flush(out);
    const bool lacks_memory = j->failed;
    tabia_json_discard(j);
    if (lacks_memory) return tabia_fail(error, "cannot write JSON: there is no memory for it");
    return (written && !code) || tabia_fail(error, "cannot write JSON: %s", strerror(code ? code : EIO));
}

bool tabia_json_end(Json *j, TabiaError *error) {
    return write_value(j, JSON_INDENT(2), error);
}

bool tabia_json_end_line(Json *j, TabiaError *error) {
    return write_value(j, 0, error);
}
