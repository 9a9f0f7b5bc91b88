/* SPDX-License-Identifier: MIT */
/* What people ask of a position, and of what the engine got: d, eval, and a line before a search. */
#include <inttypes.h>

#include "base/text.h"
#include "base/threads.h"
#include "engine_state.h"
#include "notation/fen.h"
#include "notation/names.h"
#include "perft/kernel.h"
#include "protocol/engine_protocol.h"

void engine_show_position(Engine *e) {
    const Position *p = search_root(e->search);
    char fen[FEN_MAX], board[PROTOCOL_BOARD_MAX];
    engine_protocol_board(p, board);
    fen_write(p, e->options.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
    const Key key = zobrist_key(search_zobrist(e->search), p);
    engine_print(e, "%s" PROTOCOL_POSITION_TITLE ": %s\nKey: %016jX%016jX\n", board, fen, (uintmax_t)key[0],
                 (uintmax_t)key[1]);
}

void engine_show_evaluation(Engine *e) {
    Evaluator evaluator;
    evaluator_init(&evaluator, (EvaluationType)e->options.evaluation);
    evaluator_choose(&evaluator, (EvaluationType)e->options.evaluation, e->options.network);
    const Position *p = search_root(e->search);
    if (in_check(p)) {
        engine_print(e, "Evaluation: none, the side to move is in check\n");
        return;
    }
    const int value = evaluate(&evaluator, p, 0);
    engine_print(e, "Evaluation: %+.2f (for %s, by %s)\n", (p->turn == PROTOCOL_FIRST ? value : -value) / 100.0,
                 colour_name((Colour)PROTOCOL_FIRST),
                 evaluator.type == EVALUATION_MATERIAL ? "material" : "the network");
}

/* ---- before a search ---- */

void engine_tell_resources(Engine *e) {
    if (e->hooks || e->resources_reported) return;
    TabiaInfo info;
    char size[SHORT_TEXT_MAX], pages[SHORT_TEXT_MAX];
    e->resources_reported = true;
    tabia_table_info(search_table(e->search), &info);
    engine_print(e, "info string Hash %s in pages of %s%s, Threads %" PRId64 " on %u processor%s, kernel %s\n",
                 tabia_size_text(info.bytes, size), tabia_size_text(info.page_bytes, pages),
                 info.joined ? ", joined" : "", e->options.threads, tabia_threads_usable(),
                 tabia_threads_usable() == 1 ? "" : "s", perft_kernel_at(0)->name);
}
