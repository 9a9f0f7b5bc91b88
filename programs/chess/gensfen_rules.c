/* SPDX-License-Identifier: MIT */
/* What `tabia gensfen` solves before it plays. */
#include <stdio.h>

#include "../gensfen_options.h"
#include "../options.h"
#include "base/progress.h"
#include "base/stop.h"
#include "selfplay/endgame_table.h"

static void show_solved(void *line, unsigned solved, double fraction) {
    tabia_progress_update(line, solved, fraction, NULL);
}

bool gensfen_open_rules(GameRules *rules, const GensfenOptions *o, TabiaError *error) {
    Progress line;
    if (!rules->exact_endings) return true;
    tabia_stop_install(true);
    option_progress_begin(&line, o->quiet, o->progress, "endings solved");
    rules->endings = endgame_tables_of_pieces((unsigned)rules->exact_endings, show_solved, &line, error);
    tabia_progress_end(&line);
    return rules->endings;
}

void gensfen_close_rules(GameRules *rules) {
    endgame_tables_free(rules->endings);
    rules->endings = NULL;
}
