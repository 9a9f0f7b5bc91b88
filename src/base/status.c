/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "time.h"

static const double wait_seconds = 2, between_seconds = 0.2;

/* A terminal that can go back to the line's beginning and clear it. */
static bool can_rewrite(FILE *out) {
    const char *kind = getenv("TERM");
    return out && isatty(fileno(out)) && kind && strcmp(kind, "dumb") != 0;
}

void tabia_status_begin(Status *s, FILE *out) {
    *s = (Status){.out = can_rewrite(out) ? out : NULL, .began_at = tabia_clock_wall()};
}

bool tabia_status_due(const Status *s, double *seconds) {
    if (!s->out) return false;
    const double now = tabia_clock_wall();
    if (seconds) *seconds = now - s->began_at;
    return now - s->began_at >= wait_seconds && now - s->shown_at >= between_seconds;
}

void tabia_status_show(Status *s, const char *format, ...) {
    if (!s->out) return;
    va_list arguments;
    va_start(arguments, format);
    fputc('\r', s->out);
    vfprintf(s->out, format, arguments);
    va_end(arguments);
    fputs("\033[K", s->out);
    fflush(s->out);
    s->shown = true;
    s->shown_at = tabia_clock_wall();
}

void tabia_status_end(Status *s) {
    if (!s->shown) return;
    fputs("\r\033[K", s->out);
    fflush(s->out);
    s->shown = false;
}
