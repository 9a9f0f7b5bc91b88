/* SPDX-License-Identifier: MIT */
#include "perft/progress.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

/* A text that grows by whole parts until one has no room. */
typedef struct {
    char *text;
    unsigned length, room;
    bool full;
} Line;

static void __attribute__((format(printf, 2, 3))) add_part(Line *line, const char *format, ...) {
    char part[PROGRESS_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    const char *comma = line->length ? ", " : "";
    unsigned all = (unsigned)strlen(comma) + (unsigned)length;
    line->full |= length < 0 || (size_t)length >= sizeof part || all > line->room - line->length;
    if (line->full) return;
    line->length += (unsigned)sprintf(line->text + line->length, "%s%s", comma, part);
}

unsigned progress_text(const ProgressState *from, const ProgressState *now, double seconds, unsigned columns,
                       char out[PROGRESS_TEXT_MAX]) {
    Line line = {.text = out, .room = columns < PROGRESS_TEXT_MAX ? columns : PROGRESS_TEXT_MAX - 1};
    char text[SHORT_TEXT_MAX];
    uint64_t done = now->units_done - from->units_done, probes = now->probes - from->probes;
    out[0] = '\0';
    add_part(&line, "%" PRIu64 "/%" PRIu64 " units", now->units_done, now->units_total);
    if (done) {
        tabia_duration_text(seconds * (double)(now->units_total - now->units_done) / (double)done, text);
        add_part(&line, "%s left", text);
    }
    if (seconds > 0) {
        tabia_rate_text((double)(now->nodes - from->nodes) / seconds, text);
        add_part(&line, "%s", text);
    }
    tabia_amount_text((double)now->nodes, text);
    add_part(&line, "%s nodes", text);
    if (probes) add_part(&line, "%.1f %% table hits", 100.0 * (double)(now->hits - from->hits) / (double)probes);
    return line.length;
}

void progress_begin(Progress *p, FILE *out, const ProgressState *from) {
    p->from = *from;
    tabia_status_begin(&p->status, out);
}

/* One less than there are: a terminal may go to the next line when the last column is filled. */
static unsigned usable_columns(FILE *out) {
    struct winsize size;
    bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col - 1u : 79;
}

void progress_show(Progress *p, const ProgressState *now) {
    double seconds;
    if (!tabia_status_due(&p->status, &seconds)) return;
    char text[PROGRESS_TEXT_MAX];
    progress_text(&p->from, now, seconds, usable_columns(p->status.out), text);
    tabia_status_show(&p->status, "%s", text);
}

void progress_end(Progress *p) {
    tabia_status_end(&p->status);
}
