/* SPDX-License-Identifier: MIT */
/* The part of shogi in rules.c: also moves and positions that are written and read back, the list of moves that check, and
   the board turned around. */
#include "notation/validate.h"
#include "reference/shogi_reference.h"
#include "rules.h"
#include "rules/checking_moves.h"
#include "rules/movegen.h"

#include <string.h>

RulesMove rules_move_text(const Position *p, Move m) {
    RulesMove text;
    move_to_uci(p, m, false, text.text);
    return text;
}

unsigned rules_reference_moves(RulesFuzz *f, const Position *p, RulesMove moves[RULES_MOVES_MAX]) {
    ShogiReferenceMove theirs[SHOGI_REFERENCE_MOVES_MAX];
    ShogiReferenceBoard b;
    char sfen[FEN_MAX];
    fen_write(p, FEN_STANDARD, sfen);
    if (!shogi_reference_read(&b, sfen)) rules_report(f, p, "the reference cannot read it", "");
    const int n = shogi_reference_moves(&b, theirs);
    for (int i = 0; i < n; i++) memcpy(moves[i].text, theirs[i].text, sizeof moves[i].text);
    return (unsigned)n;
}

bool rules_is_capture(const Position *p, Move m) {
    return move_promotes(m) || has_square(occupied(p), move_to(m));
}

/* The list of moves that check holds those of all moves that do. */
static void check_checking_moves(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Move list[MOVES_MAX];
    unsigned checks = 0;
    const unsigned m = list_checking_moves(p, (Colour)p->turn, list);
    for (unsigned i = 0; i < n; i++) {
        checks += gives_check(p, moves[i]);
        if (gives_check(p, moves[i]) != rules_listed(list, m, moves[i]))
            rules_report(f, p, "in the list of checks or not:", rules_move_text(p, moves[i]).text);
    }
    if (checks != m) rules_report(f, p, "the list of checks holds other moves", "");
}

static void check_texts(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        char western[SAN_MAX];
        const RulesMove usi = rules_move_text(p, moves[i]);
        if (move_from_uci(p, usi.text) != moves[i]) rules_report(f, p, "not read back:", usi.text);
        if (i % 16) continue;
        move_to_san(p, moves[i], western);
        if (move_from_text(p, western, NULL) != moves[i]) rules_report(f, p, "not read back:", western);
    }
}

void rules_check_position(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    Position read;
    char sfen[FEN_MAX];
    const Position turned = position_flipped(p), back = position_flipped(&turned);
    fen_write(p, FEN_STANDARD, sfen);
    if (!position_validate(p, NULL)) rules_report(f, p, "not valid", "");
    if (!fen_parse(&read, sfen, NULL) || !position_same(&read, p) || read.ply != p->ply)
        rules_report(f, p, "not read back", "");
    if (!position_same(&back, p) || moves_count(&turned) != n)
        rules_report(f, p, "the board turned around differs", "");
    check_checking_moves(f, p, moves, n);
    check_texts(f, p, moves, n);
}

/* The reference lists the moves of each position after a move. */
void rules_check_after(RulesFuzz *f, const Position *p, Move m, const Position *after) {
    (void)f, (void)p, (void)m, (void)after;
}
