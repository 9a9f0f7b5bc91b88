/* SPDX-License-Identifier: MIT */
/*
 * Games of random legal moves, as records: for tests of formats and for files to measure with. Scores wander and follow
 * the pieces on the board; results are those of mate and stalemate, or drawn by lot. The same seed gives the same games.
 */
#pragma once
#include <string.h>

#include "base/random.h"
#include "data/record.h"
#include "eval/see.h"
#include "notation/fen.h"
#include "notation/validate.h"

enum { RANDOM_GAME_MAX = 400 };

/* A back rank of Chess960: bishops on both colours, the king between the rooks. */
static inline void random_rank(uint64_t *seed, PieceType rank[8]) {
    int at[8];
    for (int i = 0; i < 8; i++) rank[i] = NO_PIECE_TYPE;
    rank[2 * random_below(seed, 4)] = BISHOP;
    rank[2 * random_below(seed, 4) + 1] = BISHOP;
    static const PieceType others[] = {QUEEN, KNIGHT, KNIGHT};
    for (int k = 0; k < 3; k++) {
        int n = 0;
        for (int i = 0; i < 8; i++)
            if (rank[i] == NO_PIECE_TYPE) at[n++] = i;
        rank[at[random_below(seed, (unsigned)n)]] = others[k];
    }
    static const PieceType last_three[] = {ROOK, KING, ROOK};
    for (int i = 0, k = 0; i < 8; i++)
        if (rank[i] == NO_PIECE_TYPE) rank[i] = last_three[k++];
}

/* The start of double Chess960. */
static inline Position random_start(uint64_t *seed) {
    Position p = {.fullmove = 1};
    for (int c = WHITE; c <= BLACK; c++) {
        PieceType rank[8];
        random_rank(seed, rank);
        for (int file = 0; file < 8; file++) {
            position_put(&p, back_rank_start((Colour)c) + file, (Colour)c, rank[file]);
            position_put(&p, (c == WHITE ? 8 : 48) + file, (Colour)c, PAWN);
            if (rank[file] == ROOK) p.castle[c] |= (uint8_t)(1u << file);
        }
    }
    return p;
}

static inline int random_score(uint64_t *seed, const Position *p) {
    int score = (int)random_below(seed, 120) - 60;
    EACH (square, occupied(p) & ~p->king) {
        const int value = exchange_value(piece_type_at(p, (int)square));
        score += p->side[p->turn] & bit((int)square) ? value : -value;
    }
    return score;
}

/* Plays at most `most` plies from a start: standard, or Chess960 if asked for. Returns how many records there are, at
   least 1. */
static inline unsigned random_game(uint64_t *seed, bool chess960, unsigned max, DataRecord *out) {
    Position p;
    if (chess960)
        p = random_start(seed);
    else
        fen_parse(&p, fen_start, NULL);
    unsigned n = 0;
    int white = (int)random_below(seed, 3) - 1;
    for (;; n++) {
        Move list[MOVES_MAX];
        const unsigned moves = moves_list(&p, list);
        if (!moves) white = !in_check(&p) ? 0 : p.turn == WHITE ? -1 : 1;
        if (!moves || n == max || p.halfmove >= 100) break;
        const Move m =
            list[random_below(seed, moves)]; /* drawn before the score, which a list of members leaves open */
        out[n] = (DataRecord){
            .position = p, .move = m, .score = random_score(seed, &p), .ply = (uint16_t)n, .starts_game = !n};
        position_make_move(&p, &p, out[n].move);
    }
    for (unsigned i = 0; i < n; i++) out[i].result = (int8_t)(out[i].position.turn == WHITE ? white : -white);
    return n;
}
