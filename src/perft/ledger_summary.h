/* SPDX-License-Identifier: MIT */
/* How far a count is, by its ledger, which a run may be writing. */
#pragma once
#include "ledger.h"
#include "notation/fen.h"

typedef struct {
    char what[16]; /* "perft", or what else is counted */
    int depth;
    char position[FEN_MAX]; /* its FEN: KQkq where that names the rooks */
    uint64_t units, units_done;
    LedgerFacts facts;
} LedgerSummary;

/* Reads it, and changes nothing. False with an error: it is no ledger, cannot be read, or there is no memory for its units.
   *outside is whether memory or the system failed, and not the file. */
bool ledger_summary_read(LedgerSummary *s, const char *file_name, bool *outside, TabiaError *error);
