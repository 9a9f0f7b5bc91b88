/* SPDX-License-Identifier: MIT */
/*
 * Games as servers of computer shogi write them (CSA 2.2):
 *
 *   V2.2   N+NAME   $EVENT:...   'comment            PI, or P1-KY-KE... to P9, P+00FU (in hand), P-00AL (the rest)
 *   +                                                the side that moves first; then the game begins
 *   +7776FU,T12                                      from, to, the piece as it is after the move; drops from 00
 *   '** 35 -3c3d ...                                 floodgate's comment: the score of that move, for black
 *   %TORYO  %KACHI  %SENNICHITE  %TSUMI ...          how it ended
 */
#include <stdlib.h>
#include <string.h>

#include "formats/game_record.h"
#include "notation/fen.h"
#include "notation/names.h"
#include "notation/validate.h"
#include "rules/movegen.h"

/* In the order of PieceType. */
static const char *const piece_names[NO_PIECE_TYPE] = {"FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                       "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

static LineEffect bad(TabiaError *error, const char *line, const char *what) {
    return tabia_fail(error, "'%.40s': %s", line, what), LINE_IS_BAD;
}

static PieceType piece_named(const char *at) {
    for (PieceType t = PAWN; t < NO_PIECE_TYPE; t++)
        if (piece_names[t] && !strncmp(at, piece_names[t], 2)) return t;
    return NO_PIECE_TYPE;
}

/* The square of two digits; NO_SQUARE for 00; -1: neither. */
static int square_at(const char *at) {
    if (at[0] == '0' && at[1] == '0') return NO_SQUARE;
    if (at[0] < '1' || at[0] > '9' || at[1] < '1' || at[1] > '9') return -1;
    return RANKS * (at[0] - '1') + at[1] - '1';
}

/* ---- the position ---- */

static Position *placed(DataDecoder *d) {
    if (d->state.stage != GAME_START_PLACING)
        d->state.last = (Position){.king = {NO_SQUARE, NO_SQUARE}, .turn = BLACK, .ply = 1};
    d->state.stage = GAME_START_PLACING;
    return &d->state.last;
}

static bool put(Position *p, int square, Colour c, PieceType type) {
    if (type == NO_PIECE_TYPE || has_square(occupied(p), square) || (type == KING && p->king[c] != NO_SQUARE))
        return false;
    position_put(p, square, c, type);
    return true;
}

/* P1-KY-KE-GI-KI-OU-KI-GI-KE-KY: a rank, from file 9. */
static bool take_rank(Position *p, int rank, const char *at) {
    for (int file = FILES - 1; file >= 0; file--, at += 3) {
        if (strlen(at) < 3) return strspn(at, " *") == strlen(at); /* blanks at the end may be missing */
        if (*at == ' ') continue;
        if ((*at != '+' && *at != '-') || !put(p, RANKS * file + rank, *at == '-' ? WHITE : BLACK, piece_named(at + 1)))
            return false;
    }
    return true;
}

/* All that is not on the board or in a hand yet. */
static void take_rest(Position *p, Colour c) {
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) {
        const unsigned there = position_pieces(p, t);
        if (there < set_pieces(t)) p->hand[c] += (set_pieces(t) - there) * hand_one(t);
    }
}

/* P+00FU63KI: pieces of a colour, on squares or in hand. */
static bool take_pieces(Position *p, Colour c, const char *at) {
    for (; strlen(at) >= 4; at += 4) {
        const int square = square_at(at);
        const PieceType type = piece_named(at + 2);
        if (square == NO_SQUARE && !strncmp(at + 2, "AL", 2))
            take_rest(p, c);
        else if (square == NO_SQUARE && type < KING && hand_count(p->hand[c], type) < set_pieces(type))
            p->hand[c] += hand_one(type);
        else if (square < 0 || square == NO_SQUARE || !put(p, square, c, type))
            return false;
    }
    return !*at;
}

/* PI, or PI82HI22KA: the start without some pieces. */
static bool take_start(Position *p, const char *at) {
    if (!fen_parse(p, fen_start, NULL)) return false;
    for (; strlen(at) >= 4; at += 4) {
        const int square = square_at(at);
        const PieceType type = piece_named(at + 2);
        if (square < 0 || square == NO_SQUARE || type >= KING || piece_type_at(p, square) != type) return false;
        p->side[BLACK] &= ~square_bit(square);
        p->side[WHITE] &= ~square_bit(square);
        p->type[type] &= ~square_bit(square);
    }
    return !*at;
}

static LineEffect take_position(DataDecoder *d, const char *line, TabiaError *error) {
    Position *p = placed(d);
    const char kind = line[1];
    const bool good = kind == 'I'                  ? take_start(p, line + 2)
                      : kind == '+' || kind == '-' ? take_pieces(p, kind == '-' ? WHITE : BLACK, line + 2)
                                                   : kind >= '1' && kind <= '9' && take_rank(p, kind - '1', line + 2);
    return good ? LINE_TAKEN : bad(error, line, "no such line of a position");
}

static LineEffect take_turn(DataDecoder *d, const char *line, TabiaError *error) {
    Position p;
    if (d->state.stage == GAME_START_PLACING)
        p = d->state.last;
    else
        (void)fen_parse(&p, fen_start, NULL);
    p.turn = *line == '-' ? WHITE : BLACK;
    if (!position_validate(&p, error)) return LINE_IS_BAD;
    return game_record_start(d, &p), LINE_TAKEN;
}

/* ---- moves and ends ---- */

/* +7776FU; the piece is the one after the move, so it tells whether it promotes. */
static Move move_of(const Position *p, const char *at) {
    if (strlen(at) < 7) return 0;
    const int from = square_at(at + 1), to = square_at(at + 3);
    const PieceType type = piece_named(at + 5);
    if (from < 0 || to < 0 || to == NO_SQUARE || type == NO_PIECE_TYPE || p->turn != (*at == '-' ? WHITE : BLACK))
        return 0;
    if (from == NO_SQUARE) return type < KING ? move_encode_drop(type, to) : 0;
    const PieceType before = piece_type_at(p, from);
    if (before == type) return move_encode(from, to, PLAIN);
    return before < KING && type == (before | PROMOTED) ? move_encode(from, to, PROMOTION) : 0;
}

static bool begins_with_word(const char *line, const char *word) {
    const size_t length = strcspn(line, ", ");
    return strlen(word) == length && !strncmp(line, word, length);
}

static LineEffect take_end(DataDecoder *d, const char *line, TabiaError *error) {
    static const struct {
        const char *word;
        int result; /* of the side to move */
    } ends[] = {{"%TORYO", -1},     {"%TSUMI", -1},  {"%TIME_UP", -1}, {"%ILLEGAL_MOVE", -1}, {"%KACHI", 1},
                {"%SENNICHITE", 0}, {"%JISHOGI", 0}, {"%HIKIWAKE", 0}, {"%MAX_MOVES", 0},     {"%FUZUMI", 0}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (begins_with_word(line, ends[i].word)) return game_record_end(d, ends[i].result);
    if (begins_with_word(line, "%+ILLEGAL_ACTION")) return d->white_result = 1, LINE_ENDS_GAME;
    if (begins_with_word(line, "%-ILLEGAL_ACTION")) return d->white_result = -1, LINE_ENDS_GAME;
    return bad(error, line, "the game has no result");
}

/* '** SCORE PV, for black; it stands behind its move. */
static void take_comment(DataDecoder *d, const char *line) {
    char *end;
    if (strncmp(line, "'** ", 4) != 0) return;
    const long read = strtol(line + 4, &end, 10), least = read < INT16_MIN ? INT16_MIN : read;
    const int score = (int)(least > INT16_MAX ? INT16_MAX : least);
    const bool of_black = d->state.last.turn == WHITE; /* who has moved */
    if (end != line + 4) game_record_score(d, of_black ? score : -score);
}

/* A sign alone begins the game; with squares and a piece it is a move. */
static LineEffect take_sign(DataDecoder *d, const char *line, TabiaError *error) {
    if (!line[1]) return take_turn(d, line, error);
    if (d->state.stage != GAME_START_READY) return bad(error, line, "a move before the side that moves first");
    return game_record_move(d, move_of(&d->state.last, line), line, error);
}

static LineEffect take_line(DataDecoder *d, const char *line, TabiaError *error) {
    switch (*line) {
    case '+':
    case '-':
        return take_sign(d, line, error);
    case '%':
        return take_end(d, line, error);
    case 'P':
        return take_position(d, line, error);
    case '\'':
        take_comment(d, line);
        return LINE_TAKEN;
    default: /* version, names, times, blank lines, "/" between games */
        return strchr("VN$T/", *line) ? LINE_TAKEN : bad(error, line, "no line of a game in CSA");
    }
}

static bool starts_game(const char *line) {
    return *line == 'V' || !strncmp(line, "N+", 2) || !strncmp(line, "PI", 2) || !strncmp(line, "P1", 2);
}

static const GameRecordDialect dialect = {take_line, starts_game};

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    return game_record_read(&dialect, d, r, error);
}
static int resync(DataDecoder *d, TabiaError *error) {
    return game_record_resync(&dialect, d, error);
}
const DataFormat data_format_csa = {
    .name = "csa",
    .extensions = "csa",
    .description = "games of computer shogi, the score of each move in the comment behind it; only read",
    .signature = "V2",
    .min_record_bits = 7 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits = "moves without a score are marked to be skipped; the move number counts from the start",
    .read = read_record,
    .resync = resync,
};
