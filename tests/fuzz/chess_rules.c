/* SPDX-License-Identifier: MIT */
/* The part of chess in rules.c: boards are compared with those of the reference after the same move. */
#include "base/random.h"
#include "bridge.h"
#include "rules.h"
#include "rules/movegen.h"
#include "rules/upcoming.h"

#include <string.h>

RulesMove rules_move_text(const Position *p, Move m) {
    RulesMove text;
    (void)p;
    memcpy(text.text, bridge_move_text(m).text, sizeof text.text);
    return text;
}

unsigned rules_reference_moves(RulesFuzz *f, const Position *p, RulesMove moves[RULES_MOVES_MAX]) {
    ReferenceMove theirs[REFERENCE_MOVES_MAX];
    const ReferenceBoard b = reference_from_position(p);
    const int n = reference_moves(&b, theirs);
    (void)f;
    for (int i = 0; i < n; i++) memcpy(moves[i].text, theirs[i].text, sizeof moves[i].text);
    return (unsigned)n;
}

bool rules_is_capture(const Position *p, Move m) {
    if (move_promotes(m)) return move_promotion(m) == QUEEN;
    return move_flag(m) == EN_PASSANT || (move_flag(m) != CASTLING && occupied(p) & bit(move_to(m)));
}

/* Each listed move is found from its squares, and none is found between squares that no move connects. */
void rules_check_position(RulesFuzz *f, const Position *p, const Move *moves, unsigned n) {
    static const PieceType promotions[] = {PAWN, KNIGHT, BISHOP, ROOK, QUEEN};
    for (unsigned i = 0; i < n + 64; i++) {
        const uint64_t r = random_next(&f->state);
        const Move m = i < n ? moves[i] : (Move)(r & 0xfff);
        const PieceType promotion = i >= n ? promotions[r >> 16 & 3] : move_promotes(m) ? move_promotion(m) : PAWN;
        const Move found = move_from_squares(p, move_from(m), move_to(m), promotion);
        bool connected = false;
        for (unsigned k = 0; k < n; k++)
            connected = connected || (move_from(moves[k]) == move_from(m) && move_to(moves[k]) == move_to(m) &&
                                      (move_promotes(moves[k]) ? move_promotion(moves[k]) : PAWN) == promotion);
        if (i < n ? found != m : connected ? !rules_listed(moves, n, found) : found != 0)
            rules_report(f, p, "wrong move from its squares:", rules_move_text(p, m).text);
    }
}

/* A move that leads to *after is known as upcoming there exactly if it can be taken back. */
static void check_upcoming(RulesFuzz *f, const Position *p, Move m, const Position *after) {
    static UpcomingTable moves;
    static bool made;
    if (!made) upcoming_init(&moves, &f->keys), made = true;
    const uint64_t difference = zobrist_key(&f->keys, p)[1] ^ zobrist_key(&f->keys, after)[1];
    const bool takes_back =
        after->halfmove && move_flag(m) == PLAIN && !memcmp(p->castle, after->castle, sizeof p->castle) && !p->ep;
    if (upcoming_finds_move(&moves, p, difference) != takes_back)
        rules_report(f, p, "upcoming or not:", rules_move_text(p, m).text);
}

void rules_check_after(RulesFuzz *f, const Position *p, Move m, const Position *after) {
    check_upcoming(f, p, m, after);
    const ReferenceMove text = bridge_move_text(m);
    const ReferenceBoard before = reference_from_position(p);
    ReferenceBoard theirs;
    if (!reference_make_move(&before, text.text, &theirs)) rules_report(f, p, "the reference cannot make", text.text);
    const Position expected = position_from_reference(&theirs);
    if (!position_same(after, &expected) || after->halfmove != expected.halfmove ||
        after->fullmove != expected.fullmove)
        rules_report(f, p, "wrong position after", text.text);
}
