/* SPDX-License-Identifier: MIT */
#include "protocol/engine_protocol.h"

#include <stdio.h>

/* Openings, middlegames, attacks, endings with full hands; those that perft is tested on, and lines of our own. */
const char *const engine_protocol_bench_positions[] = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
    "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
    NULL,
};

static size_t write_hand(char *out, size_t room, const char *name, uint32_t hand) {
    size_t n = (size_t)snprintf(out, room, "%s", name);
    for (int t = GOLD; t >= PAWN; t--)
        if (hand_count(hand, (PieceType)t))
            n += (size_t)snprintf(out + n, room - n, " %u%c", hand_count(hand, (PieceType)t), PIECE_LETTERS[t]);
    return n + (size_t)snprintf(out + n, room - n, "\n");
}

void engine_protocol_board(const Position *p, char out[PROTOCOL_BOARD_MAX]) {
    size_t n = 0;
    for (int file = FILES; file >= 1; file--) n += (size_t)snprintf(out + n, PROTOCOL_BOARD_MAX - n, " %d", file);
    out[n++] = '\n';
    for (int rank = 0; rank < RANKS; rank++) {
        for (int file = FILES - 1; file >= 0; file--) {
            const int s = RANKS * file + rank;
            out[n++] = has_square(p->promoted, s) ? '+' : ' ';
            out[n++] = piece_character(p, s);
        }
        out[n++] = ' ', out[n++] = ' ', out[n++] = (char)('a' + rank), out[n++] = '\n';
    }
    n += write_hand(out + n, PROTOCOL_BOARD_MAX - n, "black:", p->hand[BLACK]);
    write_hand(out + n, PROTOCOL_BOARD_MAX - n, "white:", p->hand[WHITE]);
}
