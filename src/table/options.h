/* SPDX-License-Identifier: MIT */
/* What was asked for, made whole: every 0 replaced by its default, every value checked. */
#pragma once
#include "tabia/table.h"

/* Fills *full from *asked (NULL: all defaults). 0, or TABIA_ERROR_OPTION or _UNSUPPORTED with the option named in *error.
   full->path_bits and ->signature_bits are then the widths in the check word,
   full->name still points to the caller's text. */
int tabia_options_fill(TabiaOptions *full, const TabiaOptions *asked, TabiaError *error);

/* The rules there are, the engine's default first. */
enum { REPLACEMENT_RULES = 2 };
static const TabiaReplacement replacement_rules[REPLACEMENT_RULES] = {TABIA_REPLACE_ALWAYS,
                                                                      TABIA_REPLACE_DEPTH_AND_AGE};

/* "always" or "depth-and-age"; "larger-stays" or "two-tier" of numbers that older programs gave to rules. */
const char *tabia_replacement_name(TabiaReplacement rule);
