/* SPDX-License-Identifier: MIT */
#include "notation/illegal.h"

#include <stdio.h>

void illegal_move(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    TabiaError reason;
    move_write_illegal(p, text, san);
    move_explain_refusal(p, text, &reason);
    snprintf(why, ILLEGAL_WHY_MAX, "%.*s", ILLEGAL_WHY_MAX - 1, reason.text);
}
