/* SPDX-License-Identifier: MIT */
#include "starts.h"

#include <assert.h>
#include <stddef.h>

#include "base/random.h"
#include "notation/fen.h"
#include "notation/validate.h"
#include "reference/shogi_reference.h"

const unsigned short_game_plies = 6;

static const char *const known[] = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
    "4k4/9/9/9/9/9/9/9/9 b RB2GSNL9Prb2g3s3n3l9p 1", /* a problem: black has no king */
};

/* Each piece of a set on a random square, mostly near a king, or in a hand, or in the box. */
static void throw_pieces(Position *p, PieceType type, uint64_t *state) {
    const unsigned on_board = 1 + random_below(state, 7); /* of eight */
    for (unsigned i = 0; i < set_pieces(type); i++) {
        const Colour c = (Colour)random_below(state, 2);
        const int near = p->king[random_below(state, 2)];
        int s = (int)random_below(state, BOARD_SQUARES);
        if (random_below(state, 3) && near != NO_SQUARE)
            s = 9 * (near / 9 - 2 + (int)random_below(state, 5)) + near % 9 - 2 + (int)random_below(state, 5);
        const PieceType as = piece_type_promotes(type) && !random_below(state, 3) ? (PieceType)(type | PROMOTED) : type;
        if (random_below(state, 8) >= on_board) {
            if (random_below(state, 3)) p->hand[c] += hand_one(type);
        } else if (s >= 0 && s < BOARD_SQUARES && !has_square(occupied(p), s) && !has_square(dead_end(c, as), s)) {
            const Squares file = FILE_1 << RANKS * file_of(s);
            if (as != PAWN || !(unpromoted(p, PAWN) & p->side[c] & file)) position_put(p, s, c, as);
        }
    }
}

static Position random_board(uint64_t *state) {
    for (;;) {
        Position p = {.king = {NO_SQUARE, NO_SQUARE}, .ply = 1, .turn = (uint8_t)random_below(state, 2)};
        const unsigned missing = random_below(state, 16);
        for (unsigned c = BLACK; c <= WHITE; c++) {
            const int s = (int)random_below(state, BOARD_SQUARES);
            if (c != missing && !has_square(occupied(&p), s)) position_put(&p, s, (Colour)c, KING);
        }
        for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) throw_pieces(&p, t, state);
        if (position_validate(&p, NULL)) return p;
    }
}

Position random_start(uint64_t *state) {
    enum { KNOWN = sizeof known / sizeof *known };
    const unsigned i = random_below(state, 2 * KNOWN);
    Position p;
    if (i >= KNOWN) return random_board(state);
    const bool read = fen_parse(&p, known[i], NULL);
    assert(read);
    (void)read;
    return p;
}

void add_kinds(const Position *p, Move m, const Position *child, unsigned replies, uint64_t kinds[KINDS]) {
    const Squares own = p->side[p->turn], after = child->side[p->turn];
    (void)m;
    kinds[KIND_CAPTURE] += child->side[!p->turn] != p->side[!p->turn];
    kinds[KIND_PROMOTION] += squares_count(after & child->promoted) != squares_count(own & p->promoted);
    kinds[KIND_DROP] += squares_count(after) != squares_count(own);
    kinds[KIND_CHECK] += in_check(child);
    kinds[KIND_MATE] += in_check(child) && !replies;
}

bool reference_replies(const Position *p, uint64_t expected, uint64_t *replies) {
    ShogiReferenceBoard b;
    char sfen[FEN_MAX];
    if (expected > 5000) return false;
    fen_write(p, FEN_STANDARD, sfen);
    *replies = shogi_reference_read(&b, sfen) ? shogi_reference_perft(&b, 2) : 0;
    return true;
}
