/* SPDX-License-Identifier: MIT */
/*
 * The rules of TabiaReplacement, as constants of the texts of entries and counts: the slot of lowest priority is sought,
 * the first of several, and two questions are what the rules differ in.
 *
 *                            always    larger-stays    depth-and-age    two-tier
 *     what is lower          stored    refused         entries: refused stored in the last slot
 *     a generation costs     weight    more than all   weight           weight
 *     a later store costs                              counts: half
 *
 * What a generation costs an entry is a number of the table (age_weight), not of the text. Counts have no generation:
 * where their age counts, the order of a bucket's slots is that of their stores.
 */
#pragma once
#include "slot.h"

typedef TabiaReplacement Replacement;

/* What 0 of the option means. The hot calls are made for these; the other rules go by the slow ones. */
static const Replacement ENTRIES_REPLACEMENT = TABIA_REPLACE_ALWAYS;
static const Replacement COUNTS_REPLACEMENT = TABIA_REPLACE_DEPTH_AND_AGE;
static const Replacement RECORDS_REPLACEMENT = TABIA_REPLACE_ALWAYS;

/* Of an older generation, any entry has less than a new one of draft 0. No draft is so many plies above another. */
enum { AGE_ABOVE_ALL = 512, KEEP_NEVER = 256 };

INLINE Replacement replacement_default(TabiaRecordType type) {
    if (type == TABIA_ENTRIES) return ENTRIES_REPLACEMENT;
    return type == TABIA_COUNTS ? COUNTS_REPLACEMENT : RECORDS_REPLACEMENT;
}

/* Does the rule refuse what is of lower priority than all slots? */
INLINE bool replacement_refuses(Replacement rule) {
    return rule == TABIA_REPLACE_LARGER_STAYS || rule == TABIA_REPLACE_DEPTH_AND_AGE;
}

/* Does the last slot of a bucket, unless it is empty, count as no better than what comes? */
INLINE bool replacement_has_tiers(Replacement rule) {
    return rule == TABIA_REPLACE_TWO_TIER;
}
