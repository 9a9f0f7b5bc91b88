/* SPDX-License-Identifier: MIT */
/*
 * What decides the bytes of generated data. Two runs with equal settings write the same file, whatever the number of
 * threads and however often they are stopped; so a sidecar file (sidecar.h) holds them all, and a run that goes on
 * compares them.
 *
 * The numbers are one list for each section of the help text: from it come the members, the command line, the help, the
 * sidecar. Their names are those of the generators that had them first where there are such (YaneuraOu's gensfen, the
 * generators of Stockfish's and Viridithas's networks).
 *
 *     NUMBER(option, member, default, least, most, argument, help)
 */
#pragma once
#include <stdint.h>
#include <stdio.h>

#include "data/format.h"
#include "tabia/table.h"

#define SETTINGS_SEARCH(NUMBER)                                                                                        \
    NUMBER("depth", depth, 0, 1, 100, "D", "search each position to D plies")                                          \
    NUMBER("depth2", depth2, 0, 1, 100, "D", "to a random depth from --depth to D instead, drawn for each position")   \
    NUMBER("nodes", nodes, 0, 1, 1000000000000, "N", "search N nodes and stop there, whatever is half done")           \
    NUMBER(                                                                                                            \
        "soft-nodes", soft_nodes, 0, 1, 1000000000000, "N",                                                            \
        "end after the iteration that reaches N nodes; default 5000\nif there is no other limit; stops at 8 N anyway")

#define SETTINGS_OPENING(NUMBER)                                                                                       \
    NUMBER("random-move-min-ply", random_min_ply, 1, 1, 2000, "P", "random moves are played from this move on, ...")   \
    NUMBER("random-move-max-ply", random_max_ply, 9, 0, 2000, "P", "... to this one (1: the game's first; 0: none)")   \
    NUMBER("random-move-count", random_count, 8, 0, 2000, "N",                                                         \
           "so many of them are random, which ones is drawn too; all that\nwas noted before the last of them is left " \
           "out")                                                                                                      \
    NUMBER("random-move-like-apery", random_like_apery, 0, 0, 1000, "N",                                               \
           "one random move in N is a king's move if there is one, and\nthen every second time the answer is random "  \
           "too; "                                                                                                     \
           "0: no")                                                                                                    \
    NUMBER("random-multipv", random_multi_pv, 0, 0, 200, "N",                                                          \
           "a random move is one of the N best instead of any; 0: any")                                                \
    NUMBER("random-multipv-diff", random_multi_pv_diff, 32000, 0, 32000, "CP",                                         \
           "... and at most CP worse than the best")                                                                   \
    NUMBER("random-multipv-depth", random_multi_pv_depth, 0, 0, 100, "D", "... by a search to D; 0: --depth, or 4")    \
    NUMBER("opening-limit", opening_limit, 1000, 0, 32000, "CP",                                                       \
           "an opening whose first score is beyond CP is drawn again;\n0: all are played")

#define SETTINGS_END(NUMBER)                                                                                           \
    NUMBER("eval-limit", eval_limit, 3000, 0, 32000, "CP",                                                             \
           "a game ends, won, at the first score of CP, which is not\nwritten; 0: no")                                 \
    NUMBER("write-max-ply", write_max_ply, 400, 1, 2000, "P", "a game of P plies is a draw")                           \
    NUMBER("insufficient", insufficient, 1, 0, 1, "0|1", "1: a game that nobody can win any more is a draw at once")

#define SETTINGS_WRITE(NUMBER)                                                                                         \
    NUMBER("write-min-ply", write_min_ply, 0, 0, 2000, "P", "positions before which P plies were played, and more")    \
    NUMBER("dedupe-slots", dedupe_slots, 4194304, 1, 1073741824, "N", "keys that --dedupe remembers, 8 bytes each")    \
    NUMBER("save-every", save_every, 10000, 1, 1000000000, "N",                                                        \
           "positions after which a block is written: what a kill may\ncost")

#define SETTINGS_TABLE(NUMBER)                                                                                         \
    NUMBER("signature-bits", signature_bits, 0, 0, 64, "N", "of the table's entries, 8 to 48: for experiments; 0: all")

/* The same numbers as the original spells them: spelling, member, least. */
#define SETTINGS_SPELLINGS(SPELLING)                                                                                   \
    SPELLING("random-move-minply", random_min_ply, 1)                                                                  \
    SPELLING("random-move-maxply", random_max_ply, 0)                                                                  \
    SPELLING("write-minply", write_min_ply, 0)                                                                         \
    SPELLING("write-maxply", write_max_ply, 1)

#define SETTINGS_NUMBERS(NUMBER)                                                                                       \
    SETTINGS_SEARCH(NUMBER)                                                                                            \
    SETTINGS_OPENING(NUMBER)                                                                                           \
    SETTINGS_END(NUMBER)                                                                                               \
    SETTINGS_WRITE(NUMBER)                                                                                             \
    SETTINGS_TABLE(NUMBER)

/* Positions that are not written: name, what they are. `score` has a number of its own. */
#define SETTINGS_FILTERS(FILTER)                                                                                       \
    FILTER(check, "the side to move is in check")                                                                      \
    FILTER(capture, "the move played takes something")                                                                 \
    FILTER(promotion, "the move played promotes")                                                                      \
    FILTER(mate, "the score is a mate")                                                                                \
    FILTER(draw, "the game was drawn")                                                                                 \
    FILTER(score, "the score is beyond the limit of score=CP")

enum {
#define FILTER_NUMBER(name, words) FILTER_NUMBER_##name,
    SETTINGS_FILTERS(FILTER_NUMBER) FILTERS_N
#undef FILTER_NUMBER
};
enum {
#define FILTER_BIT(name, words) FILTER_##name = 1 << FILTER_NUMBER_##name,
    SETTINGS_FILTERS(FILTER_BIT)
#undef FILTER_BIT
        FILTER_quiet = FILTER_check | FILTER_capture | FILTER_promotion
};

typedef enum { START_STANDARD, START_CHESS960, START_DFRC } Start;

typedef struct {
#define NUMBER_MEMBER(option, member, initial, least, most, argument, help) uint64_t member;
    SETTINGS_NUMBERS(NUMBER_MEMBER)
#undef NUMBER_MEMBER
    uint64_t seed;
    uint64_t hash_bytes; /* of each thread's table; of the one that all share */
    TabiaSharing sharing;
    bool strict;                         /* generations */
    Start start;                         /* without a book */
    const char *book;                    /* NULL: none; the caller's */
    uint64_t book_sum;                   /* checksum of its bytes, set by openings_open */
    uint64_t resign_score, resign_plies; /* plies 0: never */
    uint64_t draw_score, draw_plies, draw_from;
    unsigned filters; /* FILTER_... */
    uint64_t filter_score;
    bool dedupe;
    const DataFormat *format;
} Settings;

/* What is used where nothing is said. The format is left NULL. */
void settings_default(Settings *s);

/* Do they make sense together? Fills what follows from the rest (a limit of the search, if there is none). False with an
   error that names an option. */
bool settings_check(Settings *s, TabiaError *error);

/* Does something make one game differ from the next, where games begin in so many positions? False with an error. */
bool settings_vary(const Settings *s, uint64_t starts, TabiaError *error);

/* One of them for a line of text, "resign": "2500,4" and the like, in the order of the list; false when there are no
   more. What decides no byte is not among them: number of threads, positions wanted. */
typedef struct {
    char name[32], value[200];
} SettingText;
bool settings_text(const Settings *s, unsigned number, SettingText *out);

/* The words of a filter, by its number. */
const char *filter_name(unsigned number);
const char *filter_words(unsigned number);

/* Reads "quiet,mate,score=1500", or "none". False with an error that lists them. */
bool filters_parse(const char *text, Settings *s, TabiaError *error);

/* Is `signature_bits` one that all tables of the run can have, and the like: the options of the tables. */
TabiaOptions settings_table(const Settings *s, unsigned threads);
