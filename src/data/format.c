/* SPDX-License-Identifier: MIT */
#include "data/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const DataFormat *data_format(unsigned number) {
#define ADDRESS(name) &data_format_##name,
    static const DataFormat *const all[] = {DATA_FORMATS(ADDRESS)};
#undef ADDRESS
    return all[number];
}

const DataFormat *data_format_named(const char *name, Fault *fault) {
    char names[100] = "";
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        if (!strcmp(name, data_format(i)->name)) return data_format(i);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", data_format(i)->name);
    }
    tabia_fault(fault, "there is no format '%s'; there are %s", name, names);
    return NULL;
}

/* Is the word among those of a list, a blank apart? */
static bool is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && !strncasecmp(at, word, length)) return true;
    return false;
}

const DataFormat *data_format_of_path(const char *path) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) return NULL;
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        if (is_listed(data_format(i)->endings, dot + 1)) return data_format(i);
    return NULL;
}

/* What differs from what a format without these fields would read. */
static DataFields present(const DataRecord *r) {
    const Position *p = &r->position;
    DataFields f = DATA_SCORE | DATA_RESULT;
    if (r->move) f |= DATA_MOVE;
    if (r->ply != data_ply_of(p)) f |= DATA_PLY;
    if (p->turn == BLACK) f |= DATA_TURN;
    if (p->castle[WHITE] | p->castle[BLACK]) f |= DATA_CASTLING;
    if (p->ep) f |= DATA_EP;
    if (p->halfmove) f |= DATA_CLOCK;
    if (p->fullmove != 1) f |= DATA_NUMBER;
    if (r->opening) f |= DATA_OPENING;
    if (r->skip) f |= DATA_SKIP;
    return f;
}

DataFields data_lost(const DataFormat *format, const DataRecord *r) {
    const DataFields all = (1u << DATA_FIELDS_N) - 1;
    if (!r) return all & ~format->holds;
    const int32_t score = format->white_scores ? data_white_score(r) : r->score;
    const DataFields beyond = score != data_score16(score) ? DATA_SCORE : DATA_NO_FIELD;
    return (present(r) & ~format->holds) | beyond | format->lost(r);
}

DataUnfit data_unfit(const DataFormat *format, const DataRecord *r) {
    if (format->needs & DATA_MOVE && !r->move) return DATA_UNFIT_move;
    if (r->skip && !(format->holds & DATA_SKIP)) return DATA_UNFIT_skip;
    if (!r->skip && r->score == DATA_SKIP_SCORE && format->holds & DATA_SKIP) return DATA_UNFIT_score;
    return format->unfit ? format->unfit(r) : DATA_FIT;
}

const char *data_unfit_name(DataUnfit why) {
#define NAME(name, words) #name,
    static const char *const all[] = {DATA_UNFITS(NAME)};
#undef NAME
    return all[why];
}

const DataRecord *data_fitted(const DataFormat *format, const DataRecord *r, DataRecord *room) {
    if (!format->fit) return r;
    *room = *r;
    format->fit(room);
    return room;
}

const char *data_family(const DataFormat *format) {
    return format->family ? format->family : format->name;
}

const char *data_unfit_words(DataUnfit why) {
#define WORDS(name, words) words,
    static const char *const all[] = {DATA_UNFITS(WORDS)};
#undef WORDS
    return all[why];
}
