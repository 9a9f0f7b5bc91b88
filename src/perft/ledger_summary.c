/* SPDX-License-Identifier: MIT */
#include "ledger_summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units that came once or more. */
typedef struct {
    bool *seen;
    uint64_t total, done;
} LedgerCount;

static void count_unit(void *context, uint64_t unit, U128 leaves) {
    LedgerCount *c = context;
    (void)leaves;
    if (!c->seen || unit >= c->total || c->seen[unit]) return;
    c->seen[unit] = true, c->done++;
}

static void ignore_unit(void *context, uint64_t unit, U128 leaves) {
    (void)context, (void)unit, (void)leaves;
}

/* "perft 11 in 20116 units (...) at ply 5 of FEN": how many units, and the position. */
static bool read_run(LedgerSummary *s) {
    const char *of = strstr(s->facts.run, " of ");
    if (!of || sscanf(s->facts.run, "%15s %d in %" SCNu64 " units", s->what, &s->depth, &s->units) != 3) return false;
    Position p;
    if (!fen_parse(&p, of + 4, NULL)) return false;
    fen_write(&p, FEN_STANDARD, s->position);
    return s->units <= UINT32_MAX;
}

bool ledger_summary_read(LedgerSummary *s, const char *file_name, bool *outside, TabiaError *error) {
    *outside = false;
    if (!ledger_read(file_name, ignore_unit, NULL, &s->facts, error)) return false;
    if (!strncmp(s->facts.run, "unique", 6))
        return tabia_fail(error, "%.100s: of tabia unique, which shows itself how far it is: repeat its command",
                          file_name);
    if (!read_run(s))
        return tabia_fail(error, "%.100s: of a count that this program does not know: %.200s", file_name, s->facts.run);
    LedgerCount c = {.seen = calloc(s->units + 1, sizeof *c.seen), .total = s->units};
    *outside = true;
    const bool good = (c.seen || tabia_fail(error, "not enough memory for %ju units", (uintmax_t)c.total)) &&
                      ledger_read(file_name, count_unit, &c, &s->facts, error);
    free(c.seen);
    s->units_done = c.done;
    return good;
}
