/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <string.h>

typedef enum { QUIET_OR_CAPTURE, TWO_STEPS, TAKES_PASSING, CASTLES } Manner;

typedef struct {
    int from, to;
    char promotes_to; /* a man of the mover's colour, or 0 */
    Manner manner;
} TriedMove;

/* The legal moves as they are found. `out` may be a null pointer: then they are only counted, `depth` plies deep. */
typedef struct {
    const Board *b;
    TriedMove *out;
    int count;
    int depth;
    uint64_t leaves;
} Search;

static const int straight[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int slanted[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static bool is_black(char man) {
    return man >= 'a' && man <= 'z';
}
static char of_side(char white_man, bool black) {
    return black ? (char)(white_man - 'A' + 'a') : white_man;
}
/* The man there, '.' for none, '#' beyond the edge. */
static char look(const Board *b, int file, int rank) {
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? '#' : b->man[8 * rank + file];
}
static bool is_man_of(char man, bool black) {
    return man != '.' && man != '#' && is_black(man) == black;
}

/* ---- is a square hit? ---- */

/* Does the first man seen in that direction equal one of the two? */
static bool sees(const Board *b, int square, const int step[2], char one, char other) {
    int file = square % 8 + step[0], rank = square / 8 + step[1];
    while (look(b, file, rank) == '.') file += step[0], rank += step[1];
    return look(b, file, rank) == one || look(b, file, rank) == other;
}

static bool is_hit(const Board *b, int square, bool by_black) {
    const int file = square % 8, rank = square / 8, pawn_rank = by_black ? rank + 1 : rank - 1;
    const char queen = of_side('Q', by_black), king = of_side('K', by_black);
    for (int i = 0; i < 4; i++) {
        if (sees(b, square, straight[i], queen, of_side('R', by_black))) return true;
        if (sees(b, square, slanted[i], queen, of_side('B', by_black))) return true;
        if (look(b, file + straight[i][0], rank + straight[i][1]) == king) return true;
        if (look(b, file + slanted[i][0], rank + slanted[i][1]) == king) return true;
    }
    for (int i = 0; i < 8; i++)
        if (look(b, file + jumps[i][0], rank + jumps[i][1]) == of_side('N', by_black)) return true;
    return look(b, file - 1, pawn_rank) == of_side('P', by_black) ||
           look(b, file + 1, pawn_rank) == of_side('P', by_black);
}

static int find_king(const Board *b, bool black) {
    const char *found = memchr(b->man, of_side('K', black), 64);
    return found ? (int)(found - b->man) : -1;
}

bool reference_king_is_hit(const Board *b, bool black) {
    int king = find_king(b, black);
    return king >= 0 && is_hit(b, king, !black);
}

/* ---- make a move ---- */

static int castled_king(const TriedMove *m) {
    return m->from / 8 * 8 + (m->to > m->from ? 6 : 2);
}
static int castled_rook(const TriedMove *m) {
    return m->from / 8 * 8 + (m->to > m->from ? 5 : 3);
}

static Board make(const Board *b, const TriedMove *m) {
    Board n = *b;
    const char man = b->man[m->from];
    const bool is_pawn = man == 'P' || man == 'p', takes = m->manner != CASTLES && b->man[m->to] != '.';
    n.man[m->from] = '.';
    if (m->manner == CASTLES) {
        const char rook = b->man[m->to];
        n.man[m->to] = '.';
        n.man[castled_king(m)] = man;
        n.man[castled_rook(m)] = rook;
    } else {
        n.man[m->to] = m->promotes_to ? m->promotes_to : man;
    }
    if (m->manner == TAKES_PASSING) n.man[m->from / 8 * 8 + m->to % 8] = '.';
    n.passed = m->manner == TWO_STEPS ? (m->from + m->to) / 2 : -1;
    n.rook_may_castle[m->from] = n.rook_may_castle[m->to] = false;
    if (man == 'K' || man == 'k')
        for (int s = 0; s < 64; s++)
            if (is_man_of(b->man[s], b->black_to_move)) n.rook_may_castle[s] = false;
    n.halfmove = is_pawn || takes ? 0 : b->halfmove + 1;
    n.fullmove = b->fullmove + b->black_to_move;
    n.black_to_move = !b->black_to_move;
    return n;
}

/* ---- find the moves ---- */

static void try_move(Search *s, int from, int to, char promotes_to, Manner manner) {
    const TriedMove m = {from, to, promotes_to, manner};
    const Board n = make(s->b, &m);
    if (reference_king_is_hit(&n, s->b->black_to_move)) return;
    if (s->out) s->out[s->count] = m;
    s->count++;
    if (s->depth) s->leaves += reference_perft(&n, s->depth - 1);
}

static void try_pawn_move(Search *s, int from, int to, Manner manner) {
    if (to / 8 != 0 && to / 8 != 7) {
        try_move(s, from, to, 0, manner);
        return;
    }
    for (const char *into = "QRBN"; *into; into++) try_move(s, from, to, of_side(*into, s->b->black_to_move), manner);
}

static void try_pawn(Search *s, int from) {
    const bool black = s->b->black_to_move;
    const int file = from % 8, rank = from / 8, up = black ? -1 : 1, ahead = from + 8 * up;
    if (look(s->b, file, rank + up) == '.') {
        try_pawn_move(s, from, ahead, QUIET_OR_CAPTURE);
        if (rank == (black ? 6 : 1) && look(s->b, file, rank + 2 * up) == '.')
            try_pawn_move(s, from, ahead + 8 * up, TWO_STEPS);
    }
    for (int side = -1; side <= 1; side += 2) {
        const char prey = look(s->b, file + side, rank + up);
        if (is_man_of(prey, !black)) try_pawn_move(s, from, ahead + side, QUIET_OR_CAPTURE);
        if (prey == '.' && s->b->passed == ahead + side) try_pawn_move(s, from, ahead + side, TAKES_PASSING);
    }
}

static void try_steps(Search *s, int from, const int (*steps)[2], int how_many, bool far) {
    for (int i = 0; i < how_many; i++) {
        int file = from % 8 + steps[i][0], rank = from / 8 + steps[i][1];
        for (;; file += steps[i][0], rank += steps[i][1]) {
            const char there = look(s->b, file, rank);
            if (there == '#' || is_man_of(there, s->b->black_to_move)) break;
            try_move(s, from, 8 * rank + file, 0, QUIET_OR_CAPTURE);
            if (there != '.' || !far) break;
        }
    }
}

/* Are all squares from a to b, both included, empty but for the two that castle? */
static bool is_free(const Board *b, int from, int to, int king, int rook) {
    for (int s = from < to ? from : to; s <= (from < to ? to : from); s++)
        if (b->man[s] != '.' && s != king && s != rook) return false;
    return true;
}

/* Is the king safe on every square that it crosses? It is put there, and the enemy looked at. */
static bool walks_safely(const Board *b, int from, int to) {
    for (int s = from;; s += to > from ? 1 : -1) {
        Board n = *b;
        n.man[from] = '.';
        n.man[s] = b->man[from];
        if (is_hit(&n, s, !b->black_to_move)) return false;
        if (s == to) return true;
    }
}

static void try_castling(Search *s, int king) {
    for (int rook = 0; rook < 64; rook++) {
        if (!s->b->rook_may_castle[rook] || !is_man_of(s->b->man[rook], s->b->black_to_move)) continue;
        const TriedMove m = {king, rook, 0, CASTLES};
        const int king_to = castled_king(&m), rook_to = castled_rook(&m);
        if (is_free(s->b, king, king_to, king, rook) && is_free(s->b, rook, rook_to, king, rook) &&
            walks_safely(s->b, king, king_to))
            try_move(s, king, rook, 0, CASTLES);
    }
}

static void try_all(Search *s) {
    for (int from = 0; from < 64; from++) {
        const char man = s->b->man[from];
        if (!is_man_of(man, s->b->black_to_move)) continue;
        switch (s->b->black_to_move ? man - 'a' + 'A' : man) {
        case 'P':
            try_pawn(s, from);
            break;
        case 'N':
            try_steps(s, from, jumps, 8, false);
            break;
        case 'B':
            try_steps(s, from, slanted, 4, true);
            break;
        case 'R':
            try_steps(s, from, straight, 4, true);
            break;
        case 'Q':
            try_steps(s, from, straight, 4, true);
            try_steps(s, from, slanted, 4, true);
            break;
        default:
            try_steps(s, from, straight, 4, false);
            try_steps(s, from, slanted, 4, false);
            try_castling(s, from);
        }
    }
}

static void write_square(char *to, int square) {
    to[0] = (char)('a' + square % 8);
    to[1] = (char)('1' + square / 8);
}

static MoveText move_text(const TriedMove *m) {
    MoveText t = {{0}};
    write_square(t.text, m->from);
    write_square(t.text + 2, m->to);
    if (m->promotes_to) t.text[4] = of_side((char)(m->promotes_to & ~32), true);
    return t;
}

int reference_moves(const Board *b, MoveText moves[REFERENCE_MOVES_MAX]) {
    TriedMove found[REFERENCE_MOVES_MAX];
    Search s = {.b = b, .out = found};
    try_all(&s);
    for (int i = 0; i < s.count; i++) moves[i] = move_text(&found[i]);
    return s.count;
}

bool reference_play(const Board *b, const char *move, Board *after) {
    TriedMove found[REFERENCE_MOVES_MAX];
    Search s = {.b = b, .out = found};
    try_all(&s);
    for (int i = 0; i < s.count; i++) {
        if (strcmp(move_text(&found[i]).text, move) != 0) continue;
        *after = make(b, &found[i]);
        return true;
    }
    return false;
}

bool reference_may_take_en_passant(const Board *b) {
    TriedMove found[REFERENCE_MOVES_MAX];
    Search s = {.b = b, .out = found};
    try_all(&s);
    for (int i = 0; i < s.count; i++)
        if (found[i].manner == TAKES_PASSING) return true;
    return false;
}

uint64_t reference_perft(const Board *b, int depth) {
    if (depth == 0) return 1;
    Search s = {.b = b, .depth = depth - 1 ? depth : 0};
    try_all(&s);
    return depth == 1 ? (uint64_t)s.count : s.leaves;
}
