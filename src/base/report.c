/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

enum { CELL_MAX = 64 };

static const void *value_at(const Report *r, unsigned row, const ReportColumn *c) {
    assert(row < r->rows && c->offset < r->row_bytes);
    return (const char *)r->row + row * r->row_bytes + c->offset;
}

/* ---- as text ---- */

/* For four digits. */
static int figure_decimals(double x) {
    return x >= 1000 ? 0 : x >= 100 ? 1 : x >= 10 ? 2 : x >= 1 ? 3 : 5;
}

static void real_text(double x, const ReportColumn *c, char out[CELL_MAX]) {
    if (!isfinite(x))
        snprintf(out, CELL_MAX, "-");
    else if (c->type == REPORT_RATE)
        snprintf(out, CELL_MAX, x == 0 ? "0" : "%.3e", x);
    else if (c->type == REPORT_FIGURE)
        snprintf(out, CELL_MAX, "%.*f", figure_decimals(x), x);
    else if (c->type == REPORT_PERCENT)
        snprintf(out, CELL_MAX, "%.*f %%", (int)c->decimals, 100 * x);
    else
        snprintf(out, CELL_MAX, "%.*f", (int)c->decimals, x);
}

static void cell_text(const Report *r, unsigned row, const ReportColumn *c, char out[CELL_MAX]) {
    const void *value = value_at(r, row, c);
    switch (c->type) {
    case REPORT_TEXT:
        snprintf(out, CELL_MAX, "%s", *(const char *const *)value);
        return;
    case REPORT_UNSIGNED:
        snprintf(out, CELL_MAX, "%u", *(const unsigned *)value);
        return;
    case REPORT_COUNT:
        snprintf(out, CELL_MAX, "%" PRIu64, *(const uint64_t *)value);
        return;
    case REPORT_BYTES:
        tabia_size_text(*(const uint64_t *)value, out);
        return;
    case REPORT_YES:
        snprintf(out, CELL_MAX, "%s", *(const bool *)value ? "yes" : "NO");
        return;
    default:
        real_text(*(const double *)value, c, out);
    }
}

static int column_width(const Report *r, const ReportColumn *c) {
    char text[CELL_MAX];
    size_t width = strlen(c->head);
    for (unsigned row = 0; row < r->rows; row++) {
        cell_text(r, row, c, text);
        if (strlen(text) > width) width = strlen(text);
    }
    return (int)width;
}

/* One line: the heads, or the cells of a row. */
static void print_line(const Report *r, const unsigned *row, FILE *out) {
    const char *gap = "";
    char text[CELL_MAX];
    for (const ReportColumn *c = r->column; c < r->column + r->columns; c++) {
        if (!c->head) continue;
        if (row)
            cell_text(r, *row, c, text);
        else
            snprintf(text, CELL_MAX, "%s", c->head);
        const bool is_last = c + 1 == r->column + r->columns;
        const int width = is_last && c->type == REPORT_TEXT ? 0 : column_width(r, c);
        fprintf(out, c->type == REPORT_TEXT ? "%s%-*s" : "%s%*s", gap, width, text);
        gap = "   ";
    }
    fputc('\n', out);
}

void tabia_report_print(const Report *r, FILE *out) {
    print_line(r, NULL, out);
    for (unsigned row = 0; row < r->rows; row++) print_line(r, &row, out);
}

/* ---- as JSON ---- */

static void json_cell(const Report *r, unsigned row, const ReportColumn *c, Json *j) {
    const void *value = value_at(r, row, c);
    switch (c->type) {
    case REPORT_TEXT:
        tabia_json_text(j, c->json, *(const char *const *)value);
        return;
    case REPORT_UNSIGNED:
        tabia_json_integer(j, c->json, *(const unsigned *)value);
        return;
    case REPORT_COUNT:
    case REPORT_BYTES:
        tabia_json_count(j, c->json, *(const uint64_t *)value);
        return;
    case REPORT_YES:
        tabia_json_boolean(j, c->json, *(const bool *)value);
        return;
    default:
        tabia_json_real(j, c->json, *(const double *)value);
    }
}

void tabia_report_json(const Report *r, Json *j, const char *name) {
    tabia_json_array(j, name);
    for (unsigned row = 0; row < r->rows; row++) {
        tabia_json_object(j, NULL);
        for (const ReportColumn *c = r->column; c < r->column + r->columns; c++)
            if (c->json) json_cell(r, row, c, j);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}
