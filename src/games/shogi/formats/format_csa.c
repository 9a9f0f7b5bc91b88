/* SPDX-License-Identifier: MIT */
/*
 * Games as servers of computer shogi write them (CSA 2.2):
 *
 *   V2.2   N+NAME   $EVENT:...   'comment            PI, or P1-KY-KE... to P9, P+00FU (in hand), P-00AL (the rest)
 *   +                                                the side that moves first; then the game begins
 *   +7776FU,T12                                      from, to, the piece as it is after the move; drops from 00
 *   '** 35 -3c3d ...                                 floodgate's comment: the score of that move, for black
 *   %TORYO  %KACHI  %SENNICHITE  %TSUMI ...          how it ended; or, where floodgate ended it, no such line
 *   'summary:max_moves:NAME draw:NAME draw           its comment on the end: black's result, then white's
 *   /                                                another game follows
 */
#include <string.h>

#include "formats/game_record.h"
#include "formats/japanese_text.h"
#include "notation/fen.h"
#include "notation/names.h"
#include "notation/validate.h"
#include "rules/declaration.h"
#include "rules/movegen.h"

/* In the order of PieceType. */
static const char *const piece_names[NO_PIECE_TYPE] = {"FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                       "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

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

static bool put(Position *p, int square, Colour c, PieceType type) {
    if (type == NO_PIECE_TYPE || has_square(occupied(p), square) || (type == KING && p->king[c] != NO_SQUARE))
        return false;
    position_put(p, square, c, type);
    return true;
}

/* P1-KY-KE-GI-KI-OU-KI-GI-KE-KY: a rank, from file 9. Of the blanks around a '*' some may be missing. */
static bool take_rank(DataDecoder *d, int rank, const char *at) {
    Position *p = game_record_placed(d);
    if (rank < 0 || rank >= RANKS || d->state.ranks >> rank & 1) return false;
    d->state.ranks |= 1U << rank;
    for (int file = FILES - 1; file >= 0; file--) {
        const char *star = at + strspn(at, " ");
        if (*star == '*') {
            at = star + 1;
            continue;
        }
        const Colour c = *star == '-' ? WHITE : BLACK;
        if ((*star != '+' && *star != '-') || !put(p, RANKS * file + rank, c, piece_named(star + 1))) return false;
        at = star + 3;
    }
    return !at[strspn(at, " ")];
}

/* P+00FU63KI: pieces of a colour, on squares or in hand. */
static bool take_pieces(Position *p, Colour c, const char *at) {
    for (; strlen(at) >= 4; at += 4) {
        const int square = square_at(at);
        const PieceType type = piece_named(at + 2);
        if (square == NO_SQUARE && !strncmp(at + 2, "AL", 2))
            game_record_rest(p, c);
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
    if (d->state.stage >= GAME_START_READY)
        return game_record_bad(line, "a position after the side that moves first", error);
    Position *p = game_record_placed(d);
    const char kind = line[1];
    const bool good = kind == 'I'                  ? take_start(p, line + 2)
                      : kind == '+' || kind == '-' ? take_pieces(p, kind == '-' ? WHITE : BLACK, line + 2)
                                                   : take_rank(d, kind - '1', line + 2);
    return good ? LINE_TAKEN : game_record_bad(line, "no such line of a position", error);
}

static LineEffect take_turn(DataDecoder *d, const char *line, TabiaError *error) {
    if (d->state.stage >= GAME_START_READY)
        return game_record_bad(line, "the side that moves first, a second time", error);
    if (d->state.stage != GAME_START_PLACING)
        return game_record_bad(line, "no position before the side that moves first, as PI is", error);
    if (!game_record_ranks_whole(d)) return game_record_bad(line, "the board before it lacks ranks", error);
    Position p = d->state.last;
    p.turn = *line == '-' ? WHITE : BLACK;
    if (!position_validate(&p, error)) return LINE_IS_BAD;
    return game_record_start(d, &p), LINE_TAKEN;
}

/* ---- moves and ends ---- */

/* +7776FU; the piece is the one after the move, which says whether it promotes. */
static Move move_of(const Position *p, const char *at) {
    if (strlen(at) != 7) return 0;
    const int from = square_at(at + 1), to = square_at(at + 3);
    const PieceType type = piece_named(at + 5);
    if (from < 0 || to < 0 || to == NO_SQUARE || type == NO_PIECE_TYPE || p->turn != (*at == '-' ? WHITE : BLACK))
        return 0;
    if (from == NO_SQUARE) return type < KING ? move_encode_drop(type, to) : 0;
    const PieceType before = piece_type_at(p, from);
    if (before == type) return move_encode(from, to, PLAIN);
    return before < KING && type == (before | PROMOTED) ? move_encode(from, to, PROMOTION) : 0;
}

/* Of the side to move. A declaration that its rule does not bear out needs the server's word. */
static LineEffect take_kachi(DataDecoder *d, const char *line, TabiaError *error) {
    const bool holds = declaration_wins(&d->state.last);
    const LineEffect effect = game_record_end(d, game_record_white_result(d, 1), false, line, error);
    if (effect == LINE_TAKEN && !holds)
        game_record_doubt(d, line,
                          "the declaration does not win by the 27-point rule, and no summary says who has won");
    return effect;
}

static LineEffect take_end(DataDecoder *d, const char *line, TabiaError *error) {
    static const struct {
        const char *word;
        int result; /* of the side to move */
    } ends[] = {{"%TORYO", -1},  {"%TSUMI", -1},   {"%TIME_UP", -1},   {"%ILLEGAL_MOVE", -1},
                {"%JISHOGI", 0}, {"%HIKIWAKE", 0}, {"%SENNICHITE", 0}, {"%MAX_MOVES", 0}};
    static const char *const unfinished[] = {"%CHUDAN", "%MATTA", "%FUZUMI", "%ERROR"};
    if (d->state.stage < GAME_START_READY)
        return game_record_bad(line, "an end before the side that moves first", error);
    const bool by_black = !strcmp(line, "%+ILLEGAL_ACTION"), by_white = !strcmp(line, "%-ILLEGAL_ACTION");
    if (by_black || by_white) return game_record_end(d, by_black ? 1 : -1, true, line, error);
    if (!strcmp(line, "%KACHI")) return take_kachi(d, line, error);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(line, ends[i].word))
            return game_record_end(d, game_record_white_result(d, ends[i].result), !strcmp(line, "%ILLEGAL_MOVE"), line,
                                   error);
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        if (!strcmp(line, unfinished[i])) {
            if (!d->state.has_result) game_record_doubt(d, line, "the game has no result");
            return d->state.stage = GAME_ENDED, LINE_TAKEN;
        }
    return game_record_bad(line, "no end of a game that is known", error);
}

static bool begins_with(const char *at, const char *word) {
    return !strncmp(at, word, strlen(word));
}

/* 'summary:TYPE:NAME lose:NAME win, of shogi-server. Names may hold anything: the last word is white's result, and black's
   must agree. The server writes %TORYO in an abnormal end, and %KACHI for a wrong declaration: there the summary decides. */
static LineEffect take_summary(DataDecoder *d, const char *line, const char *type, TabiaError *error) {
    static const char *const of_white[] = {"lose", "draw", "win"}, *const of_black[] = {" win:", " draw:", " lose:"};
    const char *names = strchr(type, ':'), *last = strrchr(line, ' ');
    int i = 0;
    if (d->state.stage < GAME_START_READY) return LINE_TAKEN;
    while (last && i < 3 && strcmp(last + 1, of_white[i]) != 0) i++;
    if (!names || !last || i == 3 || !strstr(names, of_black[i]))
        return game_record_bad(line, "no summary of a game", error);
    if (begins_with(type, "abnormal:") || begins_with(type, "illegal kachi:")) d->state.has_result = false;
    const bool is_foul =
        begins_with(type, "illegal move:") || begins_with(type, "uchifuzume:") || begins_with(type, "oute_kaihimore:");
    return game_record_end(d, i - 1, is_foul, line, error);
}

static LineEffect take_comment(DataDecoder *d, const char *line, TabiaError *error) {
    static const char summary[] = "'summary:";
    if (begins_with(line, summary)) return take_summary(d, line, line + sizeof summary - 1, error);
    if (line[1] == '*') game_record_comment(d, line + 2);
    return LINE_TAKEN;
}

/* A sign alone begins the game; with squares and a piece it is a move. */
static LineEffect take_sign(DataDecoder *d, const char *line, TabiaError *error) {
    if (!line[1]) return take_turn(d, line, error);
    if (d->state.stage < GAME_START_READY)
        return game_record_bad(line, "a move before the side that moves first", error);
    return game_record_move(d, move_of(&d->state.last, line), line, error);
}

/* ---- lines ---- */

/* A line, or a part of one. */
static LineEffect take_statement(DataDecoder *d, const char *line, TabiaError *error) {
    switch (*line) {
    case '+':
    case '-':
        return take_sign(d, line, error);
    case '%':
        return take_end(d, line, error);
    case 'P':
        return take_position(d, line, error);
    case '\'':
        return take_comment(d, line, error);
    case 'V':
    case 'T':
        if (line[1] >= '0' && line[1] <= '9') return LINE_TAKEN;
        break;
    case 'N':
        if (line[1] == '+' || line[1] == '-') return LINE_TAKEN;
        break;
    case '\0':
    case '$':
        return LINE_TAKEN;
    case '/':
        if (!line[1]) return LINE_TAKEN;
    }
    return game_record_bad(line, "no line of a game in CSA", error);
}

/* A comma joins lines, but not names and comments. */
static LineEffect take_line(DataDecoder *d, const char *line, TabiaError *error) {
    char part[DATA_LINE_MAX * JAPANESE_TEXT_GROWTH];
    LineEffect effect = LINE_TAKEN;
    const bool is_name = strchr("N$", *line);
    for (const char *at = line; effect == LINE_TAKEN;) {
        const size_t length = is_name || *at == '\'' ? strlen(at) : strcspn(at, ",");
        size_t end = length;
        while (end && (at[end - 1] == ' ' || at[end - 1] == '\t')) end--;
        memcpy(part, at, end);
        part[end] = '\0';
        effect = take_statement(d, part, error);
        if (!at[length]) break;
        at += length + 1;
    }
    return effect;
}

static LinePart part_of(const char *line) {
    enum { VERSION = 1, BLACK_NAME = 2, WHITE_NAME = 4, POSITION = 8 }; /* the version is above all */
    if (*line == '/') return (LinePart){LINE_CLOSES_ALL, 0};
    if (*line == 'V') return (LinePart){VERSION, VERSION};
    if (begins_with(line, "N+")) return (LinePart){BLACK_NAME, BLACK_NAME | VERSION};
    if (begins_with(line, "N-")) return (LinePart){WHITE_NAME, WHITE_NAME | VERSION};
    if (begins_with(line, "PI") || begins_with(line, "P1")) return (LinePart){POSITION, POSITION | VERSION};
    if (*line == 'P') return (LinePart){0, POSITION | VERSION};
    return *line && strchr("+-%", *line) ? (LinePart){0, LINE_CLOSES_ALL} : (LinePart){0, 0};
}

static bool has_free_text(const char *line) {
    return strchr("'N$", *line) && !begins_with(line, "'summary:");
}

static const GameRecordFormat format = {take_line, part_of, has_free_text};

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    return game_record_read(&format, d, r, error);
}
static int resync(DataDecoder *d, TabiaError *error) {
    return game_record_resync(&format, d, error);
}

/* ---- writing ---- */

static void write_board(DataBuffer *b, const Position *p) {
    for (int rank = 0; rank < RANKS; rank++) {
        data_buffer_print(b, "P%d", rank + 1);
        for (int file = FILES - 1; file >= 0; file--) {
            const int square = RANKS * file + rank;
            const PieceType type = piece_type_at(p, square);
            const char sign = has_square(p->side[WHITE], square) ? '-' : '+';
            if (type == NO_PIECE_TYPE)
                data_buffer_print(b, " * ");
            else
                data_buffer_print(b, "%c%s", sign, piece_names[type]);
        }
        data_buffer_print(b, "\n");
    }
    for (Colour c = BLACK; (int)c <= WHITE; c++) {
        if (p->hand[c]) data_buffer_print(b, "P%c", "+-"[c == WHITE]);
        for (PieceType t = PAWN; (int)t < HAND_TYPES; t++)
            for (unsigned n = hand_count(p->hand[c], t); n; n--) data_buffer_print(b, "00%s", piece_names[t]);
        if (p->hand[c]) data_buffer_print(b, "\n");
    }
}

static void write_start(DataBuffer *b, const Position *p) {
    data_buffer_print(b, "V2.2\n");
    if (game_write_is_start(p))
        data_buffer_print(b, "PI\n");
    else
        write_board(b, p);
    data_buffer_print(b, "%c\n", "+-"[p->turn == WHITE]);
}

/* File and rank, from 1; 00 for a hand. */
static int square_digits(int square) {
    return square == NO_SQUARE ? 0 : 10 * (file_of(square) + 1) + rank_of(square) + 1;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    const Position *p = &r->position;
    const Move m = r->move;
    if (game_write_begins(e)) write_start(&e->bytes, p);
    const int from = move_is_drop(m) ? NO_SQUARE : move_from(m);
    const PieceType type = move_is_drop(m) ? move_drop_type(m) : piece_type_at(p, from);
    data_buffer_print(&e->bytes, "%c%02d%02d%s\n", "+-"[p->turn == WHITE], square_digits(from),
                      square_digits(move_to(m)), piece_names[move_promotes(m) ? type | PROMOTED : type]);
    if (!r->skip) data_buffer_print(&e->bytes, "'** %d\n", game_write_score(r));
    e->state.moves++;
}

/* No word says that the side to move has won, but that it declares it: there the summary does, as where floodgate ends a game. */
static void end_game(DataEncoder *e) {
    static const char *const words[] = {"%TSUMI", "%TORYO", "%HIKIWAKE", "%KACHI", "%CHUDAN"};
    Colour to_move;
    const GameEnd end = game_write_end(e, &to_move);
    data_buffer_print(&e->bytes, "%s\n", words[end]);
    if (end == GAME_END_WON)
        data_buffer_print(&e->bytes, "'summary:adjudicated:black %s:white %s\n", to_move == BLACK ? "win" : "lose",
                          to_move == BLACK ? "lose" : "win");
    data_buffer_print(&e->bytes, "/\n");
}

const DataFormat data_format_csa = {
    .name = "csa",
    .extensions = "csa",
    .description = "games of computer shogi, the score of each move in the comment after it",
    .signature = "V2",
    .min_record_bits = 7 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits =
        "an illegal last move is left out; moves without a score are marked to be skipped; the move number counts "
        "from the start; scores to 32000",
    .lost_fields = game_write_lost,
    .write = write_record,
    .end_game = end_game,
    .read = read_record,
    .resync = resync,
};
