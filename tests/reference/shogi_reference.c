/* SPDX-License-Identifier: MIT */
#include "shogi_reference.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char types[] = "PLNSGBR";

static bool on_board(int rank, int column) {
    return rank >= 0 && rank < 9 && column >= 0 && column < 9;
}

bool shogi_reference_read(ShogiReferenceBoard *b, const char *sfen) {
    memset(b, 0, sizeof *b);
    memset(b->piece, '.', sizeof b->piece);
    int rank = 0, column = 0;
    bool promoted = false;
    for (; *sfen && *sfen != ' '; sfen++) {
        if (*sfen == '/') {
            rank++, column = 0;
        } else if (isdigit((unsigned char)*sfen)) {
            column += *sfen - '0';
        } else if (*sfen == '+') {
            promoted = true;
        } else {
            if (!on_board(rank, column)) return false;
            b->piece[rank][column] = *sfen, b->promoted[rank][column++] = promoted;
            promoted = false;
        }
    }
    if (rank != 8 || *sfen++ != ' ') return false;
    b->white_to_move = *sfen++ == 'w';
    while (*sfen == ' ') sfen++;
    for (int n = 0; *sfen && *sfen != ' '; sfen++) {
        const char *type = strchr(types, toupper((unsigned char)*sfen));
        if (isdigit((unsigned char)*sfen)) {
            n = 10 * n + *sfen - '0';
        } else if (type) {
            b->hand[islower((unsigned char)*sfen) != 0][type - types] += n ? n : 1;
            n = 0;
        }
    }
    return true;
}

/* ---- how pieces move ---- */

static bool is_white(char piece) {
    return piece >= 'a';
}

static bool is_own(const ShogiReferenceBoard *b, int rank, int column, bool white) {
    return b->piece[rank][column] != '.' && is_white(b->piece[rank][column]) == white;
}

/* Steps as a black piece sees them, and how far each goes. */
typedef struct {
    int rank, column, far;
} Step;

static int add_steps(Step *out, int n, const char *directions, int far) {
    for (; *directions; directions++) { /* as on a telephone: 2 ahead, 8 back, 4 and 6 sideways */
        const int key = *directions - '1';
        out[n++] = (Step){key / 3 - 1, key % 3 - 1, far};
    }
    return n;
}

static int steps_of(char piece, bool promoted, Step *out) {
    const int type = toupper((unsigned char)piece);
    if (type == 'N' && !promoted) {
        out[0] = (Step){-2, -1, 1}, out[1] = (Step){-2, 1, 1};
        return 2;
    }
    if (type == 'B') return add_steps(out, add_steps(out, 0, "1379", 8), promoted ? "2468" : "", 1);
    if (type == 'R') return add_steps(out, add_steps(out, 0, "2468", 8), promoted ? "1379" : "", 1);
    if (type == 'K') return add_steps(out, 0, "12346789", 1);
    if (type == 'G' || promoted) return add_steps(out, 0, "123468", 1);
    if (type == 'S') return add_steps(out, 0, "12379", 1);
    return add_steps(out, 0, "2", type == 'L' ? 8 : 1);
}

typedef struct {
    int rank, column;
} Place;

/* Where the piece that stands there may go, kings not considered. */
static int reach(const ShogiReferenceBoard *b, int rank, int column, Place *out) {
    Step steps[12];
    const char piece = b->piece[rank][column];
    const bool white = is_white(piece);
    const int count = steps_of(piece, b->promoted[rank][column], steps);
    int n = 0;
    for (int i = 0; i < count; i++) {
        int r = rank, c = column;
        for (int far = 0; far < steps[i].far; far++) {
            r += white ? -steps[i].rank : steps[i].rank, c += steps[i].column;
            if (!on_board(r, c) || is_own(b, r, c, white)) break;
            out[n++] = (Place){r, c};
            if (b->piece[r][c] != '.') break;
        }
    }
    return n;
}

bool shogi_reference_in_check(const ShogiReferenceBoard *b, bool white) {
    Place to[40];
    for (int rank = 0; rank < 9; rank++)
        for (int column = 0; column < 9; column++) {
            if (!is_own(b, rank, column, !white)) continue;
            for (int i = reach(b, rank, column, to) - 1; i >= 0; i--)
                if (b->piece[to[i].rank][to[i].column] == (white ? 'k' : 'K')) return true;
        }
    return false;
}

/* ---- moves ---- */

static Place place_of(const char *text) {
    return (Place){text[1] - 'a', '9' - text[0]};
}
static void write_place(char *text, Place p) {
    text[0] = (char)('9' - p.column), text[1] = (char)('a' + p.rank);
}

ShogiReferenceBoard shogi_reference_after(const ShogiReferenceBoard *b, const char *move) {
    ShogiReferenceBoard after = *b;
    const Place to = place_of(move + 2);
    const int us = b->white_to_move;
    after.white_to_move = !b->white_to_move;
    if (move[1] == '*') {
        after.hand[us][strchr(types, move[0]) - types]--;
        after.piece[to.rank][to.column] = (char)(us ? tolower((unsigned char)move[0]) : move[0]);
        return after;
    }
    const Place from = place_of(move);
    const char taken = b->piece[to.rank][to.column];
    if (taken != '.') after.hand[us][strchr(types, toupper((unsigned char)taken)) - types]++;
    after.piece[to.rank][to.column] = b->piece[from.rank][from.column];
    after.promoted[to.rank][to.column] = b->promoted[from.rank][from.column] || move[4] == '+';
    after.piece[from.rank][from.column] = '.', after.promoted[from.rank][from.column] = false;
    return after;
}

/* Ranks between a rank and the last one as that side sees the board. */
static int ranks_ahead(int rank, bool white) {
    return white ? 8 - rank : rank;
}

static bool can_never_move(char type, int rank, bool white) {
    const int ahead = ranks_ahead(rank, white);
    return type == 'N' ? ahead < 2 : (type == 'P' || type == 'L') && ahead < 1;
}

static bool has_pawn_on(const ShogiReferenceBoard *b, int column) {
    for (int rank = 0; rank < 9; rank++)
        if (b->piece[rank][column] == (b->white_to_move ? 'p' : 'P') && !b->promoted[rank][column]) return true;
    return false;
}

static bool is_legal(const ShogiReferenceBoard *b, const char *move) {
    const ShogiReferenceBoard after = shogi_reference_after(b, move);
    if (shogi_reference_in_check(&after, b->white_to_move)) return false;
    if (move[0] != 'P' || !shogi_reference_in_check(&after, !b->white_to_move)) return true;
    ShogiReferenceMove *replies = malloc(SHOGI_REFERENCE_MOVES_MAX * sizeof *replies);
    const int n = replies ? shogi_reference_moves(&after, replies) : 1;
    free(replies);
    return n > 0;
}

static int add_if_legal(const ShogiReferenceBoard *b, const char *move, ShogiReferenceMove *moves, int n) {
    if (!is_legal(b, move)) return n;
    strcpy(moves[n].text, move);
    return n + 1;
}

static int add_board_moves(const ShogiReferenceBoard *b, Place from, ShogiReferenceMove *moves, int n) {
    Place to[40];
    const bool white = b->white_to_move;
    const char type = (char)toupper((unsigned char)b->piece[from.rank][from.column]);
    const bool promotes = strchr("PLNSBR", type) && !b->promoted[from.rank][from.column];
    for (int i = reach(b, from.rank, from.column, to) - 1; i >= 0; i--) {
        char move[6] = "";
        write_place(move, from), write_place(move + 2, to[i]);
        if (b->promoted[from.rank][from.column] || !can_never_move(type, to[i].rank, white))
            n = add_if_legal(b, move, moves, n);
        if (!promotes || (ranks_ahead(to[i].rank, white) > 2 && ranks_ahead(from.rank, white) > 2)) continue;
        move[4] = '+';
        n = add_if_legal(b, move, moves, n);
    }
    return n;
}

static int add_drops(const ShogiReferenceBoard *b, Place to, ShogiReferenceMove *moves, int n) {
    for (int t = 0; t < 7; t++) {
        char move[6] = {types[t], '*'};
        write_place(move + 2, to);
        if (!b->hand[b->white_to_move][t] || can_never_move(types[t], to.rank, b->white_to_move)) continue;
        if (types[t] == 'P' && has_pawn_on(b, to.column)) continue;
        n = add_if_legal(b, move, moves, n);
    }
    return n;
}

int shogi_reference_moves(const ShogiReferenceBoard *b, ShogiReferenceMove moves[SHOGI_REFERENCE_MOVES_MAX]) {
    int n = 0;
    for (int rank = 0; rank < 9; rank++)
        for (int column = 0; column < 9; column++) {
            const Place here = {rank, column};
            if (b->piece[rank][column] == '.')
                n = add_drops(b, here, moves, n);
            else if (is_own(b, rank, column, b->white_to_move))
                n = add_board_moves(b, here, moves, n);
        }
    return n;
}

uint64_t shogi_reference_perft(const ShogiReferenceBoard *b, int depth) {
    if (depth == 0) return 1;
    ShogiReferenceMove *moves = malloc(SHOGI_REFERENCE_MOVES_MAX * sizeof *moves);
    if (!moves) return 0;
    const int n = shogi_reference_moves(b, moves);
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        const ShogiReferenceBoard after = shogi_reference_after(b, moves[i].text);
        sum += shogi_reference_perft(&after, depth - 1);
    }
    free(moves);
    return sum;
}
