/* SPDX-License-Identifier: MIT */
#include "forecast.h"

#include <assert.h>
#include <math.h>

static void add(Forecast *f, ForecastFigure figure) {
    assert(f->figures < FORECAST_FIGURES);
    f->figure[f->figures++] = figure;
}

/* Probes and stores exist only where units lie above the leaf parents. */
static void add_if_any(Forecast *f, ForecastFigure figure) {
    if (figure.predicted > 0 || figure.measured > 0) add(f, figure);
}

/* Time elapses while other processes use the processors, alone as well as together. */
static double wall_of(const ModelResult *result, const ForecastRun *run) {
    return result->wall * (run->alone_cpu > 0 ? run->alone_wall / run->alone_cpu : 1);
}

/* Messages that depend on time alone: a rank reports twenty times a second at least, and sends some messages when it
   begins and ends (distributed/perft/rank_worker.c, wire.h). */
static double timed_messages(const ModelResult *result, const ForecastRun *run) {
    enum { REPORTS_PER_SECOND = 20, OTHERS = 8 };
    assert(result->ranks > 1);
    const double others = result->ranks - 1.0, reports = others * wall_of(result, run) * REPORTS_PER_SECOND;
    return others * OTHERS + (reports > result->traffic.reports ? reports - result->traffic.reports : 0);
}

static void add_numbers(Forecast *f, const ModelResult *result, const ForecastRun *run) {
    enum { TIMED_BYTES = 60 };
    const ModelTraffic *t = &result->traffic;
    const double timed = timed_messages(result, run), messages = (double)t->messages + t->control + timed;
    const double bytes = t->bytes + t->control_bytes + timed * TIMED_BYTES;
    add(f, (ForecastFigure){"positions counted", "counted", "", result->counted, run->counted, NULL});
    add(f, (ForecastFigure){"sibling sets sent to owners", "sibling_sets", "", (double)t->sibling_sets,
                            run->sibling_sets, NULL});
    add_if_any(f, (ForecastFigure){"keys requested from others", "remote_probes", "", (double)t->remote_probes,
                                   run->remote_probes, NULL});
    add_if_any(f, (ForecastFigure){"of these, found", "remote_hits", "", (double)t->remote_hits, run->remote_hits,
                                   "it depends on which rank was faster when"});
    add_if_any(f, (ForecastFigure){"stores sent to others", "remote_stores", "", (double)t->remote_stores,
                                   run->remote_stores, NULL});
    add(f, (ForecastFigure){"messages", "messages", "", messages, run->messages, NULL});
    add(f, (ForecastFigure){"bytes", "bytes", "", bytes, run->bytes, NULL});
}

/* Measured, in place of the model's constant. What rank 0 does for its own units happens outside messages, and is no
   more together than alone. */
static double scheduling_in_calls(const ModelResult *result, const ForecastRun *run) {
    return run->scheduling * (result->ranks - 1) / result->ranks;
}

static void add_times(Forecast *f, const ModelResult *result, const ForecastRun *run) {
    const ModelCpu *cpu = &result->cpu;
    const double messages = cpu->requesting + cpu->serving - cpu->unpacking + cpu->scheduling - cpu->service;
    const double calls = messages + scheduling_in_calls(result, run);
    add(f, (ForecastFigure){"in calls for messages", "calls_seconds", "s", calls, run->calls, NULL});
    add(f, (ForecastFigure){"processor time", "cpu_seconds", "s", run->alone_cpu * (1 + result->overhead),
                            run->alone_cpu * run->ratio_cpu, NULL});
    add(f,
        (ForecastFigure){"elapsed time", "wall_seconds", "s", wall_of(result, run), run->alone_wall * run->ratio_wall,
                         run->has_processors ? NULL : "more ranks than processors"});
}

Forecast forecast_make(const ModelResult *result, const ForecastRun *run) {
    Forecast f = {.overhead = result->overhead,
                  .overhead_measured = run->ratio_cpu - 1,
                  .overhead_min = run->ratio_cpu_min - 1,
                  .overhead_max = run->ratio_cpu_max - 1};
    add_numbers(&f, result, run);
    add_times(&f, result, run);
    return f;
}

double forecast_ratio(const ForecastFigure *figure) {
    if (figure->predicted == figure->measured) return 1;
    return figure->measured != 0 ? figure->predicted / figure->measured : INFINITY;
}

static bool is_within_error(const ForecastFigure *figure) {
    return fabs(forecast_ratio(figure) - 1) <= FORECAST_ERROR;
}

bool forecast_holds(const Forecast *f) {
    for (unsigned i = 0; i < f->figures; i++)
        if (!f->figure[i].exempt && !is_within_error(&f->figure[i])) return false;
    return true;
}

void forecast_print(const Forecast *f, FILE *out) {
    fprintf(out, "%-28s %14s %14s %7s\n", "", "predicted", "measured", "ratio");
    for (unsigned i = 0; i < f->figures; i++) {
        const ForecastFigure *figure = &f->figure[i];
        const int digits = figure->unit[0] ? 4 : 0;
        fprintf(out, "%-28s %14.*f %14.*f %7.3f%s%s", figure->name, digits, figure->predicted, digits, figure->measured,
                forecast_ratio(figure), figure->unit[0] ? "  " : "", figure->unit);
        if (figure->exempt)
            fprintf(out, "  not judged: %s\n", figure->exempt);
        else
            fprintf(out, "%s\n", is_within_error(figure) ? "" : "  beyond 20 %");
    }
    fprintf(out, "overhead: %.2f %% of the work predicted; measured %.2f %%, in single rounds %.2f to %.2f %%\n",
            100 * f->overhead, 100 * f->overhead_measured, 100 * f->overhead_min, 100 * f->overhead_max);
}

void forecast_json(const Forecast *f, Json *j) {
    tabia_json_array(j, "figures");
    for (unsigned i = 0; i < f->figures; i++) {
        const ForecastFigure *figure = &f->figure[i];
        tabia_json_object(j, NULL);
        tabia_json_text(j, "name", figure->json);
        tabia_json_real(j, "predicted", figure->predicted);
        tabia_json_real(j, "measured", figure->measured);
        tabia_json_real(j, "ratio", forecast_ratio(figure));
        tabia_json_boolean(j, "judged", !figure->exempt);
        tabia_json_close(j);
    }
    tabia_json_close(j);
    tabia_json_object(j, "overhead");
    tabia_json_real(j, "predicted", f->overhead);
    tabia_json_real(j, "measured", f->overhead_measured);
    tabia_json_real(j, "measured_least", f->overhead_min);
    tabia_json_real(j, "measured_most", f->overhead_max);
    tabia_json_close(j);
    tabia_json_boolean(j, "holds", forecast_holds(f));
}
