/* SPDX-License-Identifier: MIT */
/* A game of self-play, and a wrong entry in its table: that of a lost position, under the key of a position one move from
 * the start. It ends every game at its first search, but where generations are strict. */
#include "unit.h"

#include "datagen/selfplay.h"
#include "game.h"
#include "tabia/entry.h"
#include "tabia/stats.h"

enum { LIMIT = 1500, WRONG_SCORE = -2000, SMALL = 64 << 10 };

typedef struct {
    DatagenSettings settings;
    Openings openings;
    TabiaTable *table;
    Search *search;
    SelfplayGame *game;
} Generator;

/* In a small table that is not wiped, as the generator has it, or without its generations. */
static void set_up(Generator *g, bool strict) {
    TabiaError error = {0};
    datagen_settings_default(&g->settings);
    g->settings.search.depth = 1;
    g->settings.opening.random_max_ply = 0;
    g->settings.opening.score_limit = 0;
    g->settings.adjudication.eval_limit = LIMIT;
    g->settings.adjudication.max_ply = 20;
    g->settings.hash_bytes = SMALL;
    SelfplayTableModes modes = selfplay_table_modes;
    if (!strict) modes.is_strict = false;
    const TabiaOptions options = selfplay_table_options(&modes, g->settings.hash_bytes, 1);
    assert_true(openings_open(&g->openings, NULL, START_standard, false, NULL, &error));
    assert_int_equal(tabia_table_create(&g->table, &options, &error), TABIA_OK);
    g->search = selfplay_search_create(&g->settings, g->table, &error);
    g->game = selfplay_game_create(g->settings.adjudication.max_ply);
    assert_non_null(g->search);
    assert_non_null(g->game);
}

static void tear_down(Generator *g) {
    selfplay_game_destroy(g->game);
    search_destroy(g->search);
    tabia_table_destroy(g->table);
}

/* The entry of every position one move from the start is that of a lost one. */
static void spoil(Generator *g) {
    uint64_t random = 1;
    Position start;
    Move moves[MOVES_MAX];
    assert_true(openings_draw(&g->openings, &random, &start));
    const Zobrist *z = search_zobrist(g->search);
    const Key key = zobrist_key(z, &start);
    const unsigned n = game_moves(&start, moves);
    for (unsigned i = 0; i < n; i++)
        tabia_entry_store(g->table, game_table_key(game_key_after(z, &start, key, moves[i])), 0,
                          (TabiaEntry){.score = WRONG_SCORE, .bound = TABIA_BOUND_UPPER});
}

static void play(Generator *g) {
    const SelfplayPlayer player = {.settings = &g->settings, .openings = &g->openings, .search = g->search};
    assert_true(selfplay_play(&player, 0, g->game));
}

static void wrong_entry_ends_a_game_where_generations_are_loose(void **state) {
    Generator g;
    set_up(&g, false);
    play(&g);
    assert_true(g.game->record_count > 0); /* without it */
    spoil(&g);
    for (unsigned game = 0; game < 3; game++) {
        play(&g);
        assert_int_equal(g.game->record_count, 0);
        assert_int_equal(g.game->counts.plies, 0);
        assert_int_equal(g.game->counts.terminations[TERMINATION_eval_limit], 1);
    }
    tear_down(&g);
}

static void strict_generations_do_not_find_it(void **state) {
    Generator g;
    set_up(&g, true);
    play(&g);
    const unsigned records = g.game->record_count;
    assert_true(records > 0);
    spoil(&g);
    play(&g);
    assert_int_equal(g.game->record_count, records);
    assert_int_equal(g.game->counts.terminations[TERMINATION_eval_limit], 0);
    tear_down(&g);
}

/* Nothing of a game before is left when one begins: it would have a say in what is replaced. */
static void a_game_begins_with_a_wiped_table(void **state) {
    enum { FOREIGN = 100000, AGES = 62 };
    Generator g;
    set_up(&g, true);
    for (uint64_t i = 1; i <= FOREIGN; i++)
        tabia_entry_store(g.table, (TabiaKey){i * 0x9e3779b97f4a7c15ull, i * 0xd6e8feb86659fd93ull}, 0,
                          (TabiaEntry){.draft = 200, .move = 1});
    const unsigned before = tabia_table_hashfull_age(g.table, AGES);
    g.settings.opening.random_min_ply = g.settings.opening.random_max_ply = 3, g.settings.opening.random_count = 1;
    const SelfplayPlayer player = {
        .settings = &g.settings, .openings = &g.openings, .search = g.search, .table = g.table};
    assert_true(selfplay_play(&player, 0, g.game));
    assert_true(before > 900 && g.game->record_count > 0 && g.game->is_random[2]);
    assert_in_range(tabia_table_hashfull_age(g.table, AGES), 1, before - 1);
    tear_down(&g);
}

/* Each thread has a part of its own, where no search finds what one before it stored. */
static void tables_of_data_are_apart_and_strict(void **state) {
    const TabiaOptions options = selfplay_table_options(&selfplay_table_modes, 3 * SMALL, 3);
    assert_true(options.strict_generations && options.partitions == 3);
    assert_int_equal(options.bytes, 3 * SMALL);
    assert_int_equal(options.signature_bits + options.age_weight, 0);
}

#include "test_selfplay_list.h"
