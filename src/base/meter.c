/* SPDX-License-Identifier: MIT */
#include "base/meter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

static const double wait_seconds = 2, between_seconds = 0.2;

/* A terminal that can go back to the line's beginning and clear it. */
static bool can_rewrite(FILE *out) {
    const char *kind = getenv("TERM");
    return out && isatty(fileno(out)) && kind && strcmp(kind, "dumb") != 0;
}

void tabia_meter_begin(Meter *m, FILE *out, const char *unit) {
    *m = (Meter){.out = can_rewrite(out) ? out : NULL, .unit = unit, .began_at = tabia_clock_wall()};
}

void tabia_meter_show(Meter *m, uint64_t done, double share, const char *more) {
    if (!m->out) return;
    const double now = tabia_clock_wall(), seconds = now - m->began_at;
    if (seconds < wait_seconds || now - m->shown_at < between_seconds) return;
    char amount[SHORT_TEXT_MAX], rate[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX];
    tabia_amount_text((double)done, amount);
    tabia_rate_text((double)done / seconds, rate);
    fprintf(m->out, "\r%s %s, %s", amount, m->unit, rate);
    if (share > 0) {
        tabia_duration_text(seconds * (1 - share) / share, left);
        fprintf(m->out, ", %.0f %%, %s left", 100 * share, left);
    }
    fprintf(m->out, "%s%s\033[K", more ? ", " : "", more ? more : "");
    fflush(m->out);
    m->shown = true;
    m->shown_at = now;
}

void tabia_meter_end(Meter *m) {
    if (!m->shown) return;
    fputs("\r\033[K", m->out);
    fflush(m->out);
    m->shown = false;
}
