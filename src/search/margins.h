/* SPDX-License-Identifier: MIT */
/*
 * The tunable parameters of the search, found by matches. Every change changes the bench and needs a match
 * (docs/measuring.md). Scores are in centipawns, reductions in 1/1024 plies, depths in plies. "A ply" or "a ply
 * squared" multiplies by the remaining depth.
 */
#pragma once

enum {
    PLY = 1024, /* of reduction */

    /* Reverse futility pruning (static null move). */
    REVERSE_FUTILITY_DEPTH = 8,
    REVERSE_FUTILITY_MARGIN = 70, /* a ply, one less where things improve */

    /* Null move pruning. */
    NULL_DEPTH = 3,
    NULL_BASE = 4,
    NULL_DEPTH_DIVISOR = 4, /* a ply more for this many plies of depth */
    NULL_MARGIN = 128,      /* a ply more for each that the estimate is above beta */
    NULL_MARGIN_PLIES_MAX = 3,
    NULL_VERIFY_DEPTH = 14,

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
    SINGULAR_DEPTH = 6,
    SINGULAR_MARGIN = 2, /* a ply */
    SINGULAR_DOUBLE_MARGIN = 22,
    SINGULAR_TRIPLE_MARGIN = 80,
    CHECK_EXTENSION_DEPTH = 10, /* below this depth, checks that lose no material are extended by a ply */

    /* Late move reductions: base and log(depth) * log(move count) / divisor, both in thousandths; then adjusted by: */
    LMR_BASE = 853,
    LMR_DIVISOR = 2241,
    LMR_NOT_IMPROVING = 1095,
    LMR_PV = 891, /* less */
    LMR_CUT = 1794,
    LMR_CAPTURE = 988,      /* less */
    LMR_TABLE_MOVE = 943,   /* less */
    LMR_CHECK = 1120,       /* less */
    LMR_HISTORY = 17722,    /* a ply less for this much history */
    LMR_DEEPER_MARGIN = 42, /* a ply more if the reduced search is better than the best by this much */

    /* Internal iterative reduction: nodes without a table move. */
    IIR_DEPTH = 4,

    /* History bonus and malus after a cutoff. */
    HISTORY_BONUS_SLOPE = 195, /* a ply */
    HISTORY_BONUS_OFFSET = 66,
    HISTORY_BONUS_MAX = 1730,
    HISTORY_MALUS = 8,             /* the malus is halved at the move of this number, counted from 0 */
    HISTORY_EVALUATION = 8,        /* for each centipawn that the evaluation changed */
    HISTORY_EVALUATION_MAX = 1200, /* of it */

    /* Correction history: step and weight of the sum of the three entries. */
    CORRECTION_DEPTH_DIVISOR = 8, /* the step is multiplied by depth over this */
    CORRECTION_STEP_MAX = 256,
    CORRECTION_DIVISOR = 12,

    /* Aspiration windows. */
    ASPIRATION_WIDTH = 15,
};
