/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/stop.h"
#include "base/system.h"
#include "base/text.h"
#include "base/time.h"

/* Seconds before the first line, and between two. */
static const double first_delay = 1, interval = 0.2;

void tabia_progress_begin(Progress *p, FILE *out, const char *unit) {
    *p = (Progress){.out = out,
                    .is_terminal = out && tabia_terminal_columns(out) > 0,
                    .requests = tabia_status_requests(),
                    .unit = unit,
                    .began_at = tabia_clock_wall()};
}

void tabia_progress_every(Progress *p, unsigned seconds) {
    p->every = seconds;
}

static bool is_requested(const Progress *p) {
    return tabia_status_requests() != p->requests;
}

static bool is_line_due(const Progress *p, double now) {
    if (p->every > 0) return now - (p->shown_at > 0 ? p->shown_at : p->began_at) >= p->every;
    return now - p->began_at >= first_delay && now - p->shown_at >= interval;
}

bool tabia_progress_is_due(const Progress *p, double *seconds) {
    const bool requested = is_requested(p);
    if (!p->out || (!requested && !p->is_terminal && !p->every)) return false;
    const double now = tabia_clock_wall();
    if (seconds) *seconds = now - p->began_at;
    return requested || is_line_due(p, now);
}

void tabia_progress_show(Progress *p, const char *format, ...) {
    const bool stays = p->every > 0 || is_requested(p);
    if (!p->out || (!stays && !p->is_terminal)) return;
    va_list arguments;
    if (stays) tabia_progress_end(p);
    va_start(arguments, format);
    if (!stays) fputc('\r', p->out);
    vfprintf(p->out, format, arguments);
    va_end(arguments);
    fputs(stays ? "\n" : "\033[K", p->out);
    fflush(p->out);
    p->is_shown = !stays;
    p->requests = tabia_status_requests();
    p->shown_at = tabia_clock_wall();
}

/* The columns that a line may fill: one less than the terminal has, because some terminals wrap when the last column is
   written; 79 where the terminal does not say. Lines that stay may be longer. */
static unsigned columns_of(const Progress *p) {
    if (!p->is_terminal || p->every > 0) return PROGRESS_TEXT_MAX - 1;
    return tabia_terminal_columns(p->out) - 1;
}

void tabia_progress_text(const ProgressAmount *a, char out[PROGRESS_TEXT_MAX]) {
    char amount[SHORT_TEXT_MAX], rate[SHORT_TEXT_MAX], passed[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX], part[64] = "";
    const double seconds = a->seconds - a->waited, fraction = a->fraction;
    tabia_amount_text(a->done, amount);
    tabia_rate_text(seconds > 0 ? a->done / seconds : -1, rate);
    if (a->done <= 0) snprintf(rate, sizeof rate, "measuring");
    tabia_duration_text(a->seconds, passed);
    if (fraction > 0) {
        tabia_duration_text(fraction < 1 ? seconds * (1 - fraction) / fraction : 0, left);
        snprintf(part, sizeof part, ", %.3g %%, %s passed, %s left", fraction < 1 ? 100 * fraction : 100, passed, left);
    } else {
        snprintf(part, sizeof part, ", %s passed", passed);
    }
    snprintf(out, PROGRESS_TEXT_MAX, "%s %.20s, %s%s%s%.50s", amount, a->unit, rate, part, a->detail ? ", " : "",
             a->detail ? a->detail : "");
}

void tabia_progress_again(Progress *p) {
    tabia_progress_end(p);
    if (!p->shown_at) p->shown_at = p->began_at; /* many short pieces have their lines, too */
    p->began_at = tabia_clock_wall();
    p->done = p->waited = 0;
}

void tabia_progress_update(Progress *p, double done, double fraction, const char *detail) {
    assert(p->unit);
    if (done < p->done) tabia_progress_again(p);
    p->done = done;
    if (done <= 0) p->waited = tabia_clock_wall() - p->began_at;
    ProgressAmount amount = {
        .unit = p->unit, .done = done, .fraction = fraction, .waited = p->waited, .detail = detail};
    if (!tabia_progress_is_due(p, &amount.seconds)) return;
    char text[PROGRESS_TEXT_MAX];
    tabia_progress_text(&amount, text);
    const unsigned columns = columns_of(p);
    if (columns < sizeof text) text[columns] = '\0';
    tabia_progress_show(p, "%s", text);
}

void tabia_progress_end(Progress *p) {
    if (!p->is_shown) return;
    assert(p->out);
    fputs("\r\033[K", p->out);
    fflush(p->out);
    p->is_shown = false;
}
