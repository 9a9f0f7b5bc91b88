/* SPDX-License-Identifier: MIT */
/* What a table is worth to a real perft, replayed: by size, by ways, shared or parted, and with signatures too
   narrow. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "audit.h"
#include "base/stop.h"
#include "replay.h"

enum { TABLE_LEAST = 64 << 10 };

/* The replay of the caller's stream with a new table of these options. */
static bool replay_fresh(const AuditOptions *o, TabiaOptions options, ReplayOptions replay, ReplayCounts *counts,
                         TabiaError *error) {
    TabiaTable *table;
    options.threads = 1, options.watch = &(TabiaWatch){.stop = tabia_stop_watch};
    if (tabia_table_create(&table, &options, error)) return false;
    const bool good = replay_run(o->stream, table, &replay, counts, NULL, error);
    tabia_table_destroy(table);
    return good;
}

/* About half of the stream's records fit: more than there are different ones, of which a tree has many times as few. */
static uint64_t ample_bytes(const Stream *s) {
    uint64_t bytes = TABLE_LEAST;
    while (bytes < s->records * 16 / 2) bytes *= 2;
    return bytes;
}

static uint64_t true_total(const Stream *s) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->runs; i++) total += s->record[s->run[i].first].leaves;
    return total;
}

/* Replays that a sheet compares: by the nodes that the first of them walked, and by whether all totals were true. */
typedef struct {
    const AuditOptions *o;
    Sheet *sheet;
    uint64_t first_walked;
    bool exact;
} ReplaySeries;

static ReplaySeries series_begin(const AuditOptions *o, Sheet *sheet) {
    return (ReplaySeries){.o = o, .sheet = sheet, .exact = true};
}

/* The next replay of the series, with a new table of these options. */
static bool series_next(ReplaySeries *s, TabiaOptions options, ReplayOptions replay, ReplayCounts *c,
                        TabiaError *error) {
    if (!replay_fresh(s->o, options, replay, c, error)) return false;
    assert(c->hits + c->walked == c->probes);
    s->exact = s->exact && c->total == true_total(s->o->stream) && !c->wrong;
    if (!s->first_walked) s->first_walked = c->walked;
    return true;
}

static double times_first(const ReplaySeries *s, const ReplayCounts *c) {
    return (double)c->walked / (double)s->first_walked;
}

/* With whole signatures a replay gives the true total, whatever the table forgets. */
static void claim_totals(const ReplaySeries *s, AuditReport *report) {
    audit_claim(report, s->exact, "%s: every total is the true one, %" PRIu64, s->sheet->name,
                true_total(s->o->stream));
}

/* ---- size and ways ---- */

enum { S_WAYS, S_BYTES, S_PROBES, S_HITS, S_WALKED, S_TIMES, S_COLUMNS };

static const SheetColumn size_columns[S_COLUMNS] = {
    [S_WAYS] = {"bucket", "bucket", CELL_TEXT},
    [S_BYTES] = {"bytes", "table", CELL_BYTES},
    [S_PROBES] = {"probes", "probes", CELL_NUMBER},
    [S_HITS] = {"hits", "hits", CELL_SHARE},
    [S_WALKED] = {"walked", "nodes walked", CELL_NUMBER},
    [S_TIMES] = {"times_ample", "of an ample table's", CELL_RATIO},
};

static const SheetPlot size_plot = {
    .x = S_BYTES, .y = S_WALKED, .series = S_WAYS, .x_log = true, .y_log = true, .y_label = "nodes walked"};

static const struct {
    unsigned ways;
    const char *name;
} ways[] = {{1, "1 slot"}, {2, "2 slots"}, {4, "4 slots"}};

/* One row: the replay at a size, with that many ways. */
static bool size_row(ReplaySeries *s, uint64_t bytes, unsigned w, TabiaError *error) {
    ReplayCounts c;
    const TabiaOptions options = {.type = TABIA_COUNTS, .bytes = bytes, .ways = ways[w].ways};
    if (!series_next(s, options, (ReplayOptions){0}, &c, error)) return false;
    const Cell row[S_COLUMNS] = {
        [S_WAYS].text = ways[w].name,         [S_BYTES].number = bytes,     [S_PROBES].number = c.probes,
        [S_HITS].real = replay_hit_share(&c), [S_WALKED].number = c.walked, [S_TIMES].real = times_first(s, &c),
    };
    return audit_row(s->sheet, row, error);
}

/* The sizes ample, ample / step, ..., `sizes` of them, the largest first, for the ways from ways[least_ways] on. */
typedef struct {
    unsigned sizes, step, least_ways;
} SizeRange;

static bool size_rows(const AuditOptions *o, AuditReport *report, Sheet *sheet, SizeRange range, TabiaError *error) {
    ReplaySeries s = series_begin(o, sheet);
    uint64_t bytes = ample_bytes(o->stream);
    for (unsigned i = 0; i < range.sizes && bytes >= TABLE_LEAST / 4; i++, bytes /= range.step)
        for (unsigned w = sizeof ways / sizeof *ways; w-- > range.least_ways;) {
            audit_progress(o, sheet->name, (double)i / range.sizes);
            if (!size_row(&s, bytes, w, error)) return false;
        }
    claim_totals(&s, report);
    return true;
}

bool audit_size(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    Sheet *s = audit_sheet(report, "size", "hits and nodes walked by the size of the table", size_columns, S_COLUMNS,
                           &size_plot);
    return size_rows(o, report, s, (SizeRange){.sizes = 10, .step = 2, .least_ways = 2}, error);
}

bool audit_ways(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    Sheet *s = audit_sheet(report, "ways", "hits and nodes walked by the slots of a bucket", size_columns, S_COLUMNS,
                           &size_plot);
    return size_rows(o, report, s, (SizeRange){.sizes = 5, .step = 4, .least_ways = 0}, error);
}

/* ---- sharing ---- */

enum { P_SHARING, P_THREADS, P_BYTES, P_HITS, P_WALKED, P_TIMES, P_COLUMNS };

static const SheetColumn sharing_columns[P_COLUMNS] = {
    [P_SHARING] = {"sharing", "table", CELL_TEXT},        [P_THREADS] = {"threads", "threads", CELL_NUMBER},
    [P_BYTES] = {"bytes", "bytes in all", CELL_BYTES},    [P_HITS] = {"hits", "hits", CELL_SHARE},
    [P_WALKED] = {"walked", "nodes walked", CELL_NUMBER}, [P_TIMES] = {"times_one", "of one thread's", CELL_RATIO},
};

static const SheetPlot sharing_plot = {
    .x = P_THREADS, .y = P_WALKED, .series = P_SHARING, .x_log = true, .y_label = "nodes walked"};

bool audit_sharing(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    static const struct {
        TabiaSharing how;
        const char *name;
    } kind[] = {{TABIA_SHARED, "shared"}, {TABIA_PARTITIONED, "a part each"}};
    Sheet *sheet = audit_sheet(report, "sharing", "one table for all threads, or a part of it for each",
                               sharing_columns, P_COLUMNS, &sharing_plot);
    ReplaySeries s = series_begin(o, sheet);
    const uint64_t bytes = ample_bytes(o->stream) / 4;
    for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++)
        for (unsigned threads = 1; threads <= (o->quick ? 4 : 16); threads *= 2) {
            ReplayCounts c;
            const TabiaOptions options = {
                .type = TABIA_COUNTS, .bytes = bytes, .sharing = kind[k].how, .partitions = threads};
            audit_progress(o, "sharing", (k + threads / 16.0) / 2);
            if (!series_next(&s, options, (ReplayOptions){.threads = threads}, &c, error)) return false;
            const Cell row[P_COLUMNS] = {
                [P_SHARING].text = kind[k].name, [P_THREADS].number = threads,
                [P_BYTES].number = bytes,        [P_HITS].real = replay_hit_share(&c),
                [P_WALKED].number = c.walked,    [P_TIMES].real = times_first(&s, &c),
            };
            if (!audit_row(sheet, row, error)) return false;
        }
    claim_totals(&s, report);
    return true;
}

/* ---- narrow signatures ---- */

enum { T_BITS, T_PROBES, T_HITS, T_WRONG, T_TOTAL, T_TRUE, T_OFF, T_COLUMNS };

static const SheetColumn total_columns[T_COLUMNS] = {
    [T_BITS] = {"signature_bits", "signature bits", CELL_NUMBER},
    [T_PROBES] = {"probes", "probes", CELL_NUMBER},
    [T_HITS] = {"hits", "hits", CELL_SHARE},
    [T_WRONG] = {"wrong", "wrong counts", CELL_NUMBER},
    [T_TOTAL] = {"total", "total", CELL_NUMBER},
    [T_TRUE] = {"true_total", "true total", CELL_NUMBER},
    [T_OFF] = {"off", "off by", CELL_RATE},
};

bool audit_totals(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    static const unsigned bits[] = {8, 12, 16, 20, 24, 32, 48, 62};
    Sheet *s = audit_sheet(report, "totals", "what a perft gives whose table has narrow signatures", total_columns,
                           T_COLUMNS, NULL);
    enum { WIDTHS = sizeof bits / sizeof *bits };
    for (unsigned i = 0; i < WIDTHS; i++) {
        ReplayCounts c;
        const TabiaOptions options = {
            .type = TABIA_COUNTS, .bytes = ample_bytes(o->stream) / 4, .signature_bits = bits[i]};
        audit_progress(o, "totals", i / (double)WIDTHS);
        if (!replay_fresh(o, options, (ReplayOptions){0}, &c, error)) return false;
        const double truth = (double)true_total(o->stream);
        const Cell row[T_COLUMNS] = {
            [T_BITS].number = bits[i],
            [T_PROBES].number = c.probes,
            [T_HITS].real = replay_hit_share(&c),
            [T_WRONG].number = c.wrong,
            [T_TOTAL].number = c.total,
            [T_TRUE].number = true_total(o->stream),
            [T_OFF].real = ((double)c.total - truth) / truth,
        };
        if (!audit_row(s, row, error)) return false;
        if (bits[i] >= 48)
            audit_claim(report, c.total == true_total(o->stream) && !c.wrong,
                        "totals: with %u signature bits the total is the true one, %" PRIu64, bits[i], c.total);
    }
    return true;
}

/* ---- paths ---- */

enum { W_PLIES, W_HITS, W_REFUSED, W_WALKED, W_TIMES, W_COLUMNS };

static const SheetColumn path_columns[W_COLUMNS] = {
    [W_PLIES] = {"path_plies", "positions in the path", CELL_NUMBER},
    [W_HITS] = {"hits", "hits", CELL_SHARE},
    [W_REFUSED] = {"refused", "known, other path", CELL_SHARE},
    [W_WALKED] = {"walked", "nodes walked", CELL_NUMBER},
    [W_TIMES] = {"times_none", "of no path's", CELL_RATIO},
};

bool audit_path(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    Sheet *sheet =
        audit_sheet(report, "path", "entries whose score is good only after the same last positions (0: after any)",
                    path_columns, W_COLUMNS, NULL);
    const TabiaOptions options = {.bytes = ample_bytes(o->stream)};
    ReplaySeries s = series_begin(o, sheet);
    for (unsigned plies = 0; plies <= 4; plies++) {
        ReplayCounts c;
        audit_progress(o, "path", plies / 5.0);
        if (!series_next(&s, options, (ReplayOptions){.path_plies = plies}, &c, error)) return false;
        const uint64_t met = c.hits + c.refused;
        const Cell row[W_COLUMNS] = {
            [W_PLIES].number = plies,
            [W_HITS].real = replay_hit_share(&c),
            [W_REFUSED].real = met ? (double)c.refused / (double)met : NAN,
            [W_WALKED].number = c.walked,
            [W_TIMES].real = times_first(&s, &c),
        };
        if (!audit_row(sheet, row, error)) return false;
    }
    claim_totals(&s, report);
    return true;
}
