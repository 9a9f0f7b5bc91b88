/* SPDX-License-Identifier: MIT */
/* What `tabia gensfen` solves before it plays. */
#include "../gensfen_options.h"
#include "base/stop.h"
#include "selfplay/endgame_table.h"

bool gensfen_open_rules(GameRules *rules, TabiaError *error) {
    if (!rules->exact_endings) return true;
    tabia_stop_install(true);
    rules->endings = endgame_tables_of_pieces((unsigned)rules->exact_endings, error);
    return rules->endings;
}

void gensfen_close_rules(GameRules *rules) {
    endgame_tables_free((EndgameTables *)(uintptr_t)rules->endings);
    rules->endings = NULL;
}
