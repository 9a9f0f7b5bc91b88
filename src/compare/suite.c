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

typedef struct {
    const SuiteOptions *o;
    EpdFile file;
    Json json;
    Progress progress;
    U128 nodes;
    double began;
    unsigned positions, depths, left_out, failures;
    bool stopped, broken;
} SuiteRun;

static void show_progress(SuiteRun *r) {
    char depths[30];
    snprintf(depths, sizeof depths, "%u depths", r->depths);
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
    r->depths++, r->nodes += got;
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
        if (r->o->max_nodes && e->known[i].count > r->o->max_nodes)
            r->left_out++;
        else if (!run_depth(r, e, &e->known[i], error))
            return false;
    }
    return true;
}

/* False with an error if a count could not be made, or the file has no position. */
static bool run_entries(SuiteRun *r, TabiaError *error) {
    EpdEntry e;
    while (epd_next(&r->file, &e))
        if (!run_entry(r, &e, error)) return r->stopped;
    return r->positions || r->file.bad || tabia_fail(error, "%s: no position in it", r->o->file_name);
}

/* ---- the sum ---- */

static double rate(const SuiteRun *r, double seconds) {
    return seconds > 0 ? (double)r->nodes / seconds : 0;
}

static void print_json_summary(SuiteRun *r, double seconds) {
    tabia_json_close(&r->json);
    tabia_json_integer(&r->json, "positions", r->positions);
    tabia_json_integer(&r->json, "depths", r->depths);
    tabia_json_integer(&r->json, "left_out", r->left_out);
    tabia_json_integer(&r->json, "bad_lines", r->file.bad);
    tabia_json_count(&r->json, "nodes", r->nodes);
    tabia_json_real(&r->json, "seconds", seconds);
    tabia_json_real(&r->json, "nodes_per_second", rate(r, seconds));
    tabia_json_boolean(&r->json, "complete", !r->stopped && !r->broken);
}

static const char *plural(unsigned n) {
    return n == 1 ? "" : "s";
}

static void print_summary(const SuiteRun *r, double seconds) {
    char nodes[U128_TEXT_MAX], time[SHORT_TEXT_MAX], speed[SHORT_TEXT_MAX];
    FILE *out = r->o->out;
    tabia_u128_text(r->nodes, nodes);
    tabia_duration_text(seconds, time);
    tabia_rate_text(rate(r, seconds), speed);
    fprintf(out, "%s: %u position%s, %u depth%s", r->o->file_name, r->positions, plural(r->positions), r->depths,
            plural(r->depths));
    if (r->left_out) fprintf(out, " (%u left out)", r->left_out);
    fprintf(out, ", %s nodes in %s (%s), %u failure%s", nodes, time, speed, r->failures, plural(r->failures));
    if (r->file.bad) fprintf(out, ", %u bad line%s", r->file.bad, plural(r->file.bad));
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
    SuiteRun r = {.o = o, .began = tabia_clock_wall()};
    error->text[0] = '\0';
    if (!epd_open(&r.file, o->file_name, o->messages, error)) return 2;
    tabia_progress_begin(&r.progress, o->progress, "nodes");
    tabia_progress_every(&r.progress, o->every);
    if (o->json) {
        tabia_json_document(&r.json, o->out, o->json);
        tabia_json_text(&r.json, "suite", o->file_name);
        tabia_json_array(&r.json, "failures");
    }
    r.broken = !run_entries(&r, error);
    epd_close(&r.file);
    if (r.broken && !r.positions) return tabia_json_discard(&r.json), 2;
    if (!finish(&r, r.broken ? 0 : error) || r.broken) return 3;
    if (r.stopped) return 130;
    return r.failures ? 1 : r.file.bad ? 2 : 0;
}
