/* SPDX-License-Identifier: MIT */
#include "selfplay/starts.h"

#include <assert.h>

#include "base/random.h"
#include "selfplay/chess960.h"

enum { STANDARD_ARRANGEMENT = 518, ARRANGEMENTS = 960 };

/* The n-th empty file, from 0. */
static unsigned empty_file(const PieceType pieces[8], unsigned n) {
    unsigned file = 0;
    while (pieces[file] != NO_PIECE_TYPE || n--) file++;
    assert(file < 8);
    return file;
}

/* Scharnagl's numbering: bishops, queen, both knights, and rook, king, rook on the files that are left. */
static void arrange_back_rank(unsigned number, PieceType pieces[8]) {
    static const unsigned char knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                                 {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    for (unsigned f = 0; f < 8; f++) pieces[f] = NO_PIECE_TYPE;
    pieces[2 * (number % 4) + 1] = BISHOP;
    pieces[2 * (number / 4 % 4)] = BISHOP;
    pieces[empty_file(pieces, number / 16 % 6)] = QUEEN;
    assert(number < ARRANGEMENTS);
    const unsigned char *pair = knights[number / 96];
    const unsigned first = empty_file(pieces, pair[0]), second = empty_file(pieces, pair[1]);
    pieces[first] = pieces[second] = KNIGHT;
    pieces[empty_file(pieces, 0)] = ROOK;
    pieces[empty_file(pieces, 0)] = KING;
    pieces[empty_file(pieces, 0)] = ROOK;
}

static void put_side(Position *p, Colour c, const PieceType pieces[8]) {
    for (unsigned f = 0; f < 8; f++) {
        position_put(p, (int)f + back_rank_start(c), c, pieces[f]);
        if (pieces[f] == ROOK) p->castle[c] |= (uint8_t)(1u << f);
    }
    p->side[c] |= pawn_start_rank(c);
    p->pawn |= pawn_start_rank(c);
}

void start_chess960(Position *p, unsigned white, unsigned black) {
    PieceType pieces[8];
    *p = (Position){.turn = WHITE, .fullmove = 1};
    arrange_back_rank(white, pieces);
    put_side(p, WHITE, pieces);
    arrange_back_rank(black, pieces);
    put_side(p, BLACK, pieces);
}

uint64_t start_count(StartPosition start) {
    return start == START_standard ? 1 : UINT64_MAX;
}

void start_draw(StartPosition start, uint64_t *random, Position *p) {
    unsigned white = STANDARD_ARRANGEMENT, black = STANDARD_ARRANGEMENT;
    if (start == START_chess960) white = black = random_below(random, ARRANGEMENTS);
    if (start == START_dfrc) white = random_below(random, ARRANGEMENTS), black = random_below(random, ARRANGEMENTS);
    start_chess960(p, white, black);
}
