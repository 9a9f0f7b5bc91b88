/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <string.h>

typedef enum { PLAIN_MOVE, PAWN_DOUBLE_PUSH, EN_PASSANT_CAPTURE, CASTLING_MOVE } MoveKind;

typedef struct {
    int from, to;
    char promotes_to; /* a piece of the mover's colour, or 0 */
    MoveKind kind;
} CandidateMove;

/* The legal moves as they are found. `out` may be NULL: then they are only counted, `depth` plies deep. */
typedef struct {
    const ReferenceBoard *b;
    CandidateMove *out;
    int count;
    int depth;
    uint64_t leaves;
} MoveSearch;

static const int orthogonal[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int diagonal[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int knight_steps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static bool is_black(char piece) {
    return piece >= 'a' && piece <= 'z';
}
static char piece_of_side(char white_piece, bool black) {
    return black ? (char)(white_piece - 'A' + 'a') : white_piece;
}
/* The piece there, '.' for none, '#' beyond the edge. */
static char piece_on(const ReferenceBoard *b, int file, int rank) {
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? '#' : b->piece[8 * rank + file];
}
static bool is_piece_of(char piece, bool black) {
    return piece != '.' && piece != '#' && is_black(piece) == black;
}

/* ---- is a square attacked? ---- */

/* Is the first piece in that direction one of the two? */
static bool first_piece_is(const ReferenceBoard *b, int square, const int step[2], char one, char other) {
    int file = square % 8 + step[0], rank = square / 8 + step[1];
    while (piece_on(b, file, rank) == '.') file += step[0], rank += step[1];
    return piece_on(b, file, rank) == one || piece_on(b, file, rank) == other;
}

static bool is_attacked(const ReferenceBoard *b, int square, bool by_black) {
    const int file = square % 8, rank = square / 8, pawn_rank = by_black ? rank + 1 : rank - 1;
    const char queen = piece_of_side('Q', by_black), king = piece_of_side('K', by_black);
    for (int i = 0; i < 4; i++) {
        if (first_piece_is(b, square, orthogonal[i], queen, piece_of_side('R', by_black))) return true;
        if (first_piece_is(b, square, diagonal[i], queen, piece_of_side('B', by_black))) return true;
        if (piece_on(b, file + orthogonal[i][0], rank + orthogonal[i][1]) == king) return true;
        if (piece_on(b, file + diagonal[i][0], rank + diagonal[i][1]) == king) return true;
    }
    for (int i = 0; i < 8; i++)
        if (piece_on(b, file + knight_steps[i][0], rank + knight_steps[i][1]) == piece_of_side('N', by_black))
            return true;
    return piece_on(b, file - 1, pawn_rank) == piece_of_side('P', by_black) ||
           piece_on(b, file + 1, pawn_rank) == piece_of_side('P', by_black);
}

static int find_king(const ReferenceBoard *b, bool black) {
    const char *found = memchr(b->piece, piece_of_side('K', black), 64);
    return found ? (int)(found - b->piece) : -1;
}

bool reference_in_check(const ReferenceBoard *b, bool black) {
    int king = find_king(b, black);
    return king >= 0 && is_attacked(b, king, !black);
}

/* ---- make a move ---- */

static int castled_king(const CandidateMove *m) {
    return m->from / 8 * 8 + (m->to > m->from ? 6 : 2);
}
static int castled_rook(const CandidateMove *m) {
    return m->from / 8 * 8 + (m->to > m->from ? 5 : 3);
}

static ReferenceBoard make_move(const ReferenceBoard *b, const CandidateMove *m) {
    ReferenceBoard n = *b;
    const char piece = b->piece[m->from];
    const bool is_pawn = piece == 'P' || piece == 'p', takes = m->kind != CASTLING_MOVE && b->piece[m->to] != '.';
    n.piece[m->from] = '.';
    if (m->kind == CASTLING_MOVE) {
        const char rook = b->piece[m->to];
        n.piece[m->to] = '.';
        n.piece[castled_king(m)] = piece;
        n.piece[castled_rook(m)] = rook;
    } else {
        n.piece[m->to] = m->promotes_to ? m->promotes_to : piece;
    }
    if (m->kind == EN_PASSANT_CAPTURE) n.piece[m->from / 8 * 8 + m->to % 8] = '.';
    n.passed = m->kind == PAWN_DOUBLE_PUSH ? (m->from + m->to) / 2 : -1;
    n.rook_may_castle[m->from] = n.rook_may_castle[m->to] = false;
    if (piece == 'K' || piece == 'k')
        for (int s = 0; s < 64; s++)
            if (is_piece_of(b->piece[s], b->black_to_move)) n.rook_may_castle[s] = false;
    n.halfmove = is_pawn || takes ? 0 : b->halfmove + 1;
    n.fullmove = b->fullmove + b->black_to_move;
    n.black_to_move = !b->black_to_move;
    return n;
}

/* ---- find the moves ---- */

static void add_move(MoveSearch *s, int from, int to, char promotes_to, MoveKind kind) {
    const CandidateMove m = {from, to, promotes_to, kind};
    const ReferenceBoard n = make_move(s->b, &m);
    if (reference_in_check(&n, s->b->black_to_move)) return;
    if (s->out) s->out[s->count] = m;
    s->count++;
    if (s->depth) s->leaves += reference_perft(&n, s->depth - 1);
}

static void add_pawn_move(MoveSearch *s, int from, int to, MoveKind kind) {
    if (to / 8 != 0 && to / 8 != 7) {
        add_move(s, from, to, 0, kind);
        return;
    }
    for (const char *into = "QRBN"; *into; into++)
        add_move(s, from, to, piece_of_side(*into, s->b->black_to_move), kind);
}

static void add_pawn(MoveSearch *s, int from) {
    const bool black = s->b->black_to_move;
    const int file = from % 8, rank = from / 8, up = black ? -1 : 1, ahead = from + 8 * up;
    if (piece_on(s->b, file, rank + up) == '.') {
        add_pawn_move(s, from, ahead, PLAIN_MOVE);
        if (rank == (black ? 6 : 1) && piece_on(s->b, file, rank + 2 * up) == '.')
            add_pawn_move(s, from, ahead + 8 * up, PAWN_DOUBLE_PUSH);
    }
    for (int side = -1; side <= 1; side += 2) {
        const char victim = piece_on(s->b, file + side, rank + up);
        if (is_piece_of(victim, !black)) add_pawn_move(s, from, ahead + side, PLAIN_MOVE);
        if (victim == '.' && s->b->passed == ahead + side) add_pawn_move(s, from, ahead + side, EN_PASSANT_CAPTURE);
    }
}

static void add_steps(MoveSearch *s, int from, const int (*steps)[2], int step_count, bool slides) {
    for (int i = 0; i < step_count; i++) {
        int file = from % 8 + steps[i][0], rank = from / 8 + steps[i][1];
        for (;; file += steps[i][0], rank += steps[i][1]) {
            const char there = piece_on(s->b, file, rank);
            if (there == '#' || is_piece_of(there, s->b->black_to_move)) break;
            add_move(s, from, 8 * rank + file, 0, PLAIN_MOVE);
            if (there != '.' || !slides) break;
        }
    }
}

/* Are all squares from a to b, both included, empty but for the king and the rook that castle? */
static bool path_is_empty(const ReferenceBoard *b, int from, int to, int king, int rook) {
    for (int s = from < to ? from : to; s <= (from < to ? to : from); s++)
        if (b->piece[s] != '.' && s != king && s != rook) return false;
    return true;
}

/* Is the king safe on every square that it crosses? It is put there on a copy of the board. */
static bool king_path_is_safe(const ReferenceBoard *b, int from, int to) {
    for (int s = from;; s += to > from ? 1 : -1) {
        ReferenceBoard n = *b;
        n.piece[from] = '.';
        n.piece[s] = b->piece[from];
        if (is_attacked(&n, s, !b->black_to_move)) return false;
        if (s == to) return true;
    }
}

static void add_castling(MoveSearch *s, int king) {
    for (int rook = 0; rook < 64; rook++) {
        if (!s->b->rook_may_castle[rook] || !is_piece_of(s->b->piece[rook], s->b->black_to_move)) continue;
        const CandidateMove m = {king, rook, 0, CASTLING_MOVE};
        const int king_to = castled_king(&m), rook_to = castled_rook(&m);
        if (path_is_empty(s->b, king, king_to, king, rook) && path_is_empty(s->b, rook, rook_to, king, rook) &&
            king_path_is_safe(s->b, king, king_to))
            add_move(s, king, rook, 0, CASTLING_MOVE);
    }
}

static void add_all(MoveSearch *s) {
    for (int from = 0; from < 64; from++) {
        const char piece = s->b->piece[from], type = s->b->black_to_move ? piece - 'a' + 'A' : piece;
        if (!is_piece_of(piece, s->b->black_to_move)) continue;
        if (type == 'P') add_pawn(s, from);
        if (type == 'N') add_steps(s, from, knight_steps, 8, false);
        if (type == 'R' || type == 'Q' || type == 'K') add_steps(s, from, orthogonal, 4, type != 'K');
        if (type == 'B' || type == 'Q' || type == 'K') add_steps(s, from, diagonal, 4, type != 'K');
        if (type == 'K') add_castling(s, from);
    }
}

static void write_square(char *to, int square) {
    to[0] = (char)('a' + square % 8);
    to[1] = (char)('1' + square / 8);
}

static ReferenceMove move_text(const CandidateMove *m) {
    ReferenceMove t = {{0}};
    write_square(t.text, m->from);
    write_square(t.text + 2, m->to);
    if (m->promotes_to) t.text[4] = piece_of_side((char)(m->promotes_to & ~32), true);
    return t;
}

int reference_moves(const ReferenceBoard *b, ReferenceMove moves[REFERENCE_MOVES_MAX]) {
    CandidateMove found[REFERENCE_MOVES_MAX];
    MoveSearch s = {.b = b, .out = found};
    add_all(&s);
    for (int i = 0; i < s.count; i++) moves[i] = move_text(&found[i]);
    return s.count;
}

bool reference_make_move(const ReferenceBoard *b, const char *move, ReferenceBoard *after) {
    CandidateMove found[REFERENCE_MOVES_MAX];
    MoveSearch s = {.b = b, .out = found};
    add_all(&s);
    for (int i = 0; i < s.count; i++) {
        if (strcmp(move_text(&found[i]).text, move) != 0) continue;
        *after = make_move(b, &found[i]);
        return true;
    }
    return false;
}

bool reference_may_take_en_passant(const ReferenceBoard *b) {
    CandidateMove found[REFERENCE_MOVES_MAX];
    MoveSearch s = {.b = b, .out = found};
    add_all(&s);
    for (int i = 0; i < s.count; i++)
        if (found[i].kind == EN_PASSANT_CAPTURE) return true;
    return false;
}

uint64_t reference_perft(const ReferenceBoard *b, int depth) {
    if (depth == 0) return 1;
    MoveSearch s = {.b = b, .depth = depth - 1 ? depth : 0};
    add_all(&s);
    return depth == 1 ? (uint64_t)s.count : s.leaves;
}
