/* SPDX-License-Identifier: MIT */
/* One count: with progress, as text or JSON, whole or as far as it came. */
#include <ctype.h>
#include <stdio.h>

#include "base/json.h"
#include "base/stop.h"
#include "base/text.h"
#include "commands.h"
#include "json_document.h"
#include "notation/fen.h"
#include "notation/protocol.h"
#include "options.h"
#include "perft/time_part.h"
#include "perft_forms.h"
#include "program.h"

/* Of what this run counted itself. */
static double nodes_per_second(const PerftState *s) {
    return s->wall > 0 ? (double)(s->nodes - s->nodes_resumed) / s->wall : 0;
}

static double hit_rate(const PerftState *s) {
    return s->probes ? (double)s->hits / (double)s->probes : 0;
}

/* Of the leaves that this run added, those that it did not count but took from the table, or as often as a position of
   the frontier was met again. */
static double leaf_hit_rate(const PerftState *s) {
    const double leaves = (double)(s->nodes - s->nodes_resumed);
    return leaves > 0 ? 1 - (double)s->leaves_counted / leaves : 0;
}

/* As UCI engines print it: one line a move, and the sum behind an empty line. Of depth 0 no move. */
static void print_divide(const PerftOptions *o, const PerftState *s) {
    for (unsigned r = 0; r < s->frontier.roots && o->job.depth; r++) {
        char move[UCI_MAX], nodes[U128_TEXT_MAX];
        move_to_uci(&o->job.root, s->frontier.root_move[r], o->chess960, move);
        tabia_u128_text(s->divide[r], nodes);
        printf("%s: %s\n", move, nodes);
    }
    putchar('\n');
}

static void print_figures(const PerftOptions *o, const PerftState *s) {
    char rate[SHORT_TEXT_MAX], wall[SHORT_TEXT_MAX];
    tabia_rate_text(nodes_per_second(s), rate);
    tabia_duration_text(s->wall, wall);
    printf("time %s%s%s, kernel %s, %u thread%s", wall, o->job.mates ? "" : ", ", o->job.mates ? "" : rate,
           o->job.kernel->name, s->threads, s->threads == 1 ? "" : "s");
    if (o->ranks) printf(" on %u rank%s", o->ranks, o->ranks == 1 ? "" : "s");
    if (s->hash_bytes) {
        char size[SHORT_TEXT_MAX], page[SHORT_TEXT_MAX];
        printf(", table %s in pages of %s, %u.%u %% full, hit rate %.1f %%", tabia_size_text(s->hash_bytes, size),
               tabia_size_text(s->page_bytes, page), s->table_full / 10, s->table_full % 10, 100 * hit_rate(s));
        if (!o->job.mates) printf(" of probes, %.1f %% of leaves", 100 * leaf_hit_rate(s));
    }
    putchar('\n');
}

static const char *const kind_names[KINDS] = KIND_NAMES;

static void print_kinds(const PerftState *s) {
    for (unsigned k = 0; k < KINDS; k++) {
        char count[U128_TEXT_MAX];
        tabia_u128_text(s->kinds[k], count);
        printf("%s: %s\n", kind_names[k], count);
    }
}

/* The names in small letters, joined by underscores. */
static void print_json_kinds(const PerftState *s, Json *j) {
    tabia_json_object(j, "kinds");
    for (unsigned k = 0; k < KINDS; k++) {
        char name[40];
        size_t n = 0;
        for (; kind_names[k][n]; n++)
            name[n] = kind_names[k][n] == ' ' ? '_' : (char)tolower((unsigned char)kind_names[k][n]);
        name[n] = '\0';
        tabia_json_count(j, name, s->kinds[k]);
    }
    tabia_json_close(j);
}

static void print_text(const PerftOptions *o, const PerftState *s) {
    char nodes[U128_TEXT_MAX];
    tabia_u128_text(s->nodes, nodes);
    if (o->divide) print_divide(o, s);
    if (!o->quiet) print_figures(o, s);
    if (s->complete)
        printf("%s: %s\n", o->job.mates ? "Mates" : "Nodes searched", nodes);
    else
        printf("Stopped after %zu of %zu units, with %s %s so far\n", s->units_done, s->frontier.units.n, nodes,
               o->job.mates ? "mates" : "nodes");
    if (o->job.kinds) print_kinds(s);
}

static bool print_json(const PerftOptions *o, const PerftState *s, TabiaError *error) {
    char fen[FEN_MAX];
    Json j;
    fen_write(&o->job.root, o->chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
    json_document(&j, "perft");
    tabia_json_text(&j, protocol_words.position_name, fen);
    tabia_json_integer(&j, "depth", o->job.depth);
    tabia_json_boolean(&j, "complete", s->complete);
    if (o->job.mates) tabia_json_boolean(&j, "mates", true);
    tabia_json_count(&j, "nodes", s->nodes);
    tabia_json_object(&j, "divide");
    for (unsigned r = 0; r < s->frontier.roots && o->job.depth; r++) {
        char move[UCI_MAX];
        move_to_uci(&o->job.root, s->frontier.root_move[r], o->chess960, move);
        tabia_json_count(&j, move, s->divide[r]);
    }
    tabia_json_close(&j);
    if (o->job.kinds) print_json_kinds(s, &j);
    tabia_json_real(&j, "seconds", s->wall);
    tabia_json_real(&j, "cpu_seconds", s->cpu);
    tabia_json_real(&j, "nodes_per_second", nodes_per_second(s));
    tabia_json_text(&j, "kernel", o->job.kernel->name);
    tabia_json_count(&j, "threads", s->threads);
    tabia_json_count(&j, "units", s->frontier.units.n);
    tabia_json_count(&j, "units_done", s->units_done);
    tabia_json_count(&j, "units_from_ledger", s->units_resumed);
    tabia_json_count(&j, "table_bytes", s->hash_bytes);
    tabia_json_count(&j, "table_page_bytes", s->page_bytes);
    tabia_json_real(&j, "table_full", s->table_full / 1000.0);
    tabia_json_count(&j, "probes", s->probes);
    tabia_json_count(&j, "hits", s->hits);
    tabia_json_real(&j, "hit_rate", hit_rate(s));
    if (s->hash_bytes && !o->job.mates) {
        tabia_json_count(&j, "leaves_counted", s->leaves_counted);
        tabia_json_real(&j, "leaf_hit_rate", leaf_hit_rate(s));
    }
    if (o->more) o->more(o->more_context, &j);
    return tabia_json_end(&j, error);
}

/* The part of its time that is gone of what the ledger did not hold. */
static double time_part(const PerftWatch *w, const PerftState *s) {
    const uint64_t done = s->work_done - w->work_resumed, all = s->work_total - w->work_resumed;
    return all ? count_time_part((double)done / (double)all, s->probes != 0) : 0;
}

bool perft_watch(void *context, const PerftState *s) {
    PerftWatch *w = context;
    char units[60];
    if (!w->begun) {
        w->work_resumed = s->work_done;
        option_progress_begin(&w->progress, w->quiet, w->every, "nodes");
    }
    w->begun = true;
    snprintf(units, sizeof units, "%zu/%zu units", s->units_done, s->frontier.units.n);
    if (s->silence > 0)
        tabia_text_append(units, sizeof units, ", waiting for rank %u (%.0f s)", s->silent_rank, s->silence);
    else if (s->probes)
        tabia_text_append(units, sizeof units, ", %.1f %% table hits", 100 * hit_rate(s));
    const double part = s->silence > 0 ? -1 : time_part(w, s);
    tabia_progress_update(&w->progress, (double)(s->nodes - s->nodes_resumed), part, units);
    return tabia_stop_requested();
}

void perft_watch_end(PerftWatch *w) {
    if (w->begun) tabia_progress_end(&w->progress);
}

/* What the ledger had to say when it was opened. */
static void report_ledger(const PerftOptions *o, const PerftState *s) {
    if (s->ledger_cut)
        fprintf(stderr, "%s perft: ledger %s was damaged: %ju bytes that held no good record were left out; %s\n",
                program_texts.name, o->job.ledger, (uintmax_t)s->ledger_cut,
                s->units_resumed < s->frontier.units.n ? "their units are counted again" : "no unit is missing");
    if (s->units_resumed && !o->quiet)
        fprintf(stderr, "%s perft: %zu of %zu units taken from ledger %s\n", program_texts.name, s->units_resumed,
                s->frontier.units.n, o->job.ledger);
}

bool perft_report(const PerftOptions *o, const PerftState *s, TabiaError *error) {
    report_ledger(o, s);
    if (o->json) return print_json(o, s, error);
    print_text(o, s);
    return true;
}

int perft_count(PerftOptions *o) {
    TabiaError error;
    PerftState state;
    PerftWatch w = {.quiet = o->quiet, .every = o->progress};
    tabia_stop_install(true);
    o->job.watch = perft_watch;
    o->job.context = &w;
    bool good = perft_run(&o->job, &state, &error);
    perft_watch_end(&w);
    if (good)
        good = perft_report(o, &state, &error);
    else
        report_ledger(o, &state);
    const bool complete = state.complete, refused = state.refused;
    perft_state_free(&state);
    if (!good) return report_error("perft", &error, refused ? EXIT_USAGE : EXIT_OUTSIDE);
    return complete ? EXIT_GOOD : EXIT_STOPPED;
}
