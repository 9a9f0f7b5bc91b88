/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/output.h"
#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a double holds, and so every reader. */
static const int64_t EXACT_MAX = ((int64_t)1 << 53) - 1;

void tabia_json_begin(Json *j, FILE *out) {
    *j = (Json){.out = out};
}

static void new_line(const Json *j) {
    fprintf(j->out, "\n%*s", (int)j->depth * 2, "");
}

/* Bytes of the UTF-8 character that begins here, 0 if none does: overlong forms, surrogates and what lies beyond
   U+10FFFF are none. */
static unsigned utf8_length(const unsigned char *at) {
    unsigned char lead = at[0];
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    unsigned length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    for (unsigned i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    bool overlong = (lead == 0xe0 && at[1] < 0xa0) || (lead == 0xf0 && at[1] < 0x90);
    bool surrogate = lead == 0xed && at[1] >= 0xa0;
    bool beyond = lead == 0xf4 && at[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

static void write_string(FILE *out, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    putc('"', out);
    while (*at) {
        unsigned length = utf8_length(at);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
    putc('"', out);
}

/* What stands before a value: comma, line and key. */
static void begin_value(Json *j, const char *key) {
    uint64_t here = (uint64_t)1 << j->depth;
    assert(!key == !(j->is_object & here));
    assert(j->depth > 0 || !(j->has_members & here));
    if (j->has_members & here) putc(',', j->out);
    j->has_members |= here;
    if (j->depth) new_line(j);
    if (!key) return;
    write_string(j->out, key);
    fputs(": ", j->out);
}

static void open_container(Json *j, const char *key, bool is_object) {
    begin_value(j, key);
    assert(j->depth < JSON_DEPTH_MAX);
    putc(is_object ? '{' : '[', j->out);
    uint64_t inside = (uint64_t)1 << ++j->depth;
    j->has_members &= ~inside;
    j->is_object = is_object ? j->is_object | inside : j->is_object & ~inside;
}

void tabia_json_object(Json *j, const char *key) {
    open_container(j, key, true);
}

void tabia_json_array(Json *j, const char *key) {
    open_container(j, key, false);
}

void tabia_json_close(Json *j) {
    assert(j->depth > 0);
    uint64_t inside = (uint64_t)1 << j->depth--;
    if (j->has_members & inside) new_line(j);
    putc(j->is_object & inside ? '}' : ']', j->out);
}

void tabia_json_text(Json *j, const char *key, const char *text) {
    begin_value(j, key);
    if (text)
        write_string(j->out, text);
    else
        fputs("null", j->out);
}

void tabia_json_count(Json *j, const char *key, U128 n) {
    char text[U128_TEXT_MAX];
    tabia_u128_text(n, text);
    begin_value(j, key);
    fprintf(j->out, n > EXACT_MAX ? "\"%s\"" : "%s", text);
}

void tabia_json_integer(Json *j, const char *key, int64_t n) {
    begin_value(j, key);
    fprintf(j->out, n > EXACT_MAX || n < -EXACT_MAX ? "\"%" PRId64 "\"" : "%" PRId64, n);
}

void tabia_json_real(Json *j, const char *key, double x) {
    char text[32] = "null";
    /* 17 digits always read back, 1 to 16 often do. Fewer digits than stand before the point would become 3e+01. */
    int before_point = 1;
    for (double rest = fabs(x); rest >= 10 && before_point < 15; rest /= 10) before_point++;
    for (int digits = before_point; isfinite(x) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    begin_value(j, key);
    fputs(text, j->out);
}

void tabia_json_boolean(Json *j, const char *key, bool b) {
    begin_value(j, key);
    fputs(b ? "true" : "false", j->out);
}

bool tabia_json_end(Json *j, TabiaError *error) {
    assert(j->depth == 0);
    putc('\n', j->out);
    const int code = tabia_output_flush(j->out);
    return !code || tabia_fail(error, "cannot write JSON: %s", strerror(code));
}
