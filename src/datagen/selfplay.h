/* SPDX-License-Identifier: MIT */
/*
 * One game of the engine against itself. It follows from the settings and the number of the game alone: its random
 * numbers are its own, and it begins with a wiped table and cleared histories, but where an experiment leaves the table
 * out of the player. So any thread may play it at any time.
 *
 *   opening     a start position (openings.h), drawn again if its first score is beyond the limit
 *   moves       by search; some of the first ones are random, as the settings say
 *   records     of each position that was searched since the last random move; filters remove some
 *   result      by the rules or by adjudication (adjudicate.h)
 */
#pragma once
#include "counts.h"
#include "data/format.h"
#include "openings.h"
#include "search/search.h"

/* Memory for one game, used for one after another. */
typedef struct {
    DataRecord *records; /* to be written, in order */
    unsigned record_count;
    DatagenCounts counts; /* of this game */

    /* Private: one element for each ply. */
    Position *positions;
    Move *moves;
    bool *is_random; /* the move at this ply is a random one */
    unsigned capacity;
} SelfplayGame;

/* For games of at most max_ply plies. NULL: out of memory. */
SelfplayGame *selfplay_game_create(uint64_t max_ply);
void selfplay_game_destroy(SelfplayGame *game); /* NULL is allowed */

/* How a table keeps the searches of players apart. */
typedef struct {
    bool is_partitioned;     /* a part of the table for each player; else one table for all */
    bool has_generations;    /* what other searches stored is displaced first */
    bool is_strict;          /* with generations: no search finds what another stored */
    unsigned signature_bits; /* 0: all */
} SelfplayTableModes;

/* Those of data: all that keeps players apart. Experiments have others (lab/table/hazard.h). */
extern const SelfplayTableModes selfplay_table_modes;

/* A table of so many bytes for all players together. */
TabiaOptions selfplay_table_options(const SelfplayTableModes *modes, uint64_t bytes, unsigned players);

/* A search for selfplay_play by the evaluation of those settings, in that table; network and table are the caller's.
   NULL with an error. */
Search *selfplay_search_create(const DatagenSettings *by, TabiaTable *table, TabiaError *error);

/* What a thread needs to play games. All is the caller's. */
typedef struct {
    const DatagenSettings *settings;
    const Openings *openings;
    Search *search;
    TabiaTable *table;           /* wiped before each game; NULL: none is */
    bool (*stop)(void *context); /* polled between moves; NULL: never stops */
    void *context;
} SelfplayPlayer;

/* Plays the game `number`. False: it was stopped, and *game has no meaning. */
bool selfplay_play(const SelfplayPlayer *player, uint64_t number, SelfplayGame *game);
