/* SPDX-License-Identifier: MIT */
/* What an experiment found, as rows of a sheet: printed aligned, as JSON, or drawn, all from the same cells. */
#pragma once
#include <stdio.h>

#include "base/json.h"

#include "plot/plot.h"

typedef enum {
    CELL_TEXT,   /* text */
    CELL_NUMBER, /* number, in full */
    CELL_BYTES,  /* number, printed with a unit of 1024 */
    CELL_SHARE,  /* real, printed in percent */
    CELL_RATE,   /* real, printed with an exponent */
    CELL_RATIO,  /* real, printed with three decimals */
} CellKind;

/* One of the three, as its column says. A real that is no number is printed as "-". */
typedef struct {
    const char *text; /* constant */
    uint64_t number;
    double real;
} Cell;

typedef struct {
    const char *json, *head; /* the member's name; the column's title */
    CellKind kind;
} SheetColumn;

/* How a sheet is drawn: y over x, a line for each text of the series' column (-1: one line for all rows). also: a set
   of further columns, each a line over the rows of the first series. stacked: they add up, and are areas. */
typedef struct {
    int x, y, series;
    unsigned also; /* bit 1 << column */
    bool x_log, y_log, stacked;
    const char *y_label;
} SheetPlot;

typedef struct {
    const char *name, *title;
    const SheetColumn *column;
    unsigned columns, rows, room;
    Cell *cell;            /* rows * columns */
    const SheetPlot *plot; /* NULL: none */
} Sheet;

/* Adds a row of s->columns cells; false if memory is short. */
bool sheet_add(Sheet *s, const Cell *row);
const Cell *sheet_cell(const Sheet *s, unsigned row, unsigned column);
void sheet_print(const Sheet *s, FILE *out);
/* As a member `name` of the open object: an array of objects. */
void sheet_json(const Sheet *s, Json *j);
/* Draws those of n sheets that have a plot into one file. */
bool sheets_plot(const Sheet *s, unsigned n, const char *path, TabiaError *error);
void sheet_free(Sheet *s);
