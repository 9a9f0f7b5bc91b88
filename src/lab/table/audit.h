/* SPDX-License-Identifier: MIT */
/*
 * The audit of the table: how true it is, and how useful. Each experiment fills a sheet or two, and may make claims
 * that hold or do not.
 */
#pragma once
#include "audit_sheet.h"
#include "stream.h"

/* member, name, what it asks */
#define AUDIT_EXPERIMENTS(X)                                                                                           \
    X(FALSE_HITS, "false", "random keys that were never stored: how often are they found, by the width of the key?")   \
    X(TOTALS, "totals", "perft with narrow signatures: how wrong does the total come out?")                            \
    X(SIZE, "size", "hit rate and nodes walked against the size of the table")                                         \
    X(WAYS, "ways", "the same against the slots of a bucket, at several sizes")                                        \
    X(REPLACEMENT, "replacement", "which slot of a full bucket gives way: each rule, for counts and for entries")      \
    X(SHARING, "sharing", "one table for all threads against a part for each, same bytes in all")                      \
    X(AGING, "aging", "a game, a generation for each move: entries that age, that do not, that are forgotten")         \
    X(PATH, "path", "what it costs when a score is good only for the way the position was reached")

typedef enum {
#define AUDIT_MEMBER(member, name, about) AUDIT_##member,
    AUDIT_EXPERIMENTS(AUDIT_MEMBER)
#undef AUDIT_MEMBER
        AUDIT_N
} AuditExperiment;

/* Its name and what it asks, constant texts. */
const char *audit_name(AuditExperiment e);
const char *audit_about(AuditExperiment e);
/* Does it replay a stream of the caller's? (Aging can, and records a game of its own if it is given none.) */
bool audit_needs_stream(AuditExperiment e);

typedef struct {
    unsigned only;        /* set of experiments, bit 1 << AuditExperiment; 0: all */
    const Stream *stream; /* needed if one of them needs it; aging uses it if it has several generations */
    uint64_t probes;      /* of each key width too wide to give enough false hits. 0: 1e9, quick 1e7 */
    unsigned bits;        /* of the key widths this one only. 0: all */
    unsigned threads;     /* 0: one for each processor that may be used */
    bool quick;
    uint64_t seed;
    /* Called some times a second by the calling thread: what is being done, and the share of it done. May be NULL. */
    void (*progress)(void *context, const char *what, double share);
    void *context;
} AuditOptions;

typedef struct {
    char text[200];
    bool held;
} AuditClaim;

enum { AUDIT_SHEETS_MAX = 10, AUDIT_CLAIMS_MAX = 40 };

typedef struct {
    Sheet sheet[AUDIT_SHEETS_MAX];
    unsigned sheets;
    AuditClaim claim[AUDIT_CLAIMS_MAX];
    unsigned claims;
    bool held; /* all of them */
} AuditReport;

/* Runs the experiments. False with an error if something could not be done or a stop was requested; what was found until
   then is in the report. audit_free() it in any case. */
bool audit_run(const AuditOptions *o, AuditReport *report, TabiaError *error);
void audit_free(AuditReport *report);

/* ---- for the experiments ---- */

/* A new sheet of the report. */
Sheet *audit_sheet(AuditReport *report, const char *name, const char *title, const SheetColumn *column,
                   unsigned columns, const SheetPlot *plot);
void audit_claim(AuditReport *report, bool held, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds the row, or an error about memory. */
bool audit_row(Sheet *s, const Cell *row, TabiaError *error);
void audit_progress(const AuditOptions *o, const char *what, double share);

typedef bool AuditRun(const AuditOptions *o, AuditReport *report, TabiaError *error);
AuditRun audit_false_hits, audit_totals, audit_size, audit_ways, audit_replacement, audit_sharing, audit_aging,
    audit_path;

/* Records a game, each position with all depths up to 5 (quick: 4) and a generation of its own. */
bool audit_record_game(const AuditOptions *o, Stream *s, TabiaError *error);
