/* SPDX-License-Identifier: MIT */
/* The report of `tabia gensfen` at the end of a run: as text, or as a JSON object. */
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "datagen/filter.h"
#include "gensfen_options.h"
#include "json_document.h"

double gensfen_percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double positions_per_second(const DatagenProgress *p) {
    return p->seconds > 0 ? (double)(p->positions - p->resumed) / p->seconds : 0;
}

/* ---- JSON ---- */

static void write_count(void *json, const char *name, uint64_t *value) {
    tabia_json_count(json, name, *value);
}

bool gensfen_report_json(const GensfenOptions *o, const DatagenProgress *p, TabiaError *error) {
    const DataFormat *format = o->settings.output.format;
    DatagenCounts counts = p->counts;
    Json j;
    json_document(&j, "gensfen");
    tabia_json_text(&j, "file", o->job.path);
    tabia_json_text(&j, "format", format->name);
    tabia_json_count(&j, "positions", p->positions);
    if (format->fields & DATA_GAME_STARTS) tabia_json_count(&j, "games", p->file_games);
    tabia_json_count(&j, "bytes", p->bytes);
    tabia_json_count(&j, "next_game", p->next_game);
    tabia_json_count(&j, "threads", o->job.threads);
    tabia_json_real(&j, "seconds", p->seconds);
    tabia_json_real(&j, "positions_per_second", positions_per_second(p));
    tabia_json_object(&j, "counts");
    datagen_counts_visit(&counts, write_count, &j);
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

/* ---- text ---- */

static void print_terminations(const DatagenCounts *c) {
    for (unsigned i = 0; i < TERMINATIONS_N; i++)
        if (c->terminations[i])
            printf("  %6.2f %%  %s\n", gensfen_percent(c->terminations[i], c->games), termination_description(i));
}

static void print_not_written(const char *reason, uint64_t n) {
    if (n) printf("  %10ju  not written: %s\n", (uintmax_t)n, reason);
}

static void print_losses(const DatagenCounts *c) {
    for (unsigned i = 0; i < FILTERS_N; i++) print_not_written(filter_description(i), c->filtered[i]);
    print_not_written("before --write-min-ply", c->below_min_ply);
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) print_not_written(data_rejection_text(i), c->rejected[i]);
#define PRINT_LOSS(name, FIELD, words)                                                                                 \
    if (c->name) printf("  %10ju  %s\n", (uintmax_t)c->name, words);
    DATA_COUNTED_LOSSES(PRINT_LOSS)
#undef PRINT_LOSS
}

void gensfen_report_text(const GensfenOptions *o, const DatagenProgress *p) {
    const DataFormat *format = o->settings.output.format;
    const DatagenCounts *c = &p->counts;
    char rate[SHORT_TEXT_MAX], time[SHORT_TEXT_MAX];
    tabia_rate_text(positions_per_second(p), rate);
    tabia_duration_text(p->seconds, time);
    printf("%ju positions in ", (uintmax_t)p->positions);
    if (format->fields & DATA_GAME_STARTS) printf("%ju games in ", (uintmax_t)p->file_games);
    printf("%s (%s, %ju bytes), with .json and .sums\n", o->job.path, format->name, (uintmax_t)p->bytes);
    printf("%s, %s positions on %u threads; %.0f nodes per search\n", time, rate, o->job.threads,
           c->searched ? (double)c->nodes / (double)c->searched : 0.0);
    printf("%ju games played: white won %.1f %%, drawn %.1f %%, black won %.1f %%; %.1f plies per game, openings "
           "included\n",
           (uintmax_t)c->games, gensfen_percent(c->white_wins, c->games), gensfen_percent(c->draws, c->games),
           gensfen_percent(c->black_wins, c->games), c->games ? (double)c->plies / (double)c->games : 0.0);
    print_terminations(c);
    print_losses(c);
}
