/* SPDX-License-Identifier: MIT */
#include "data/format.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const DataFormat *data_format(unsigned index) {
    assert(index < DATA_FORMATS_N);
#define ADDRESS(name) &data_format_##name,
    static const DataFormat *const all[] = {DATA_FORMATS(ADDRESS)};
#undef ADDRESS
    return all[index];
}

const DataFormat *data_format_by_name(const char *name, TabiaError *error) {
    char names[100] = "";
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        if (!strcmp(name, data_format(i)->name)) return data_format(i);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", data_format(i)->name);
    }
    return tabia_fail(error, "there is no format '%s'; the formats are %s", name, names), NULL;
}

/* True if the extension is in a list separated by blanks. */
static bool has_extension(const char *list, const char *extension) {
    const size_t length = strlen(extension);
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && !strncasecmp(at, extension, length)) return true;
    return false;
}

/* The first format, or the one that is asked for, with the extension of a file name; or null. */
static const DataFormat *format_of_name(const char *path, const DataFormat *asked) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) return NULL;
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        if ((!asked || asked == data_format(i)) && has_extension(data_format(i)->extensions, dot + 1))
            return data_format(i);
    return NULL;
}

const DataFormat *data_format_by_extension(const char *path) {
    return format_of_name(path, NULL);
}

bool data_format_is_notation(const DataFormat *format) {
    return format->marks_games && format->fields & DATA_SKIP;
}

bool data_has_extension(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && dot[1] && !strchr(dot, '/') && dot > path && dot[-1] != '/';
}

bool data_check_output_name(const char *path, TabiaError *error) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!dot || !has_extension("zst gz xz bz2", dot + 1)) return true;
    return tabia_fail(error, "--out %.300s: nothing would be compressed; leave out .%s, and compress what was written",
                      path, dot + 1);
}

bool data_format_has_name(const DataFormat *format, const char *path) {
    return format_of_name(path, format) != NULL;
}

/* The fields whose values differ from those that a format without them reads. */
static DataFields present_fields(const DataRecord *r) {
    DataFields f = DATA_SCORE | DATA_RESULT | position_fields(&r->position) | extra_fields(r->extra);
    if (r->move) f |= DATA_MOVE;
    if (r->ply != move_counters_ply(&r->position)) f |= DATA_PLY;
    if (r->skip) f |= DATA_SKIP;
    return f;
}

DataFields data_lost_fields(const DataFormat *format, const DataRecord *r) {
    const DataFields all = (1u << DATA_FIELDS_N) - 1;
    if (!r) return all & ~format->fields;
    const int32_t score = format->white_relative ? data_white_score(r) : r->score;
    const DataFields beyond = score != data_score16(score) ? DATA_SCORE : DATA_NO_FIELDS;
    const DataFields stored = format->lost_fields ? format->lost_fields(r) : DATA_NO_FIELDS;
    return (present_fields(r) & ~format->fields) | beyond | stored;
}

DataRejection data_rejection(const DataFormat *format, const DataRecord *r) {
    if (format->requires & DATA_MOVE && !r->move) return DATA_REJECT_move;
    if (r->skip && !(format->fields & DATA_SKIP)) return DATA_REJECT_skip;
    if (!r->skip && r->score == DATA_SKIP_SCORE && format->fields & DATA_SKIP) return DATA_REJECT_score;
    return format->reject ? format->reject(r) : DATA_ACCEPT;
}

const DataName data_rejections[DATA_REJECTIONS_N] = {
#define NAME(name, words) {#name, words},
    DATA_REJECTIONS(NAME)
#undef NAME
};

const DataRecord *data_normalized(const DataFormat *format, const DataRecord *r, DataRecord *normalized) {
    return format->normalize && format->normalize(r, normalized) ? normalized : r;
}
