/* SPDX-License-Identifier: MIT */
/*
 * One game of the engine against itself. Everything in it follows from the settings and the game's number: its random
 * numbers are its own, and unless the table is shared it begins with a wiped table and clear histories. So any thread
 * may play it at any time.
 *
 *   opening     a start (openings.h)
 *   moves       searched, but for some random ones among the first, as the settings say
 *   positions   each that was searched since the last random move, with score and move; filters have left some out
 *   result      by the rules or by adjudication (adjudicate.h)
 */
#pragma once
#include "adjudicate.h"
#include "data/format.h"
#include "openings.h"
#include "search/search.h"

/* What is counted of games: member, words. */
#define GAME_COUNTS(COUNT)                                                                                             \
    COUNT(games, "games")                                                                                              \
    COUNT(plies, "plies of them, openings included")                                                                   \
    COUNT(searched, "positions searched")                                                                              \
    COUNT(nodes, "nodes searched")                                                                                     \
    COUNT(refused, "openings drawn again, their first score being beyond --opening-limit")                             \
    COUNT(white, "games won by white")                                                                                 \
    COUNT(drawn, "games drawn")                                                                                        \
    COUNT(black, "games won by black")                                                                                 \
    COUNT(early, "positions left out: before --write-min-ply")                                                         \
    COUNT(duplicate, "positions left out: written before, with --dedupe")                                              \
    COUNT(stripped, "positions written without their castling rights, which the format cannot hold")

typedef struct {
#define GAME_COUNT_MEMBER(name, words) uint64_t name;
    GAME_COUNTS(GAME_COUNT_MEMBER)
#undef GAME_COUNT_MEMBER
    uint64_t filtered[FILTERS_N];      /* by the first filter that a position meets */
    uint64_t unfit[DATA_REJECTIONS_N]; /* left out: the format has no word for them */
    uint64_t ended[GAME_ENDS_N];
} Counts;

void counts_add(Counts *sum, const Counts *more);

/* Called with every member, its words, and its value in *counts, in a fixed order. */
void counts_each(Counts *counts, void (*each)(void *context, const char *name, uint64_t *value), void *context);

/* Made with selfplay_create, filled again and again. */
typedef struct {
    DataRecord *record; /* to be written, in order */
    unsigned n;
    Counts counts; /* of this game */
    /* The rest is the player's. */
    Position *at;
    Move *move;
    bool *random; /* is the move at this ply a random one? */
    unsigned room;
} SelfGame;

/* Null without memory. */
SelfGame *selfplay_create(const Settings *settings);
void selfplay_destroy(SelfGame *game);

/* A search for selfplay_play, in the table of the worker's own, or in the one that all share: `table` is that share.
   shadow: false hits are counted (search.h). Null with an error. */
Search *selfplay_search(TabiaTable *table, bool shadow, TabiaError *error);

typedef struct {
    const Settings *settings;
    const Openings *openings;
    Search *search;
    TabiaTable *table;           /* to be wiped before each game; NULL: it is left as it is */
    bool (*stop)(void *context); /* asked between moves; NULL: never */
    void *context;
} Player;

/* Plays game `number`. False: it was stopped on the way, and *game is nothing. */
bool selfplay_play(const Player *player, uint64_t number, SelfGame *game);
