/* SPDX-License-Identifier: MIT */
#include "perft/progress_line.h"

#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A text to which whole parts are appended until one does not fit. */
typedef struct {
    char *text;
    unsigned length, capacity;
    bool full;
} LineBuffer;

static void __attribute__((format(printf, 2, 3))) append_part(LineBuffer *line, const char *format, ...) {
    char part[PROGRESS_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    const char *comma = line->length ? ", " : "";
    unsigned all = (unsigned)strlen(comma) + (unsigned)length;
    line->full |= length < 0 || (size_t)length >= sizeof part || all > line->capacity - line->length;
    assert(line->length <= line->capacity);
    if (line->full) return;
    line->length += (unsigned)sprintf(line->text + line->length, "%s%s", comma, part);
}

/* Medians of seven counts of both games (docs/experiments/2026-11-26-time-left-of-a-count.md): at each part of the time, how
   much of the work was done. */
static const struct {
    double time, work;
} course[] = {{0, 0},       {0.05, 0.017}, {0.1, 0.042}, {0.2, 0.108}, {0.3, 0.169},  {0.4, 0.228}, {0.5, 0.305},
              {0.6, 0.407}, {0.7, 0.51},   {0.8, 0.623}, {0.9, 0.735}, {0.95, 0.835}, {1, 1}};

double count_time_part(double work_part, bool with_table) {
    if (!with_table || work_part >= 1) return work_part;
    unsigned i = 1;
    while (course[i].work < work_part) i++;
    const double from = course[i - 1].work, within = (work_part - from) / (course[i].work - from);
    return course[i - 1].time + within * (course[i].time - course[i - 1].time);
}

void count_rate_update(CountRate *rate, double seconds, double part) {
    if (part <= 0) return;
    if (rate->part <= 0) {
        *rate = (CountRate){.began_at = seconds, .began_part = part, .at = seconds, .part = part};
        return;
    }
    const double quarter = (seconds - rate->began_at) / 4, passed = seconds - rate->at;
    if (passed <= 0) return;
    const double decay = exp(-passed / quarter);
    rate->part_weighted = rate->part_weighted * decay + part - rate->part;
    rate->seconds_weighted = rate->seconds_weighted * decay + passed;
    rate->at = seconds, rate->part = part;
}

double count_rate_seconds(const CountRate *rate) {
    /* Of a count of many hours a minute has to do. */
    static const double least_part = 0.02, least_seconds = 1, enough_seconds = 60;
    const double part = rate->part - rate->began_part, seconds = rate->at - rate->began_at;
    const bool known = (part >= least_part && seconds >= least_seconds) || seconds >= enough_seconds;
    return known && rate->part_weighted > 0 ? (1 - rate->part) * rate->seconds_weighted / rate->part_weighted : -1;
}

/* Of what was left to do at the beginning, as a part of the time. */
static double part_done(const CountProgress *from, const CountProgress *now) {
    if (now->work_total <= from->work_done) return 0;
    const double work = (double)(now->work_done - from->work_done) / (double)(now->work_total - from->work_done);
    return count_time_part(work, now->probes > from->probes);
}

unsigned count_progress_text(const CountProgressLine *progress, char out[PROGRESS_TEXT_MAX]) {
    const CountProgress *from = progress->from, *now = progress->now;
    const double seconds = progress->seconds;
    const unsigned capacity = progress->columns < PROGRESS_TEXT_MAX ? progress->columns : PROGRESS_TEXT_MAX - 1;
    LineBuffer line = {.text = out, .capacity = capacity};
    char text[SHORT_TEXT_MAX];
    const uint64_t probes = now->probes - from->probes;
    const double left = count_rate_seconds(progress->rate);
    assert(now->units_done >= from->units_done && now->probes >= from->probes);
    out[0] = '\0';
    if (now->work_total) append_part(&line, "%.1f %%", 100 * (double)now->work_done / (double)now->work_total);
    tabia_duration_text(seconds, text);
    append_part(&line, "%s passed", text);
    if (left >= 0) {
        tabia_duration_text(left, text);
        append_part(&line, "%s left", text);
    }
    append_part(&line, "%" PRIu64 "/%" PRIu64 " units", now->units_done, now->units_total);
    if (now->nodes == from->nodes) { /* which takes a while where the pages of a large table are cleared */
        append_part(&line, "the first under way");
        return line.length;
    }
    if (seconds > 0) {
        tabia_rate_text((double)(now->nodes - from->nodes) / seconds, text);
        append_part(&line, "%s", text);
    }
    tabia_amount_text((double)now->nodes, text);
    append_part(&line, "%s nodes", text);
    if (probes) append_part(&line, "%.1f %% table hits", 100.0 * (double)(now->hits - from->hits) / (double)probes);
    return line.length;
}

void count_progress_show(Progress *p, CountRate *rate, const CountProgress *from, const CountProgress *now) {
    CountProgressLine line = {.from = from, .now = now, .rate = rate, .seconds = tabia_progress_seconds(p)};
    count_rate_update(rate, line.seconds, part_done(from, now)); /* for the line that is asked for later, too */
    if (!tabia_progress_is_due(p, NULL)) return;
    char text[PROGRESS_TEXT_MAX];
    line.columns = tabia_progress_columns(p);
    count_progress_text(&line, text);
    tabia_progress_show(p, "%s", text);
}
