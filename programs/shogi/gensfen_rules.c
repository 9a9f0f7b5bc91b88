/* SPDX-License-Identifier: MIT */
/* `tabia-shogi gensfen` needs nothing before it plays. */
#include "../gensfen_options.h"

bool gensfen_open_rules(GameRules *rules, const GensfenOptions *o, TabiaError *error) {
    (void)rules, (void)o, (void)error;
    return true;
}

void gensfen_close_rules(GameRules *rules) {
    (void)rules;
}
