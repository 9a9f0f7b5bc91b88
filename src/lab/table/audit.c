/* SPDX-License-Identifier: MIT */
#include "audit.h"

#include <assert.h>
#include <stdarg.h>

static const struct {
    const char *name, *about;
} experiment[] = {
#define AUDIT_TEXTS(member, name, about) {name, about},
    AUDIT_EXPERIMENTS(AUDIT_TEXTS)
#undef AUDIT_TEXTS
};

static AuditRun *const run[] = {
    [AUDIT_FALSE_HITS] = audit_false_hits,
    [AUDIT_TOTALS] = audit_totals,
    [AUDIT_SIZE] = audit_size,
    [AUDIT_WAYS] = audit_ways,
    [AUDIT_REPLACEMENT] = audit_replacement,
    [AUDIT_SHARING] = audit_sharing,
    [AUDIT_AGING] = audit_aging,
    [AUDIT_PATH] = audit_path,
};

const char *audit_name(AuditExperiment e) {
    assert(e < AUDIT_N);
    return experiment[e].name;
}

const char *audit_about(AuditExperiment e) {
    assert(e < AUDIT_N);
    return experiment[e].about;
}

bool audit_needs_stream(AuditExperiment e) {
    return e != AUDIT_FALSE_HITS && e != AUDIT_AGING;
}

Sheet *audit_sheet(AuditReport *report, const char *name, const char *title, const SheetColumn *column,
                   unsigned columns, const SheetPlot *plot) {
    assert(report->sheets < AUDIT_SHEETS_MAX);
    Sheet *s = &report->sheet[report->sheets++];
    *s = (Sheet){.name = name, .title = title, .column = column, .columns = columns, .plot = plot};
    return s;
}

void audit_claim(AuditReport *report, bool held, const char *format, ...) {
    assert(report->claims < AUDIT_CLAIMS_MAX);
    AuditClaim *c = &report->claim[report->claims++];
    va_list list;
    va_start(list, format);
    vsnprintf(c->text, sizeof c->text, format, list);
    va_end(list);
    c->held = held;
    report->held = report->held && held;
}

bool audit_row(Sheet *s, const Cell *row, TabiaError *error) {
    return sheet_add(s, row) || tabia_fail(error, "not enough memory for the sheet %s", s->name);
}

void audit_progress(const AuditOptions *o, const char *what, double share) {
    if (o->progress) o->progress(o->context, what, share);
}

bool audit_run(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    *report = (AuditReport){.held = true};
    for (unsigned e = 0; e < AUDIT_N; e++)
        if ((!o->only || o->only >> e & 1) && !run[e](o, report, error)) return false;
    return true;
}

void audit_free(AuditReport *report) {
    for (unsigned i = 0; i < report->sheets; i++) sheet_free(&report->sheet[i]);
    report->sheets = 0;
}
