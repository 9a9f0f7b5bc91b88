/* SPDX-License-Identifier: MIT */
/*
 * Games of shogi whose end is near and known: a position has occurred three times, its fourth occurrence ends the game.
 * In most, rook and knight or king go to and fro while one side is far behind: it wants the draw, the other must leave
 * the cycle. In the others a rook checks in a cycle of checks alone, which loses, or of checks and other moves.
 */
#include <stddef.h>

#include "path_keys.h"

const char *const path_key_node_positions[] = {
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
    NULL,
};

#define WITHOUT_ROOK_AND_BISHOP "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define BLACK_WITHOUT "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - 1"
#define WITHOUT_GOLDS "lns1k1snl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define BARE_KING "4k4/9/9/9/9/9/9/5R3/4K4 b G2S 1"
#define BARE_KING_LEFT "4k4/9/9/9/9/9/9/3R5/4K4 b G2S 1"
#define FOUR "2h3h 5a4b 3h2h 4b5a "
#define SIX "2h3h 5a5b 3h4h 5b4b 4h2h 4b5a "
#define EIGHT "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b 5h2h 5b5a "
#define CHECKS "4h5h 5a4a 5h4h 4a5a "
#define EIGHT_CHECKS "4h5h 5a6a 5h6h 6a5b 6h5h 5b4a 5h4h 4a5a "
#define CHECK_AND_MOVE "6h5h 5a4a 5h6h 4a5a "
#define OTHER_FOUR "8b7b 5i4h 7b8b 4h5i "
#define TWICE(cycle) " pv " cycle cycle

/* The cycle is played three times, but for its last moves. */
const char *const path_key_built_in[] = {
    WITHOUT_ROOK_AND_BISHOP TWICE(FOUR) "2h3h 5a4b 3h2h; expect draw",
    WITHOUT_ROOK_AND_BISHOP TWICE(FOUR) "2h3h 5a4b; am 3h2h",
    WITHOUT_ROOK_AND_BISHOP TWICE(FOUR) "2h3h 5a4b; expect win",
    WITHOUT_ROOK_AND_BISHOP TWICE(SIX) "2h3h 5a5b 3h4h 5b4b 4h2h; expect draw",
    WITHOUT_ROOK_AND_BISHOP TWICE(SIX) "2h3h 5a5b 3h4h 5b4b; am 4h2h",
    WITHOUT_ROOK_AND_BISHOP TWICE(EIGHT) "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b 5h2h; bm 5b5a",
    WITHOUT_ROOK_AND_BISHOP TWICE(EIGHT) "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b; am 5h2h",
    WITHOUT_GOLDS TWICE(FOUR) "2h3h 5a4b 3h2h; expect draw",
    WITHOUT_GOLDS TWICE(EIGHT) "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b 5h2h; expect draw",
    WITHOUT_GOLDS TWICE(EIGHT) "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b; expect win",
    BLACK_WITHOUT TWICE(OTHER_FOUR) "8b7b 5i4h 7b8b; expect draw",
    BLACK_WITHOUT TWICE(OTHER_FOUR) "8b7b 5i4h; am 7b8b",
    BARE_KING TWICE(CHECKS) "4h5h 5a4a 5h4h; expect win",
    BARE_KING TWICE(CHECKS) "4h5h 5a4a 5h4h; bm 4a5a",
    BARE_KING TWICE(CHECKS) "4h5h 5a4a; am 5h4h",
    BARE_KING TWICE(EIGHT_CHECKS) "4h5h 5a6a 5h6h 6a5b 6h5h 5b4a 5h4h; expect win",
    BARE_KING TWICE(EIGHT_CHECKS) "4h5h 5a6a 5h6h 6a5b 6h5h 5b4a; am 5h4h",
    BARE_KING_LEFT TWICE(CHECK_AND_MOVE) "6h5h 5a4a 5h6h; expect draw",
    BARE_KING_LEFT TWICE(CHECK_AND_MOVE) "6h5h 5a4a; am 5h6h",
    NULL,
};
