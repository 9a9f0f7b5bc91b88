/* SPDX-License-Identifier: MIT */
/* The command "go perft": a count by src/perft, printed as a divide. */
#include "base/text.h"
#include "engine_state.h"
#include "notation/move_text.h"
#include "perft/run.h"

/* The callback of perft_run, some 25 times a second. True ends the count: a stop or quit was received. */
static bool is_stopped(void *engine, const PerftState *state) {
    (void)state;
    return engine_stop_pending(engine);
}

static void print_divide(Engine *e, const PerftState *s) {
    char move[UCI_MAX], count[U128_TEXT_MAX];
    assert(s->frontier.roots <= MOVES_MAX);
    for (unsigned i = 0; i < s->frontier.roots; i++) {
        move_to_uci(&s->job->root, s->frontier.root_move[i], e->options.chess960, move);
        tabia_u128_text(s->divide[i], count);
        engine_print(e, "%s: %s\n", move, count);
    }
    tabia_u128_text(s->nodes, count);
    engine_print(e, "\nNodes searched: %s\n", count);
}

void engine_perft(Engine *e, int depth) {
    const PerftJob job = {.root = *search_root(e->search),
                          .depth = depth,
                          .threads = (unsigned)e->options.threads,
                          .watch = is_stopped,
                          .context = e};
    PerftState state;
    TabiaError error;
    if (!perft_run(&job, &state, &error))
        engine_print(e, "info string go perft: %s\n", error.text);
    else if (!state.complete)
        engine_print(e, "info string go perft: stopped after %zu of %zu units\n", state.units_done,
                     state.frontier.units.n);
    else
        print_divide(e, &state);
    perft_state_free(&state);
}
