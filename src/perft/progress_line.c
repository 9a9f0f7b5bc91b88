/* SPDX-License-Identifier: MIT */
#include "perft/progress_line.h"

#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
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

unsigned count_progress_text(const CountProgressLine *progress, char out[PROGRESS_TEXT_MAX]) {
    const CountProgress *from = progress->from, *now = progress->now;
    const double seconds = progress->seconds;
    const unsigned capacity = progress->columns < PROGRESS_TEXT_MAX ? progress->columns : PROGRESS_TEXT_MAX - 1;
    LineBuffer line = {.text = out, .capacity = capacity};
    char text[SHORT_TEXT_MAX];
    const uint64_t done = now->units_done - from->units_done, probes = now->probes - from->probes;
    assert(now->units_done >= from->units_done && now->probes >= from->probes);
    out[0] = '\0';
    append_part(&line, "%" PRIu64 "/%" PRIu64 " units", now->units_done, now->units_total);
    if (done) {
        tabia_duration_text(seconds * (double)(now->units_total - now->units_done) / (double)done, text);
        append_part(&line, "%s left", text);
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

void count_progress_show(Progress *p, const CountProgress *from, const CountProgress *now) {
    CountProgressLine line = {.from = from, .now = now};
    if (!tabia_progress_is_due(p, &line.seconds)) return;
    char text[PROGRESS_TEXT_MAX];
    line.columns = tabia_progress_columns(p);
    count_progress_text(&line, text);
    tabia_progress_show(p, "%s", text);
}
