/* SPDX-License-Identifier: MIT */
/* False hits by the width of the key, beside the formula. */
#include <math.h>

#include "audit.h"
#include "audit_false.h"
#include "base/threads.h"

enum { SMALL = 1 << 20, LARGE = 16 << 20, SURE_EVENTS = 20000, SURE_EVENTS_QUICK = 10000 };

static const struct {
    const char *key;
    unsigned bits;
    bool one_word;
    uint64_t bytes;
} cases[] = {
    {"two words", 16, false, SMALL}, {"two words", 16, false, LARGE}, {"two words", 24, false, SMALL},
    {"two words", 32, false, SMALL}, {"two words", 48, false, SMALL}, {"two words", 64, false, SMALL},
    {"one word", 24, true, SMALL},   {"one word", 24, true, LARGE},   {"one word", 48, true, SMALL},
};

enum { C_KEY, C_BITS, C_BYTES, C_FILL, C_PROBES, C_FALSE, C_RATE, C_FORMULA, C_RATIO, C_BELOW, COLUMNS };

static const SheetColumn columns[COLUMNS] = {
    [C_KEY] = {"key", "key", CELL_TEXT},
    [C_BITS] = {"signature_bits", "signature bits", CELL_NUMBER},
    [C_BYTES] = {"bytes", "table", CELL_BYTES},
    [C_FILL] = {"fill", "full", CELL_SHARE},
    [C_PROBES] = {"probes", "probes", CELL_NUMBER},
    [C_FALSE] = {"false_hits", "false hits", CELL_NUMBER},
    [C_RATE] = {"rate", "a probe", CELL_RATE},
    [C_FORMULA] = {"formula", "formula", CELL_RATE},
    [C_RATIO] = {"of_formula", "of formula", CELL_RATIO},
    [C_BELOW] = {"below_95", "below (95 %)", CELL_RATE},
};

static const SheetPlot plot = {
    .x = C_BITS, .y = C_RATE, .also = 1 << C_FORMULA, .series = C_KEY, .y_log = true, .y_label = "false hits a probe"};

typedef struct {
    const AuditOptions *o;
    char what[64];
} WidthsWatch;

static void show(void *context, double share) {
    WidthsWatch *w = context;
    audit_progress(w->o, w->what, share);
}

/* Within five standard deviations, and five events more where few are expected? */
static bool is_chance(double found, double expected) {
    const double beyond = fabs(found - expected) - 5;
    return beyond <= 0 || beyond * beyond <= 25 * expected;
}

/* 16 bits must meet the formula within 5 %, 48 and more must be silent; what lies between must be what chance
   allows. */
static void claim(AuditReport *report, const FalseCase *c, const FalseResult *r) {
    const char *key = c->one_word ? ", one word" : "";
    const double expected = r->formula * (double)r->probes, found = (double)r->false_hits;
    if (c->signature_bits >= 48)
        audit_claim(report, r->false_hits == 0, "%u signature bits%s: %ju false hits in %.3g audited probes",
                    c->signature_bits, key, (uintmax_t)r->false_hits, (double)r->probes);
    else if (c->signature_bits == 16)
        audit_claim(report, fabs(found / expected - 1) <= 0.05,
                    "16 signature bits, table of %ju KiB: %.2f %% from the formula (may be 5 %%)",
                    (uintmax_t)c->bytes >> 10, 100 * (found / expected - 1));
    else
        audit_claim(report, is_chance(found, expected),
                    "%u signature bits%s, table of %ju KiB: %.0f false hits where %.1f are expected", c->signature_bits,
                    key, (uintmax_t)c->bytes >> 10, found, expected);
}

bool audit_false_hits(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    Sheet *s =
        audit_sheet(report, "false",
                    "keys that were never stored, found all the same; formula: 4 * full / 2^bits; two words: 128 bits",
                    columns, COLUMNS, &plot);
    const uint64_t wide = o->probes ? o->probes : o->quick ? 10000000 : 1000000000;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        WidthsWatch w = {.o = o};
        if (o->bits && o->bits != cases[i].bits) continue;
        FalseCase c = {.signature_bits = cases[i].bits,
                       .one_word = cases[i].one_word,
                       .bytes = cases[i].bytes,
                       .probes = wide,
                       .threads = o->threads ? o->threads : tabia_threads_usable(),
                       .seed = o->seed + i,
                       .progress = show,
                       .context = &w};
        /* As many probes as a narrow one needs for its error to be small. */
        if (c.signature_bits == 16)
            c.probes = (uint64_t)((o->quick ? SURE_EVENTS_QUICK : SURE_EVENTS) / false_formula(&c, 1)) + 1;
        snprintf(w.what, sizeof w.what, "false: %u bits, %s, %ju KiB", c.signature_bits, cases[i].key,
                 (uintmax_t)c.bytes >> 10);
        FalseResult r = {0};
        if (!false_measure(&c, &r, error)) return false;
        const double rate = (double)r.false_hits / (double)r.probes;
        const Cell row[COLUMNS] = {
            [C_KEY].text = cases[i].key,
            [C_BITS].number = c.signature_bits,
            [C_BYTES].number = c.bytes,
            [C_FILL].real = r.fill,
            [C_PROBES].number = r.probes,
            [C_FALSE].number = r.false_hits,
            [C_RATE].real = rate,
            [C_FORMULA].real = r.formula,
            [C_RATIO].real = r.false_hits ? rate / r.formula : NAN, /* 0 says nothing but that it is below: */
            [C_BELOW].real = r.false_hits ? NAN : 3.0 / (double)r.probes,
        };
        if (!audit_row(s, row, error)) return false;
        claim(report, &c, &r);
    }
    return true;
}
