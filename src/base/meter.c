/* SPDX-License-Identifier: MIT */
#include "base/meter.h"

#include "base/text.h"

void tabia_meter_begin(Meter *m, FILE *out, const char *unit) {
    *m = (Meter){.unit = unit};
    tabia_status_begin(&m->status, out);
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
    double seconds;
    if (done < m->done) tabia_status_end(&m->status), tabia_status_begin(&m->status, m->status.out);
    m->done = done;
    if (!tabia_status_due(&m->status, &seconds)) return;
    char text[METER_TEXT_MAX];
    tabia_meter_text(m->unit, done, share, seconds, more, text);
    tabia_status_show(&m->status, "%s", text);
}

void tabia_meter_end(Meter *m) {
    tabia_status_end(&m->status);
}
