/* SPDX-License-Identifier: MIT */
/* `tabia-shogi gensfen` needs nothing before it plays. */
#include "../gensfen_options.h"

bool gensfen_open_rules(GameRules *rules, bool quiet, TabiaError *error) {
    (void)rules, (void)quiet, (void)error;
    return true;
}

void gensfen_close_rules(GameRules *rules) {
    (void)rules;
}
