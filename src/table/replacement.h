/* SPDX-License-Identifier: MIT */
/*
 * The rules of TabiaReplacement, as constants of the texts of entries and counts: the slot of lowest priority is sought,
 * the first of several, and this is what the rules differ in.
 *
 *                            always    depth-and-age
 *     what is lower          stored    entries: refused
 *     a later store costs              counts: half
 *
 * What a generation costs an entry is a number of the table (age_weight). Counts have no generation: where their age
 * counts, the order of a bucket's slots is that of their stores.
 */
#pragma once
#include "bucket.h"

typedef TabiaReplacement Replacement;

/* What 0 of the option means. */
static const Replacement ENTRIES_REPLACEMENT = TABIA_REPLACE_ALWAYS;
static const Replacement COUNTS_REPLACEMENT = TABIA_REPLACE_DEPTH_AND_AGE;
static const Replacement RECORDS_REPLACEMENT = TABIA_REPLACE_ALWAYS;

/* No draft is so many plies above another. */
enum { KEEP_NEVER = 256 };

INLINE Replacement replacement_default(TabiaRecordType type) {
    if (type == TABIA_ENTRIES) return ENTRIES_REPLACEMENT;
    return type == TABIA_COUNTS ? COUNTS_REPLACEMENT : RECORDS_REPLACEMENT;
}

/* Does the rule refuse an entry of lower priority than all slots? */
INLINE bool replacement_refuses(Replacement rule) {
    return rule == TABIA_REPLACE_DEPTH_AND_AGE;
}
