/* SPDX-License-Identifier: MIT */
/* What is explored. */
#pragma once
#include "explore.h"

/* The explorer itself, by programs with known verdicts: how many are wrong. */
unsigned litmus_faults(void);

extern const ModelProgram model_lock, model_split, model_cut, model_zeroing, model_clears, model_named,
    model_named_killed;
extern const ModelProgram model_entries, model_in_place, model_entries_plain, model_entries_none;
extern const ModelProgram model_words, model_words_plain, model_words_none;
