/* SPDX-License-Identifier: MIT */
#include "records/clocks.h"

#include <stdio.h>

const char *clocks_text(const Position *p, char out[CLOCKS_TEXT_MAX]) {
    snprintf(out, CLOCKS_TEXT_MAX, "%u", p->ply);
    return out;
}

bool clocks_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error) {
    (void)p, (void)fields, (void)ply, (void)error;
    return true;
}
