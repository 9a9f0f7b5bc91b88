/* SPDX-License-Identifier: MIT */
/* The constants of the model: names and parsing; and results as a sheet. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef struct {
    const char *name;
    size_t offset;
} CostName;

static const CostName cost_names[] = {
#define COST_NAME(member, unit, value, text) {#member, offsetof(ModelCosts, member)},
    MODEL_COSTS(COST_NAME)
#undef COST_NAME
};
enum { COSTS = sizeof cost_names / sizeof *cost_names };

ModelCosts model_costs_default(void) {
    return (ModelCosts){
#define COST_DEFAULT(member, unit, value, text) .member = value,
        MODEL_COSTS(COST_DEFAULT)
#undef COST_DEFAULT
    };
}

/* Parses one `name=number`, up to a comma or the end; returns the rest, or NULL if it is invalid. */
static const char *parse_one(ModelCosts *c, const char *text) {
    for (unsigned i = 0; i < COSTS; i++) {
        const size_t length = strlen(cost_names[i].name);
        if (strncmp(text, cost_names[i].name, length) || text[length] != '=') continue;
        char *end;
        const double value = strtod(text + length + 1, &end);
        if (end == text + length + 1 || (*end && *end != ',') || !isfinite(value) || value < 0 || value > 1e9)
            return NULL;
        memcpy((char *)c + cost_names[i].offset, &value, sizeof value);
        return *end ? end + 1 : end;
    }
    return NULL;
}

bool model_costs_parse(ModelCosts *c, const char *text, TabiaError *error) {
    ModelCosts read = *c;
    for (const char *at = text; *at;) {
        const char *next = parse_one(&read, at);
        if (!next)
            return tabia_fail(
                error, "--costs: '%.60s' is no NAME=NUMBER of the list in --help; like latency=50,batch_keys=64", at);
        at = next;
    }
    if (read.batch_keys < 1 || read.batch_sets < 1 || read.units_in_flight < 1 || read.chunk < 1 ||
        read.units_in_flight > MODEL_UNITS_MAX)
        return tabia_fail(
            error,
            "--costs: batch_keys, batch_sets, units_in_flight and chunk are at least 1, units_in_flight at most %d",
            MODEL_UNITS_MAX);
    *c = read;
    return true;
}

/* ---- the sheet ---- */

/* json, title, type */
static const SheetColumn columns[] = {
    {"ranks", "ranks", CELL_NUMBER},
    {"overhead", "overhead", CELL_SHARE},
    {"recounted", "recounted", CELL_SHARE},
    {"requesting", "requesting", CELL_SHARE},
    {"serving", "serving", CELL_SHARE},
    {"polling", "polling", CELL_SHARE},
    {"scheduling", "scheduling", CELL_SHARE},
    {"waiting", "waiting", CELL_SHARE},
    {"tail", "tail", CELL_SHARE},
    {"efficiency", "efficiency", CELL_SHARE},
    {"imbalance", "imbalance", CELL_RATIO},
    {"entries_per_message", "per message", CELL_RATIO},
    {"messages", "messages", CELL_NUMBER},
    {"work_seconds", "work s", CELL_RATIO},
    {"wall_seconds", "wall s", CELL_RATIO},
};
enum { RANKS, OVERHEAD, EFFICIENCY = 9, COLUMNS = sizeof columns / sizeof *columns };

static const SheetPlot plot = {
    .x = RANKS, .y = OVERHEAD, .series = -1, .also = 1 << EFFICIENCY, .x_log = true, .y_label = "% (simulated)"};

bool model_sheet(const ModelResult *result, unsigned results, Sheet *sheet, TabiaError *error) {
    *sheet = (Sheet){.name = "simulated",
                     .title = "overhead in processor time, and efficiency, by ranks (simulated, not measured)",
                     .column = columns,
                     .columns = COLUMNS,
                     .plot = &plot};
    for (unsigned i = 0; i < results; i++) {
        const ModelResult *r = &result[i];
        const double work = r->cpu.work, all = r->ranks * r->wall;
        const Cell cell[COLUMNS] = {{.number = r->ranks},
                                    {.real = r->overhead},
                                    {.real = r->cpu.recounted / work},
                                    {.real = r->cpu.requesting / work},
                                    {.real = r->cpu.serving / work},
                                    {.real = r->cpu.polling / work},
                                    {.real = r->cpu.scheduling / work},
                                    {.real = r->waiting / all},
                                    {.real = r->tail / all},
                                    {.real = r->efficiency},
                                    {.real = r->imbalance},
                                    {.real = (double)r->traffic.entries / (double)r->traffic.messages},
                                    {.number = r->traffic.messages},
                                    {.real = r->cpu.work},
                                    {.real = r->wall}};
        if (!sheet_add(sheet, cell)) return tabia_fail(error, "not enough memory for the rows");
    }
    return true;
}

/* ---- the sheet of times ---- */

static const SheetColumn time_columns[] = {
    {"ranks", "ranks", CELL_NUMBER},
    {"work", "counting", CELL_SHARE},
    {"recounted", "counting again", CELL_SHARE},
    {"requesting", "requesting", CELL_SHARE},
    {"serving", "serving", CELL_SHARE},
    {"polling", "polling, scheduling", CELL_SHARE},
    {"waiting", "waiting", CELL_SHARE},
    {"tail", "waiting at the end", CELL_SHARE},
};
enum { TIME_COLUMNS = sizeof time_columns / sizeof *time_columns, WORK = 1 };

static const SheetPlot time_plot = {.x = RANKS,
                                    .y = WORK,
                                    .series = -1,
                                    .also = (1 << TIME_COLUMNS) - (1 << (WORK + 1)),
                                    .x_log = true,
                                    .stacked = true,
                                    .y_label = "% of the ranks' time (simulated)"};

bool model_time_sheet(const ModelResult *result, unsigned results, Sheet *sheet, TabiaError *error) {
    *sheet = (Sheet){.name = "time",
                     .title = "where the time of the ranks goes (simulated, not measured)",
                     .column = time_columns,
                     .columns = TIME_COLUMNS,
                     .plot = &time_plot};
    for (unsigned i = 0; i < results; i++) {
        const ModelResult *r = &result[i];
        const double all = r->ranks * r->wall;
        const Cell cell[TIME_COLUMNS] = {{.number = r->ranks},
                                         {.real = r->cpu.work / all},
                                         {.real = r->cpu.recounted / all},
                                         {.real = r->cpu.requesting / all},
                                         {.real = r->cpu.serving / all},
                                         {.real = (r->cpu.polling + r->cpu.scheduling) / all},
                                         {.real = r->waiting / all},
                                         {.real = r->tail / all}};
        if (!sheet_add(sheet, cell)) return tabia_fail(error, "not enough memory for the rows");
    }
    return true;
}
