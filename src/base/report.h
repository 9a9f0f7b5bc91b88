/* SPDX-License-Identifier: MIT */
/*
 * Rows of results, printed as an aligned table or as an array of JSON objects. Both come from one list of columns, which says
 * where in a row's structure each value lies:
 *
 *     static const ReportColumn columns[] = {
 *         {"nodes", "nodes", REPORT_COUNT, 0, offsetof(Row, nodes)},        "nodes": 350254
 *         {"share", "share", REPORT_REAL, 3, offsetof(Row, share)},         "share": 0.25
 *     };
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"

/* What a value is in its row, and how it is printed. */
typedef enum {
    REPORT_TEXT,     /* const char * */
    REPORT_UNSIGNED, /* unsigned */
    REPORT_COUNT,    /* uint64_t, with all its digits */
    REPORT_BYTES,    /* uint64_t, in text with a unit of 1024 */
    REPORT_REAL,     /* double; not finite: "-" in text, null in JSON */
    REPORT_PERCENT,  /* double, in text a hundred times as much */
    REPORT_FIGURE,   /* double, in text four digits, whatever the size */
    REPORT_RATE,     /* double, in text with an exponent */
    REPORT_YES,      /* bool */
} ReportType;

typedef struct {
    const char *json, *head; /* the member's name, the column's title; NULL: not there */
    ReportType type;
    unsigned decimals; /* of a REPORT_REAL and a REPORT_PERCENT in text */
    size_t offset;
} ReportColumn;

typedef struct {
    const ReportColumn *column;
    unsigned columns, rows;
    size_t row_bytes;
    const void *row;
} Report;

/* A head and the rows: texts to the left, numbers to the right. */
void tabia_report_print(const Report *r, FILE *out);

/* As the member `name` of the open object. */
void tabia_report_json(const Report *r, Json *j, const char *name);
