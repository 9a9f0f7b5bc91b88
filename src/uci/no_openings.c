/* SPDX-License-Identifier: MIT */
/* The command "genfens" in a game that has no starts of self-play yet. */
#include "engine_state.h"

void engine_genfens(Engine *e, Tokenizer *w) {
    (void)w;
    engine_print(e, "info string genfens: there are no random openings of this game yet\n");
}
