/* SPDX-License-Identifier: MIT */
/* What test_notation.c asks of shogi. */
#pragma once
#include "unit/notation_types.h"

static const WrittenPosition written_positions[] = {
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", NULL, NULL},
    {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", NULL, NULL},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", NULL, NULL},
    {"4k4/9/9/9/9/9/9/9/4K4 b 18P", "4k4/9/9/9/9/9/9/9/4K4 b 18P 1", NULL},
    {"4k4/9/9/9/9/9/9/9/4K4 b", "4k4/9/9/9/9/9/9/9/4K4 b - 1", NULL},
    {"4k4/9/9/9/9/9/9/9/4K4 w p2PGRr 0", "4k4/9/9/9/9/9/9/9/4K4 w RG2Prp 1", NULL},
    {"  4k4/9/111111111/36/9/9/9/9/4K4   b  -  65535 ;D1 5", "4k4/9/9/9/9/9/9/9/4K4 b - 65535", NULL},
    {"4k4/9/9/9/9/9/9/9/9 b G2r 1", NULL, NULL}, /* a problem without black's king */
    {"k+n7/sg7/9/9/9/9/+r5K1g/7L1/2LN1R1+Bb b RBGSNLP 1", NULL, NULL},
};

static const RefusedPosition refused_positions[] = {
    {"", 1, 1, "there is no position"},
    {"4k4/9/9/9/9/9/9/4K4 b - 1", 1, 20, "there is ' ' after rank h; there are 9 ranks"},
    {"4k4/9/46/9/9/9/9/9/4K4 b - 1", 1, 8, "rank c has more than 9 squares"},
    {"4k4/9/9/8/9/9/9/9/4K4 b - 1", 1, 10, "rank d has 8 squares; each has 9"},
    {"4k4/9/9/4X4/9/9/9/9/4K4 b - 1", 1, 10, "there is 'X'; a piece is one of PLNSBRGK"},
    {"4k4/9/9/4+G4/9/9/9/9/4K4 b - 1", 1, 10, "a gold does not promote"},
    {"4k4/9/9/9/9/9/9/4K4/4K4 b - 1", 1, 0, "black has a second king, on 5i; the first is on 5h"},
    {"9/9/9/9/9/9/9/9/9 b - 1", 1, 0, "there is no king; at least one side has one"},
    {"4k3P/9/9/9/9/9/9/9/4K4 b - 1", 1, 4, "black's pawn on 1a can never move again"},
    {"4k4/9/9/9/9/9/9/n8/4K4 b - 1", 1, 0, "white's knight on 9h can never move again"},
    {"4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", 1, 0, "black has two unpromoted pawns on file 5, on 5d and 5f"},
    {"4k4/4GGGG1/4G4/9/9/9/9/9/4K4 b - 1", 1, 0, "5 pieces are golds, promoted or not; at most 4 can be"},
    {"4k4/9/4R4/9/9/9/9/9/3K5 b - 1", 2, 25, "black, whose turn it is, could capture the king on 5a"},
    {"4k4/9/9/9/9/9/9/9/4K4 x - 1", 2, 0, "there is 'x'; the side to move is b or w"},
    {"4k4/9/9/9/9/9/9/9/4K4", 2, 0, "the side to move is missing"},
    {"4k4/9/9/9/9/9/9/9/4K4 b K 1", 3, 25, "there is 'K'; in hand are pieces of PLNSGBR"},
    {"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", 3, 0, "a number in hand is 1 to 18"},
    {"4k4/9/9/9/9/9/9/9/4K4 b 2R2R 1", 3, 0, "black has more than 3 rooks in hand"},
    {"4k4/9/9/9/9/9/9/9/4K4 b 3G2g 1", 3, 0, "5 pieces are golds, 5 of them in hand; at most 4 can be"},
    {"4k4/9/9/9/9/9/9/9/4K4 b -G 1", 3, 0, "there is 'G' after '-'"},
    {"4k4/9/9/9/9/9/9/9/4K4 b - 65536", 4, 0, "the move number is 0 to 65535"},
    {"4k4/9/9/9/9/9/9/9/4K4 b - 1 1", 4, 29, "'1' after the last field"},
    {"4k4/9/9/9/9/9/9/9/4K4 w p2PGRr - ;D1 5", 4, 0, "there is '-'; the move number is 0 to 65535"},
};

static const EpdLine epd_lines[] = {
    {"4k4/9/9/9/9/9/9/9/4K4 b G bm G*5b; id \"1\"", "bm G*5b; id \"1\"", "4k4/9/9/9/9/9/9/9/4K4 b G 1"},
    {"4k4/9/9/9/9/9/9/9/4K4 b G 3 ;D1 4", ";D1 4", "4k4/9/9/9/9/9/9/9/4K4 b G 3"},
    {"", NULL, NULL},
};

static const char middle[] = "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65";
static const char open[] = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
static const char exchanged[] = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5";
static const char taken[] = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";

static const MoveText written_moves[] = {
    {open, "B8hx2b+", "8h2b+"},
    {open, "B8hx2b=", "8h2b"},
    {open, "P2g-2f", "2g2f"},
    {exchanged, "B*5e", "B*5e"},
    {exchanged, "B*8h", "B*8h"},
    {taken, "S3ax2b", "3a2b"},
    {"lnsgkgsnl/1r5+B1/1ppppp1pp/p5p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b B 5", "+B2bx3a", "2b3a"},
};

static const MoveText read_moves[] = {
    {"7nk/7n1/8r/6B2/8L/9/9/9/4K4 b P 1", "P*1b", "P*1b"}, /* pinned along its line, the rook takes it */
    {open, "8h1a+", NULL},
    {exchanged, "P*5e", NULL},
    {open, "P2g2f", "2g2f"},
    {open, "2g2f", "2g2f"},
    {open, "S2g-2f", NULL},
};

static const PlayedMoves played_moves[] = {
    {fen_start, NULL, fen_start},
    {fen_start, "7g7f 3c3d", open},
    {fen_start, "1. P7g-7f 2. P3c-3d 3. B8hx2b+", taken},
};

static const RefusedMoves refused_moves[] = {
    {middle, "e2e4", "this is not a move; one looks like 7g7f, 8h2b+ or P*5e"},
    {middle, "7g7f++", "this is not a move"},
    {middle, "R*5e", "black has no rook in hand"},
    {middle, "G*2b", "2b is not empty"},
    {middle, "P*4a", "4a is not empty"},
    {middle, "P*5a", "a pawn dropped on 5a could never move"},
    {middle, "P*8e", "black has an unpromoted pawn on file 8"},
    {middle, "5e5d", "black has no piece on 5e"},
    {middle, "8g8e", "the pawn on 8g cannot go to 8e"},
    {middle, "7h7g+", "the gold on 7h cannot go to 7g"},
    {middle, "7h6h+", "a gold does not promote"},
    {middle, "8g8f+", "black promotes only on a move into, in or out of the last three ranks"},
    {middle, "3h4g", "the silver on 3h cannot go to 4g"},
    {middle, "1. 8g8f 8g8f", "move 2, \"8g8f\": white has no piece on 8g"},
};

static const char *const starts[] = {
    fen_start,
    middle,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "k+n7/sg7/9/9/9/9/+r5K1g/7L1/2LN1R1+Bb b RBGSNLP 1",
};

static const char mate[] = "R7g/2K1S1SSk/4B4/5B3/9/9/9/9/1L1L1L3 b RGSNLP2g3n17p 3";

static const IllegalMove illegal_moves[] = {
    {mate, "P*1c", "P*1c", "a dropped pawn may not mate"},
    {"7nk/7r1/6B2/7N1/9/9/9/9/4K4 b P 1", "P*1b", "P*1b", "a dropped pawn may not mate"}, /* the rook is pinned */
    {fen_start, "P*5e", "P*5e", "in hand"},
    {fen_start, "2h2b", "R2hx2b", "cannot go to 2b"},
    {fen_start, "3c3d", "3c3d", "black has no piece on 3c"},
    {fen_start, "7g7f+", "P7g-7f+", "promotes"},
    {"4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "P*5e", "unpromoted pawn on file 5"},
    {"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4a", "P*4a", "could never move"},
    {"4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*4h", "G*4h", "in check"},
    {fen_start, "hello", "hello", "not a move"},
};

static const OtherLine move_lines[] = {
    {"7g7f: 30", "7g7f", ": 30"}, {"8h2b+ 30", "8h2b+", " 30"},
    {"P*5e: 1", "P*5e", ": 1"},   {"p*5e", "P*5e", ""},
    {"G@9i=2", "G*9i", "=2"},     {"7g7f+x", NULL, NULL},
    {"e2e4: 20", NULL, NULL},     {"0a1a: 1", NULL, NULL},
    {"K*5e: 1", NULL, NULL},      {"7g7", NULL, NULL},
    {"7g7j", NULL, NULL},         {"P*", NULL, NULL},
    {"7g7f1", NULL, NULL},        {"", NULL, NULL},
};

static const OtherLine field_lines[] = {
    {"9/9 b - 1", "9/9 b - 1", ""},      {" 9/9\t b  2P3g  17 ;D1 5", "9/9 b 2P3g 17", ";D1 5"},
    {"9/9 w", "9/9 w - 1", ""},          {"9/9 w;D1 5", "9/9 w - 1", ";D1 5"},
    {"9/9 w D1 5", "9/9 w - 1", "D1 5"}, {"9/9 w p D1 5", "9/9 w p 1", "D1 5"},
    {"9/9 b - 1 2", "9/9 b - 1", "2"},   {"9/9", NULL, ""},
};
