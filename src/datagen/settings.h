/* SPDX-License-Identifier: MIT */
/*
 * What decides the bytes of generated data. Two runs with equal settings write the same file, whatever the number of
 * threads and however often they are stopped. So a sidecar file (sidecar.h) holds all settings, and a run that resumes
 * compares them.
 *
 * Each section is the argument of one part of the generator:
 *
 *     seed          selfplay.h, of the random numbers of all games
 *     evaluation    selfplay.h, what evaluates positions, and which network
 *     search        selfplay.h, limits of each search
 *     opening       openings.h and selfplay.h, start positions and random moves
 *     adjudication  adjudicate.h, when a game ends and how; rules: selfplay/rules.h, what of it the game's rules decide
 *     output        filter.h, generate.h: which positions are written, and how
 *     hash_bytes    generate.h, the transposition tables
 *
 * Plies are counted from 0, scores are centipawns. Options have the names of the generators that had them first, where
 * there are such (YaneuraOu's gensfen, the generators of Stockfish's and Viridithas's networks).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "data/format.h"
#include "eval/evaluate.h"
#include "selfplay/rules.h"
#include "selfplay/starts.h"

/* All limits hold together; 0: no such limit. */
typedef struct {
    uint64_t depth;
    uint64_t depth2; /* not 0: each search draws its depth from `depth` to this */
    uint64_t nodes, soft_nodes;
} DatagenSearchLimits;

typedef struct {
    StartPosition start;                     /* without a book */
    const char *book;                        /* file name, or NULL; the caller's */
    uint64_t book_checksum;                  /* of the book's bytes; openings_open computes it */
    uint64_t random_min_ply, random_max_ply; /* of random moves, from 1; max 0: no random moves */
    uint64_t random_count;
    uint64_t random_like_apery; /* one random move in so many is a king's move; 0: none */
    uint64_t random_multi_pv;   /* a random move is one of so many best moves; 0: of all moves */
    uint64_t random_multi_pv_margin, random_multi_pv_depth;
    uint64_t score_limit; /* of the first score; 0: none */
} DatagenOpening;

/* A rule with plies 0 is off. */
typedef struct {
    uint64_t eval_limit; /* 0: none */
    uint64_t max_ply;
    uint64_t resign_score, resign_plies;
    uint64_t draw_score, draw_plies, draw_min_ply;
} DatagenAdjudication;

typedef struct {
    const DataFormat *format;
    uint64_t min_ply;
    unsigned filters;         /* FILTER_... */
    uint64_t filter_score;    /* of FILTER_score */
    uint64_t block_positions; /* a block ends after the game that reaches so many */
} DatagenOutput;

typedef struct {
    uint64_t seed;
    EvaluationType evaluation;
    const Network *network; /* the caller's; NULL: the one that is built in */
    DatagenSearchLimits search;
    DatagenOpening opening;
    DatagenAdjudication adjudication;
    GameRules rules;
    DatagenOutput output;
    uint64_t hash_bytes; /* of the table of each thread */
} DatagenSettings;

/* Filters, positions that are not written: name, which positions. `score` has a parameter, filter_score. */
#define DATAGEN_FILTERS(FILTER)                                                                                        \
    FILTER(check, "the side to move is in check")                                                                      \
    FILTER(capture, "the move is a capture")                                                                           \
    FILTER(promotion, "the move is a promotion")                                                                       \
    FILTER(mate, "the score is a mate score")                                                                          \
    FILTER(draw, "the game was drawn")                                                                                 \
    FILTER(score, "the score is beyond the limit of score=CP")

enum {
#define FILTER_INDEX(name, words) FILTER_INDEX_##name,
    DATAGEN_FILTERS(FILTER_INDEX) FILTERS_N
#undef FILTER_INDEX
};
enum {
#define FILTER_BIT(name, words) FILTER_##name = 1 << FILTER_INDEX_##name,
    DATAGEN_FILTERS(FILTER_BIT)
#undef FILTER_BIT
        FILTER_quiet = FILTER_check | FILTER_capture | FILTER_promotion
};

/* By index: name, and which positions it removes. */
extern const DataName datagen_filters[FILTERS_N];

/* Parses "quiet,mate,score=1500" or "none". False with an error that lists the filters. */
bool filters_parse(const char *text, DatagenOutput *out, TabiaError *error);

/* ---- settings that are whole numbers: one list for command line, help and sidecar ---- */

typedef struct {
    const char *option; /* without dashes; also the name in the sidecar */
    size_t offset;      /* of the uint64_t in DatagenSettings, in bytes */
    uint64_t initial, min, max;
    const char *argument, *help;
} DatagenNumber;

/* By index; NULL past the last. */
const DatagenNumber *datagen_number(unsigned index);

/* By an option, or by YaneuraOu's spelling of one; NULL: there is none. */
const DatagenNumber *datagen_number_named(const char *option);

/* YaneuraOu's spellings of four options, by index; NULL past the last. */
const char *datagen_number_spelling(unsigned index);

uint64_t *datagen_number_of(DatagenSettings *s, const DatagenNumber *n);

/* ---- settings as a whole ---- */

/* Sets the defaults. The format is NULL. */
void datagen_settings_default(DatagenSettings *s);

/* Checks that the settings are consistent, and sets the search limits that follow from others. False with an error that
   names an option. */
bool datagen_settings_check(DatagenSettings *s, TabiaError *error);

/* Checks that games differ from each other, given the number of start positions. False with an error. */
bool datagen_settings_check_variety(const DatagenSettings *s, uint64_t start_positions, TabiaError *error);

/* A setting as text: "resign", "2500,4". */
typedef struct {
    char name[32], value[200];
} SettingText;

/* By index, in a fixed order, as sidecar.h has it; false past the last. What decides no byte is not among them: number of threads and of
   positions. */
bool datagen_setting_text(const void *settings, unsigned index, SettingText *out);

/* By start without a book (selfplay/starts.h): its name, also of the option, and words for a report. */
extern const DataName datagen_starts[STARTS_N];

/* ---- the command line as a whole ---- */

typedef struct {
    const char *const *names; /* of the options on the command line, without dashes */
    unsigned count;
} DatagenGivenOptions;

/* Checks options that need or exclude each other, and sets the start position and the format (by the extension of `path`)
   where they follow from others. The settings have been checked afterwards. False with an error that names an option. */
bool datagen_options_check(const DatagenGivenOptions *given, DatagenSettings *s, const char *path, TabiaError *error);
