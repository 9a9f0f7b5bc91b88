/* SPDX-License-Identifier: MIT */
/* Searches for tests, of either game. */
#pragma once
#include "fen_tools.h"

#include "search/search.h"

/* With a table of 1 MiB, and one thread, where the settings say nothing of them. */
static inline Search *new_search(SearchSettings settings) {
    TabiaError error;
    if (!settings.hash_bytes) settings.hash_bytes = 1 << 20;
    if (!settings.threads) settings.threads = 1;
    Search *s = search_create(&settings, &error);
    if (!s) fail_msg("%s", error.text);
    return s;
}

static inline void search_from(Search *s, const char *fen) {
    const Position p = parsed(fen);
    search_set_position(s, &p, NULL, 0);
}

static inline bool is_legal(const Position *p, Move m) {
    Move list[MOVES_MAX];
    for (unsigned n = game_moves(p, list); n--;)
        if (list[n] == m) return true;
    return false;
}
