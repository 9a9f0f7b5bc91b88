/* SPDX-License-Identifier: MIT */
/*
 * The tunable parameters of the search, found by matches. Every change changes the bench and needs a match
 * (docs/measuring.md). Scores are in centipawns, reductions in 1/1024 plies, depths in plies. "A ply" or "a ply
 * squared" multiplies by the remaining depth.
 */
#pragma once

enum {
    PLY = 1024, /* of reduction */

    /* Reverse futility pruning (static null move) and razoring. */
    REVERSE_FUTILITY_DEPTH = 8,
    REVERSE_FUTILITY_MARGIN = 70, /* a ply, one less where things improve */
    RAZOR_DEPTH = 3,
    RAZOR_BASE = 286,
    RAZOR_SLOPE = 200, /* a ply squared */

    /* Null move pruning. */
    NULL_DEPTH = 3,
    NULL_BASE = 4,
    NULL_DEPTH_DIVISOR = 4, /* a ply more for this many plies of depth */
    NULL_MARGIN = 128,      /* a ply more for each that the estimate is above beta */
    NULL_MARGIN_PLIES_MAX = 3,
    NULL_VERIFY_DEPTH = 14,

    /* ProbCut. */
    PROBCUT_DEPTH = 5,
    PROBCUT_MARGIN = 201,
    PROBCUT_IMPROVING = 42,
    PROBCUT_REDUCTION = 4, /* plies */

    /* Late move pruning, futility, history and SEE pruning of moves: */
    LMP_BASE = 6, /* and a ply squared; half of it where nothing improves */
    FUTILITY_DEPTH = 7,
    FUTILITY_BASE = 113,
    FUTILITY_SLOPE = 84,
    HISTORY_PRUNING_DEPTH = 5,
    HISTORY_PRUNING_MARGIN = 3194, /* a ply */
    SEE_DEPTH = 8,                 /* of quiet moves; of captures one less */
    SEE_QUIET = 21,                /* a ply squared */
    SEE_CAPTURE = 96,              /* a ply */

    /* Singular and check extensions. */
    SINGULAR_DEPTH = 8,
    SINGULAR_MARGIN = 2, /* a ply */
    SINGULAR_DOUBLE_MARGIN = 22,
    CHECK_EXTENSION_DEPTH = 10, /* below this depth, checks that lose no material are extended by a ply */

    /* Late move reductions: base and log(depth) * log(move count) / divisor, both in thousandths; then adjusted by: */
    LMR_BASE = 853,
    LMR_DIVISOR = 2241,
    LMR_NOT_IMPROVING = 1095,
    LMR_PV = 891, /* less */
    LMR_CUT = 1094,
    LMR_CAPTURE = 988,      /* less */
    LMR_KILLER = 943,       /* less */
    LMR_CHECK = 1120,       /* less */
    LMR_HISTORY = 17722,    /* a ply less for this much history */
    LMR_DEEPER_MARGIN = 42, /* a ply more if the reduced search is better than the best by this much */

    /* Internal iterative reduction: nodes without a table move. */
    IIR_DEPTH = 4,

    /* History bonus and malus after a cutoff. */
    HISTORY_BONUS_SLOPE = 195, /* a ply */
    HISTORY_BONUS_OFFSET = 66,
    HISTORY_BONUS_MAX = 1730,

    /* Correction history: step and weight of the sum of the three entries. */
    CORRECTION_DEPTH_DIVISOR = 8, /* the step is multiplied by depth over this */
    CORRECTION_STEP_MAX = 256,
    CORRECTION_DIVISOR = 12,

    /* Quiescence. */
    DELTA_MARGIN = 239,

    /* Aspiration windows. */
    ASPIRATION_WIDTH = 15,
};
