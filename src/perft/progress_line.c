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

void count_rate_update(CountRate *rate, double seconds, uint64_t work) {
    const double quarter = seconds / 4, passed = seconds - rate->at;
    if (passed <= 0) return;
    const double decay = exp(-passed / quarter);
    assert(work >= rate->work);
    rate->work_weighted = rate->work_weighted * decay + (double)(work - rate->work);
    rate->seconds_weighted = rate->seconds_weighted * decay + passed;
    rate->at = seconds, rate->work = work;
}

double count_rate_seconds(const CountRate *rate, uint64_t work) {
    return rate->work_weighted > 0 ? (double)work * rate->seconds_weighted / rate->work_weighted : -1;
}

unsigned count_progress_text(const CountProgressLine *progress, char out[PROGRESS_TEXT_MAX]) {
    const CountProgress *from = progress->from, *now = progress->now;
    const double seconds = progress->seconds;
    const unsigned capacity = progress->columns < PROGRESS_TEXT_MAX ? progress->columns : PROGRESS_TEXT_MAX - 1;
    LineBuffer line = {.text = out, .capacity = capacity};
    char text[SHORT_TEXT_MAX];
    const uint64_t probes = now->probes - from->probes;
    const double left = count_rate_seconds(progress->rate, now->work_total - now->work_done);
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
    CountProgressLine line = {.from = from, .now = now, .rate = rate};
    if (!tabia_progress_is_due(p, &line.seconds)) return;
    count_rate_update(rate, line.seconds, now->work_done - from->work_done);
    char text[PROGRESS_TEXT_MAX];
    line.columns = tabia_progress_columns(p);
    count_progress_text(&line, text);
    tabia_progress_show(p, "%s", text);
}
