/* SPDX-License-Identifier: MIT */
/*
 * Replacement: the same work by each rule. Counts are those of the caller's perft; entries those of a game, each move a
 * generation, each position counted deeper and deeper. Tables from one that forgets most to one that has nearly enough.
 */
#include <assert.h>
#include <string.h>

#include "audit.h"
#include "base/stop.h"
#include "replay.h"
#include "tabia/stats.h"
#include "table/options.h"

enum { C_RULE, C_BYTES, C_HITS, C_REFUSED, C_WALKED, C_TIMES, COLUMNS };

static const SheetColumn columns[COLUMNS] = {
    [C_RULE] = {"rule", "rule", CELL_TEXT},
    [C_BYTES] = {"bytes", "table", CELL_BYTES},
    [C_HITS] = {"hits", "hits", CELL_SHARE},
    [C_REFUSED] = {"refused", "stores refused", CELL_SHARE},
    [C_WALKED] = {"walked", "nodes walked", CELL_NUMBER},
    [C_TIMES] = {"times_always", "of always", CELL_RATIO},
};

static const SheetPlot plot = {
    .x = C_BYTES, .y = C_TIMES, .series = C_RULE, .x_log = true, .y_label = "nodes walked, times those by always"};

/* The replays of one sheet. */
typedef struct {
    const AuditOptions *o;
    const Stream *stream;
    Sheet *sheet;
    TabiaRecordType type;
    uint64_t always_walked; /* of the size at hand */
    bool exact;
} RuleSeries;

static uint64_t total_of(const Stream *s) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->runs; i++) total += s->record[s->run[i].first].leaves;
    return total;
}

/* The replay with a new table by one rule. */
static bool replay_rule(RuleSeries *s, uint64_t bytes, TabiaReplacement rule, TabiaError *error) {
    const TabiaOptions options = {.type = s->type,
                                  .bytes = bytes,
                                  .replacement = rule,
                                  .counters = true,
                                  .threads = 1,
                                  .watch = &(TabiaWatch){.stop = tabia_stop_watch}};
    TabiaTable *table;
    ReplayCounts c;
    TabiaCounters counted;
    if (tabia_table_create(&table, &options, error)) return false;
    const bool good = replay_run(s->stream, table, &(ReplayOptions){0}, &c, NULL, error);
    tabia_table_counters(table, &counted);
    tabia_table_destroy(table);
    if (!good) return false;
    assert(counted.refused <= counted.stores && counted.stores > 0);
    s->exact = s->exact && c.total == total_of(s->stream) && !c.wrong;
    if (rule == TABIA_REPLACE_ALWAYS) s->always_walked = c.walked;
    const Cell row[COLUMNS] = {[C_RULE].text = tabia_replacement_name(rule),
                               [C_BYTES].number = bytes,
                               [C_HITS].real = replay_hit_share(&c),
                               [C_REFUSED].real = (double)counted.refused / (double)counted.stores,
                               [C_WALKED].number = c.walked,
                               [C_TIMES].real = (double)c.walked / (double)s->always_walked};
    return audit_row(s->sheet, row, error);
}

/* From `least` bytes on, each size four times the one before. */
static bool replay_sizes(RuleSeries *s, AuditReport *report, uint64_t least, TabiaError *error) {
    enum { SIZES = 5 };
    for (unsigned i = 0; i < SIZES; i++)
        for (unsigned r = 0; r < REPLACEMENT_RULES; r++) {
            audit_progress(s->o, s->sheet->name, (double)i / SIZES);
            if (!replay_rule(s, least << 2 * i, replacement_rules[r], error)) return false;
        }
    audit_claim(report, s->exact, "%s: every total is the true one", s->sheet->name);
    return true;
}

/* The largest table has about a slot for each four records of the stream. */
static uint64_t least_bytes(const Stream *s) {
    uint64_t bytes = 1024;
    while (bytes * 256 < s->records * 4) bytes *= 2;
    return bytes;
}

static bool replay_type(const AuditOptions *o, AuditReport *report, const Stream *stream, TabiaRecordType type,
                        TabiaError *error) {
    const bool entries = type == TABIA_ENTRIES;
    Sheet *sheet = audit_sheet(report, entries ? "replacement_entries" : "replacement",
                               entries ? "a game, a generation for each move, by the replacement rule of entries"
                                       : "hits and nodes walked by the replacement rule of counts",
                               columns, COLUMNS, &plot);
    RuleSeries s = {.o = o, .stream = stream, .sheet = sheet, .type = type, .exact = true};
    return replay_sizes(&s, report, least_bytes(stream), error);
}

bool audit_replacement(const AuditOptions *o, AuditReport *report, TabiaError *error) {
    Stream game;
    if (!replay_type(o, report, o->stream, TABIA_COUNTS, error) || !audit_record_game(o, &game, error)) return false;
    const bool good = replay_type(o, report, &game, TABIA_ENTRIES, error);
    stream_free(&game);
    return good;
}
