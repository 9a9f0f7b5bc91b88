/* SPDX-License-Identifier: MIT */
/*
 * The numbers that the search decides by, all in one place: what was found by matches and not by thought. A change of
 * any changes the bench and wants a match (docs/measuring.md). Scores are in hundredths of a pawn, reductions in 1/1024
 * plies, depths in plies. "A ply" or "a ply squared" multiplies by the depth that is left.
 */
#pragma once

enum {
    PLY = 1024, /* of reduction */

    /* A quiet node so far beyond its window that no full search is needed. */
    BEYOND_DEPTH = 8,
    BEYOND_MARGIN = 70, /* a ply, one less where things improve */
    RAZOR_DEPTH = 3,
    RAZOR_BASE = 286,
    RAZOR_SLOPE = 200, /* a ply squared */

    /* A pass: how much less deep. */
    NULL_DEPTH = 3,
    NULL_BASE = 4,
    NULL_SHARE = 4,    /* a ply more for so many of depth */
    NULL_MARGIN = 128, /* a ply more for each that the estimate is above beta */
    NULL_MARGIN_PLIES = 3,
    NULL_VERIFY_DEPTH = 14,

    /* A capture that will hold. */
    PROBCUT_DEPTH = 5,
    PROBCUT_MARGIN = 201,
    PROBCUT_IMPROVING = 42,
    PROBCUT_PLIES = 4, /* less deep */

    /* Moves that are not searched: of how many quiet ones, ... */
    LATE_BASE = 6, /* and a ply squared; half of it where nothing improves */
    FUTILE_DEPTH = 7,
    FUTILE_BASE = 113,
    FUTILE_SLOPE = 84,
    HISTORY_PRUNE_DEPTH = 5,
    HISTORY_PRUNE = 3194, /* a ply */
    SEE_DEPTH = 8,        /* of quiet moves; of captures one less */
    SEE_QUIET = 21,       /* a ply squared */
    SEE_CAPTURE = 96,     /* a ply */

    /* The table's move, if it is the only good one. */
    SINGULAR_DEPTH = 8,
    SINGULAR_MARGIN = 2, /* a ply */
    SINGULAR_TWICE = 22,
    CHECK_DEPTH = 10, /* below it checks that lose nothing are worth a ply */

    /* Late moves: a base, and log(depth) * log(tried) over the divisor, both in thousandths; and then more or less: */
    LMR_BASE = 853,
    LMR_DIVISOR = 2241,
    LMR_NOT_IMPROVING = 1095,
    LMR_PV = 891, /* less */
    LMR_CUT = 1094,
    LMR_CAPTURE = 988,   /* less */
    LMR_KILLER = 943,    /* less */
    LMR_CHECK = 1120,    /* less */
    LMR_HISTORY = 17722, /* a ply less for so much */
    DEEPER_MARGIN = 42,  /* so much better than the best: a ply more */

    /* Without a move of the table. */
    UNKNOWN_DEPTH = 4,

    /* What histories learn from a cutoff, +-. */
    BONUS_SLOPE = 195, /* a ply */
    BONUS_LESS = 66,
    BONUS_MOST = 1730,

    /* Corrections: what is taught at once, and how much of the sum of three is believed. */
    CORRECTION_TIMES = 8, /* depth over it */
    CORRECTION_STEP_MOST = 256,
    CORRECTION_SHARE = 12,

    /* Quiescence. */
    DELTA_MARGIN = 239,

    /* Windows around the last score. */
    ASPIRATION_WIDTH = 15,
};
