/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/time.h"
#include "epd.h"
#include "notation/protocol.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What a run knows. The file is read twice, so that a suite of any length takes no memory: once for its sums and bad
   lines, once to count. */
typedef struct {
    const SuiteOptions *o;
    EpdFile file;
    Json json;
    Progress progress;
    uint64_t depths, depths_done;
    U128 nodes;
    double began;
    unsigned positions, left_out, failures, bad;
    bool stopped, broken;
} SuiteRun;

static bool is_counted(const SuiteRun *r, const EpdCount *c) {
    return !r->o->max_nodes || c->count <= r->o->max_nodes;
}

/* ---- first reading ---- */

/* Counts what there is to do, and names the bad lines. False if there is nothing. */
static bool scan_suite(SuiteRun *r, TabiaError *error) {
    EpdEntry e;
    EpdResult result;
    TabiaError bad;
    for (unsigned entries = 0;; entries += result == EPD_ENTRY) {
        result = epd_next(&r->file, &e, &bad);
        if (result == EPD_END) {
            epd_report_bad_rest(r->o->messages, r->o->file_name, r->bad);
            if (entries || r->bad) return true;
            return tabia_fail(error, "%s: no position in it", r->o->file_name);
        }
        if (result == EPD_BAD) {
            epd_report_bad(r->o->messages, ++r->bad, &bad);
            continue;
        }
        for (unsigned i = 0; i < e.n; i++) r->depths += is_counted(r, &e.known[i]);
    }
}

/* ---- second reading ---- */

static void show_progress(SuiteRun *r) {
    char depths[50];
    snprintf(depths, sizeof depths, "%ju/%ju depths", (uintmax_t)r->depths_done, (uintmax_t)r->depths);
    tabia_progress_update(&r->progress, (double)r->nodes, -1, depths);
}

static void print_failure(SuiteRun *r, const EpdEntry *e, const EpdCount *known, U128 got) {
    char expected_text[U128_TEXT_MAX], got_text[U128_TEXT_MAX];
    tabia_progress_end(&r->progress);
    if (r->o->json) {
        tabia_json_object(&r->json, 0);
        tabia_json_integer(&r->json, "line", e->line);
        tabia_json_text(&r->json, protocol_words.position_name, e->fen);
        tabia_json_integer(&r->json, "depth", known->depth);
        tabia_json_count(&r->json, "expected", known->count);
        tabia_json_count(&r->json, "got", got);
        tabia_json_close(&r->json);
        return;
    }
    tabia_u128_text(known->count, expected_text);
    tabia_u128_text(got, got_text);
    fprintf(r->o->out, "%s: depth %d: expected %s, got %s (%s:%u)\n", e->fen, known->depth, expected_text, got_text,
            r->o->file_name, e->line);
}

static bool run_depth(SuiteRun *r, const EpdEntry *e, const EpdCount *known, TabiaError *error) {
    U128 got = 1;
    assert(known->depth >= 0 && known->depth <= EPD_DEPTH_MAX);
    if (tabia_stop_requested() ||
        (known->depth && !r->o->count(r->o->context, &e->position, known->depth, &got, error))) {
        r->stopped = tabia_stop_requested();
        return false;
    }
    r->depths_done++;
    r->nodes += got;
    if (got != known->count) {
        r->failures++;
        print_failure(r, e, known, got);
    }
    show_progress(r);
    return true;
}

static bool run_entry(SuiteRun *r, const EpdEntry *e, TabiaError *error) {
    assert(e->n > 0 && !r->stopped);
    r->positions++;
    for (unsigned i = 0; i < e->n; i++) {
        if (!is_counted(r, &e->known[i]))
            r->left_out++;
        else if (!run_depth(r, e, &e->known[i], error))
            return false;
    }
    return true;
}

/* False if a count could not be made, or the user has had enough. */
static bool run_entries(SuiteRun *r, TabiaError *error) {
    EpdEntry e;
    EpdResult result;
    bool good = true;
    epd_rewind(&r->file);
    while (good && (result = epd_next(&r->file, &e, 0)) != EPD_END)
        if (result == EPD_ENTRY) good = run_entry(r, &e, error);
    return good;
}

/* ---- the sum ---- */

static double rate(const SuiteRun *r, double seconds) {
    return seconds > 0 ? (double)r->nodes / seconds : 0;
}

static void print_json_summary(SuiteRun *r, double seconds) {
    tabia_json_close(&r->json);
    tabia_json_integer(&r->json, "positions", r->positions);
    tabia_json_integer(&r->json, "depths", (int64_t)r->depths_done);
    tabia_json_integer(&r->json, "left_out", r->left_out);
    tabia_json_integer(&r->json, "bad_lines", r->bad);
    tabia_json_count(&r->json, "nodes", r->nodes);
    tabia_json_real(&r->json, "seconds", seconds);
    tabia_json_real(&r->json, "nodes_per_second", rate(r, seconds));
    tabia_json_boolean(&r->json, "complete", !r->stopped && !r->broken);
    tabia_json_close(&r->json);
}

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

static void print_summary(const SuiteRun *r, double seconds) {
    char nodes[U128_TEXT_MAX], time[SHORT_TEXT_MAX], speed[SHORT_TEXT_MAX];
    FILE *out = r->o->out;
    tabia_u128_text(r->nodes, nodes);
    tabia_duration_text(seconds, time);
    tabia_rate_text(rate(r, seconds), speed);
    fprintf(out, "%s: %u position%s, %ju depth%s", r->o->file_name, r->positions, plural(r->positions),
            (uintmax_t)r->depths_done, plural(r->depths_done));
    if (r->left_out) fprintf(out, " (%u left out)", r->left_out);
    fprintf(out, ", %s nodes in %s (%s), %u failure%s", nodes, time, speed, r->failures, plural(r->failures));
    if (r->bad) fprintf(out, ", %u bad line%s", r->bad, plural(r->bad));
    fprintf(out, "%s\n", r->stopped ? "; stopped before the end" : r->broken ? "; not finished" : "");
}

static bool finish(SuiteRun *r, TabiaError *error) {
    const double seconds = tabia_clock_wall() - r->began;
    tabia_progress_end(&r->progress);
    if (r->o->json) {
        print_json_summary(r, seconds);
        return tabia_json_end(&r->json, error);
    }
    print_summary(r, seconds);
    return true;
}

int suite_run(const SuiteOptions *o, TabiaError *error) {
    SuiteRun r = {.o = o};
    error->text[0] = '\0';
    if (!epd_open(&r.file, o->file_name, error)) return 2;
    if (!scan_suite(&r, error)) return epd_close(&r.file), 2;
    r.began = tabia_clock_wall();
    tabia_progress_begin(&r.progress, o->progress, "nodes");
    tabia_progress_every(&r.progress, o->every);
    if (o->json) {
        tabia_json_document(&r.json, o->out, o->json);
        tabia_json_text(&r.json, "suite", o->file_name);
        tabia_json_array(&r.json, "failures");
    }
    r.broken = !run_entries(&r, error) && !r.stopped;
    epd_close(&r.file);
    if (!finish(&r, r.broken ? 0 : error) || r.broken) return 3;
    if (r.stopped) return 130;
    return r.failures ? 1 : r.bad ? 2 : 0;
}
