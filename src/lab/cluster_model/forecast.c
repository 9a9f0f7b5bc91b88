/* SPDX-License-Identifier: MIT */
#include "forecast.h"

#include <math.h>

static void add(Forecast *f, ForecastLine line) {
    f->line[f->lines++] = line;
}

/* Asks and stores there are only where units lie above the floor. */
static void add_if_any(Forecast *f, ForecastLine line) {
    if (line.predicted > 0 || line.measured > 0) add(f, line);
}

/* The clock goes on while others use the processors, alone as well as together. */
static double wall_of(const SimulateRow *row, const ForecastRun *run) {
    return row->wall * (run->alone_cpu > 0 ? run->alone_wall / run->alone_cpu : 1);
}

/* Messages that go by the clock: a rank reports every twentieth of a second, if not before, and says some words when
   it comes and leaves (distributed/perft/rank_worker.c, wire.h). */
static double by_the_clock(const SimulateRow *row, const ForecastRun *run) {
    enum { REPORTS_A_SECOND = 20, WORDS = 8 };
    const double others = row->ranks - 1.0, reports = others * wall_of(row, run) * REPORTS_A_SECOND;
    return others * WORDS + (reports > row->reports ? reports - row->reports : 0);
}

static void add_numbers(Forecast *f, const SimulateRow *row, const ForecastRun *run) {
    enum { WORD_BYTES = 60 };
    const double clocked = by_the_clock(row, run), messages = (double)row->messages + row->control + clocked;
    const double bytes = row->bytes + row->control_bytes + clocked * WORD_BYTES;
    add(f, (ForecastLine){"positions counted", "counted", "", row->counted, run->counted, NULL});
    add(f, (ForecastLine){"positions sent to homes", "sent", "", (double)row->sent, run->sent, NULL});
    add_if_any(f, (ForecastLine){"keys asked of others", "asked", "", (double)row->asked, run->asked, NULL});
    add_if_any(f, (ForecastLine){"of these, known", "known", "", (double)row->known, run->known,
                                 "it follows which rank was faster when"});
    add_if_any(f, (ForecastLine){"stores sent to others", "stored", "", (double)row->stored, run->stored, NULL});
    add(f, (ForecastLine){"messages", "messages", "", messages, run->messages, NULL});
    add(f, (ForecastLine){"bytes", "bytes", "", bytes, run->bytes, NULL});
}

/* Measured, in the place of the model's constant. What rank 0 does for its own units it does outside messages, and no
   more of it together than alone. */
static double handing_in_calls(const SimulateRow *row, const ForecastRun *run) {
    return run->handing * (row->ranks - 1) / row->ranks;
}

static void add_times(Forecast *f, const SimulateRow *row, const ForecastRun *run) {
    const double messages = row->asking + row->serving - row->unpacking + row->handing - row->service;
    const double calls = messages + handing_in_calls(row, run);
    add(f, (ForecastLine){"in calls for messages", "calls_seconds", "s", calls, run->calls, NULL});
    add(f, (ForecastLine){"processor time", "cpu_seconds", "s", run->alone_cpu * (1 + row->overhead),
                          run->alone_cpu * run->ratio_cpu, NULL});
    add(f, (ForecastLine){"time by the clock", "wall_seconds", "s", wall_of(row, run),
                          run->alone_wall * run->ratio_wall, run->room ? NULL : "more ranks than processors"});
}

Forecast forecast_make(const SimulateRow *row, const ForecastRun *run) {
    Forecast f = {.overhead = row->overhead,
                  .overhead_measured = run->ratio_cpu - 1,
                  .overhead_least = run->ratio_cpu_least - 1,
                  .overhead_most = run->ratio_cpu_most - 1};
    add_numbers(&f, row, run);
    add_times(&f, row, run);
    return f;
}

double forecast_ratio(const ForecastLine *line) {
    if (line->predicted == line->measured) return 1;
    return line->measured != 0 ? line->predicted / line->measured : INFINITY;
}

static bool is_near(const ForecastLine *line) {
    return fabs(forecast_ratio(line) - 1) <= FORECAST_ERROR;
}

bool forecast_holds(const Forecast *f) {
    for (unsigned i = 0; i < f->lines; i++)
        if (!f->line[i].unjudged && !is_near(&f->line[i])) return false;
    return true;
}

void forecast_print(const Forecast *f, FILE *out) {
    fprintf(out, "%-24s %14s %14s %7s\n", "", "predicted", "measured", "ratio");
    for (unsigned i = 0; i < f->lines; i++) {
        const ForecastLine *line = &f->line[i];
        const int digits = line->unit[0] ? 4 : 0;
        fprintf(out, "%-24s %14.*f %14.*f %7.3f%s%s", line->name, digits, line->predicted, digits, line->measured,
                forecast_ratio(line), line->unit[0] ? "  " : "", line->unit);
        if (line->unjudged)
            fprintf(out, "  not judged: %s\n", line->unjudged);
        else
            fprintf(out, "%s\n", is_near(line) ? "" : "  beyond 20 %");
    }
    fprintf(out, "overhead: %.2f %% of the work predicted; measured %.2f %%, in single rounds %.2f to %.2f %%\n",
            100 * f->overhead, 100 * f->overhead_measured, 100 * f->overhead_least, 100 * f->overhead_most);
}

void forecast_json(const Forecast *f, Json *j) {
    tabia_json_array(j, "figures");
    for (unsigned i = 0; i < f->lines; i++) {
        const ForecastLine *line = &f->line[i];
        tabia_json_object(j, NULL);
        tabia_json_text(j, "name", line->json);
        tabia_json_real(j, "predicted", line->predicted);
        tabia_json_real(j, "measured", line->measured);
        tabia_json_real(j, "ratio", forecast_ratio(line));
        tabia_json_boolean(j, "judged", !line->unjudged);
        tabia_json_close(j);
    }
    tabia_json_close(j);
    tabia_json_object(j, "overhead");
    tabia_json_real(j, "predicted", f->overhead);
    tabia_json_real(j, "measured", f->overhead_measured);
    tabia_json_real(j, "measured_least", f->overhead_least);
    tabia_json_real(j, "measured_most", f->overhead_most);
    tabia_json_close(j);
    tabia_json_boolean(j, "holds", forecast_holds(f));
}
