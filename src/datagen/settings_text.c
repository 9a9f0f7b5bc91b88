/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "eval/evaluate.h"
#include "filter.h"
#include "settings.h"

enum { VALUE_MAX = sizeof(((DatagenSettingText *)0)->value) };

const char *datagen_sharing_name(unsigned sharing) {
    static const char *const names[] = {
        [TABIA_SHARED] = "shared", [TABIA_PARTITIONED] = "partition", [TABIA_PRIVATE] = "private"};
    return sharing < sizeof names / sizeof *names ? names[sharing] : NULL;
}

const char *start_name(unsigned start) {
#define NAME(name, words) #name,
    static const char *const all[] = {GAME_STARTS(NAME)};
#undef NAME
    assert(start < STARTS_N);
    return all[start];
}

const char *start_description(unsigned start) {
#define WORDS(name, words) words,
    static const char *const all[] = {GAME_STARTS(WORDS)};
#undef WORDS
    assert(start < STARTS_N);
    return all[start];
}

static const char *on_off(bool value) {
    return value ? "on" : "off";
}

static void format_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", s->output.format ? s->output.format->name : "none");
}

static void seed_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%" PRIu64, s->seed);
}

static void network_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%016" PRIx64, evaluation_identity(s->evaluation, s->network));
}

static void hash_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%" PRIu64, s->table.hash_bytes);
}

static void sharing_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", datagen_sharing_name(s->table.sharing));
}

static void strict_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", on_off(s->table.strict_generations));
}

static void start_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", start_name(s->opening.start));
}

static void book_text(const DatagenSettings *s, char *out) {
    const DatagenOpening *o = &s->opening;
    if (!o->book) snprintf(out, VALUE_MAX, "none");
    if (o->book) snprintf(out, VALUE_MAX, "%.150s %016" PRIx64, o->book, o->book_checksum);
}

static void resign_text(const DatagenSettings *s, char *out) {
    const DatagenAdjudication *a = &s->adjudication;
    snprintf(out, VALUE_MAX, "%" PRIu64 ",%" PRIu64, a->resign_score, a->resign_plies);
}

static void draw_text(const DatagenSettings *s, char *out) {
    const DatagenAdjudication *a = &s->adjudication;
    snprintf(out, VALUE_MAX, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, a->draw_score, a->draw_plies, a->draw_min_ply);
}

static void filter_text(const DatagenSettings *s, char *out) {
    const DatagenOutput *o = &s->output;
    size_t n = 0;
    out[0] = '\0';
    EACH (i, o->filters) n += (size_t)snprintf(out + n, VALUE_MAX - n, "%s%s", n ? "," : "", filter_name((unsigned)i));
    assert(n < VALUE_MAX);
    if (o->filters & FILTER_score) snprintf(out + n, VALUE_MAX - n, "=%" PRIu64, o->filter_score);
    if (!o->filters) snprintf(out, VALUE_MAX, "none");
}

static void dedupe_text(const DatagenSettings *s, char *out) {
    snprintf(out, VALUE_MAX, "%s", on_off(s->output.dedupe));
}

/* The settings that are no whole numbers. */
static const struct {
    const char *name;
    void (*text)(const DatagenSettings *s, char *out);
} others[] = {
    {"format", format_text}, {"seed", seed_text},     {"network", network_text},
    {"hash", hash_text},     {"table", sharing_text}, {"strict-generation", strict_text},
    {"start", start_text},   {"book", book_text},     {"resign", resign_text},
    {"draw", draw_text},     {"filter", filter_text}, {"dedupe", dedupe_text},
};

static void number_text(const DatagenSettings *s, const DatagenNumber *n, DatagenSettingText *out) {
    DatagenSettings copy = *s;
    snprintf(out->name, sizeof out->name, "%s", n->option);
    snprintf(out->value, sizeof out->value, "%" PRIu64, *datagen_number_of(&copy, n));
}

bool datagen_setting_text(const DatagenSettings *s, unsigned index, DatagenSettingText *out) {
    for (unsigned i = 0; datagen_number(i); i++, index--)
        if (!index) return number_text(s, datagen_number(i), out), true;
    if (index >= sizeof others / sizeof *others) return false;
    snprintf(out->name, sizeof out->name, "%s", others[index].name);
    others[index].text(s, out->value);
    return true;
}
