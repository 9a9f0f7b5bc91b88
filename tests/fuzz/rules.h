/* SPDX-License-Identifier: MIT */
/* The fuzz test of the rules, rules.c, which is compiled for each game, and what a game gives it: GAME_rules.c. */
#pragma once
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/moves.h"

enum { RULES_MOVES_MAX = 1024 }; /* the most that a reference lists */

typedef struct {
    uint64_t state;
    uint64_t done, failures;
    Zobrist keys;
} RulesFuzz;

/* A move as the reference writes it. */
typedef struct {
    char text[UCI_MAX];
} RulesMove;

void rules_report(RulesFuzz *f, const Position *p, const char *what, const char *move);
bool rules_listed(const Move *moves, unsigned n, Move m);

/* ---- the game's part ---- */

RulesMove rules_move_text(const Position *p, Move m);
/* Writes the legal moves by the reference, and returns their number. */
unsigned rules_reference_moves(RulesFuzz *f, const Position *p, RulesMove moves[RULES_MOVES_MAX]);
/* Is a legal move one of moves_list_captures? */
bool rules_is_capture(const Position *p, Move m);
/* What is to be checked besides, of a position and its moves. */
void rules_check_position(RulesFuzz *f, const Position *p, const Move *moves, unsigned n);
/* Compares *after, the position after m, with what is to be had without its code. */
void rules_check_after(RulesFuzz *f, const Position *p, Move m, const Position *after);
