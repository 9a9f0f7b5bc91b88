/* SPDX-License-Identifier: MIT */
/*
 * The position that a game in kif begins with: that of a board where there is one, else of a handicap, else the usual one.
 *
 *   手合割：二枚落ち           a handicap: white, who gives it, moves first
 *   後手の持駒：飛　歩十八　    a hand; none: なし
 *   |v香v桂 ・ ...|一          a rank of the board, from file 9
 *   後手番                     the side that moves first
 *
 * Threads: a decoder belongs to one thread at a time.
 */
#pragma once
#include "formats/game_record.h"

/* A line before the first move. *taken: whether it is one of these. */
LineEffect kif_start_line(DataDecoder *d, const char *line, bool *taken, TabiaError *error);

/* At the first move: the lines are complete. */
LineEffect kif_start(DataDecoder *d, const char *line, TabiaError *error);
