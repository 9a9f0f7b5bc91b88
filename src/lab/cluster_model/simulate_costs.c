/* SPDX-License-Identifier: MIT */
/* The constants of the model: their names, how they are read, the one that needs no network; and rows as a sheet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/time.h"
#include "simulate.h"
#include "tabia/counts.h"

typedef struct {
    const char *name;
    size_t place;
} CostName;

static const CostName cost_names[] = {
#define COST_NAME(member, unit, value, text) {#member, offsetof(SimulateCosts, member)},
    SIMULATE_COSTS(COST_NAME)
#undef COST_NAME
};
enum { COSTS = sizeof cost_names / sizeof *cost_names };

SimulateCosts simulate_defaults(void) {
    return (SimulateCosts){
#define COST_DEFAULT(member, unit, value, text) .member = value,
        SIMULATE_COSTS(COST_DEFAULT)
#undef COST_DEFAULT
    };
}

/* One `name=number`, up to a comma or the end; NULL if it is none. */
static const char *parse_one(SimulateCosts *c, const char *text) {
    for (unsigned i = 0; i < COSTS; i++) {
        const size_t length = strlen(cost_names[i].name);
        if (strncmp(text, cost_names[i].name, length) || text[length] != '=') continue;
        char *end;
        const double value = strtod(text + length + 1, &end);
        if (end == text + length + 1 || (*end && *end != ',') || !isfinite(value) || value < 0 || value > 1e9)
            return NULL;
        memcpy((char *)c + cost_names[i].place, &value, sizeof value);
        return *end ? end + 1 : end;
    }
    return NULL;
}

bool simulate_costs_parse(SimulateCosts *c, const char *text, Fault *fault) {
    SimulateCosts read = *c;
    for (const char *at = text; *at;) {
        const char *next = parse_one(&read, at);
        if (!next)
            return tabia_fault(
                fault, "--costs: '%.60s' is no NAME=NUMBER of the list in --help; like latency=50,batch=64", at);
        at = next;
    }
    if (read.batch < 1 || read.families < 1 || read.ahead < 1 || read.chunk < 1 || read.ahead > SIMULATE_AHEAD_MAX)
        return tabia_fault(fault, "--costs: batch, families, ahead and chunk are at least 1, ahead at most %d",
                           SIMULATE_AHEAD_MAX);
    *c = read;
    return true;
}

/* One entry at a time, as they come out of a message, with the next one's bucket on its way. */
bool simulate_measure_apply(SimulateCosts *c, uint64_t bytes, Fault *fault) {
    enum { STORES = 1 << 20, AHEAD = 8 };
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = bytes};
    TabiaTable *table;
    TabiaReason why;
    if (tabia_table_create(&table, &options, &why)) return tabia_fault(fault, "%s", why.text);
    uint64_t state = 1, coming = 1;
    for (unsigned i = 0; i < 2 * AHEAD; i++) random_next(&coming);
    double since = 0;
    for (unsigned i = 0; i < 2 * STORES; i++) {
        if (i == STORES) since = tabia_clock_cpu(); /* the first half fills it */
        const uint64_t index = random_next(&state), check = random_next(&state), soon = random_next(&coming);
        tabia_counts_prefetch(table, (TabiaKey){soon, random_next(&coming)}, 3);
        tabia_counts_store(table, (TabiaKey){index, check}, 3, 1 + (check >> 40));
    }
    c->apply = (tabia_clock_cpu() - since) * 1e6 / STORES;
    tabia_table_destroy(table);
    return true;
}

/* ---- the sheet ---- */

/* json, head, kind */
static const SheetColumn columns[] = {
    {"ranks", "ranks", CELL_NUMBER},
    {"overhead", "overhead", CELL_SHARE},
    {"counted_again", "again", CELL_SHARE},
    {"asking", "asking", CELL_SHARE},
    {"serving", "serving", CELL_SHARE},
    {"looking", "looking", CELL_SHARE},
    {"handing_out", "handing", CELL_SHARE},
    {"waiting", "waiting", CELL_SHARE},
    {"tail", "tail", CELL_SHARE},
    {"efficiency", "efficiency", CELL_SHARE},
    {"busiest_home", "busiest", CELL_RATIO},
    {"entries_a_message", "a message", CELL_RATIO},
    {"messages", "messages", CELL_NUMBER},
    {"work_seconds", "work s", CELL_RATIO},
    {"wall_seconds", "wall s", CELL_RATIO},
};
enum { RANKS, OVERHEAD, EFFICIENCY = 9, COLUMNS = sizeof columns / sizeof *columns };

static const SheetPlot plot = {RANKS, OVERHEAD, -1, 1 << EFFICIENCY, true, false, "% (simulated)"};

bool simulate_sheet(const SimulateRow *row, unsigned rows, Sheet *sheet, Fault *fault) {
    *sheet = (Sheet){.name = "simulated",
                     .title = "overhead in processor time, and efficiency, by ranks (simulated, not measured)",
                     .column = columns,
                     .columns = COLUMNS,
                     .plot = &plot};
    for (unsigned i = 0; i < rows; i++) {
        const SimulateRow *r = &row[i];
        const double work = r->work, all = r->ranks * r->wall;
        const Cell cell[COLUMNS] = {{.number = r->ranks},
                                    {.real = r->overhead},
                                    {.real = r->again / work},
                                    {.real = r->asking / work},
                                    {.real = r->serving / work},
                                    {.real = r->looking / work},
                                    {.real = r->handing / work},
                                    {.real = r->waiting / all},
                                    {.real = r->tail / all},
                                    {.real = r->efficiency},
                                    {.real = r->busiest},
                                    {.real = (double)r->entries / (double)r->messages},
                                    {.number = r->messages},
                                    {.real = r->work},
                                    {.real = r->wall}};
        if (!sheet_add(sheet, cell)) return tabia_fault(fault, "not enough memory for the rows");
    }
    return true;
}
