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

void tabia_meter_text(const char *unit, uint64_t done, double share, double seconds, const char *more,
                      char out[METER_TEXT_MAX]) {
    char amount[SHORT_TEXT_MAX], rate[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX], way[64] = "";
    tabia_amount_text((double)done, amount);
    tabia_rate_text(seconds > 0 ? (double)done / seconds : -1, rate);
    if (share > 0) {
        tabia_duration_text(share < 1 ? seconds * (1 - share) / share : 0, left);
        snprintf(way, sizeof way, ", %.0f %%, %s left", share < 1 ? 100 * share : 100, left);
    }
    snprintf(out, METER_TEXT_MAX, "%s %.20s, %s%s%s%.40s", amount, unit, rate, way, more ? ", " : "", more ? more : "");
}

void tabia_meter_show(Meter *m, uint64_t done, double share, const char *more) {
    if (!m->out) return;
    const double now = tabia_clock_wall();
    if (done < m->done) m->began_at = now;
    m->done = done;
    if (now - m->began_at < wait_seconds || now - m->shown_at < between_seconds) return;
    char text[METER_TEXT_MAX];
    tabia_meter_text(m->unit, done, share, now - m->began_at, more, text);
    fprintf(m->out, "\r%s\033[K", text);
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
