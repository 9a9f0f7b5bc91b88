/* SPDX-License-Identifier: MIT */
/*
 * Games as people keep them (KIF, of Kifu for Windows), in UTF-8 or Shift_JIS:
 *
 *   #KIF version=2.0 ...   手合割：二枚落ち   先手：NAME   *comment        or a board, "|v香v桂 ...|一", and hands before it
 *   手数----指手--                                              then the game begins
 *      1 ７六歩(77)   ( 0:01/00:00:01)                          to, piece, from; 同 is where the last move went to;
 *      2 ５五角打                                               成 promotes, 打 drops
 *   *#評価値=35                                                 ShogiHome's comment: the score of that move, for black
 *      3 投了                                                   how it ended; variations behind it are passed over
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats/game_record.h"
#include "formats/shift_jis.h"
#include "notation/fen.h"
#include "notation/names.h"
#include "notation/validate.h"
#include "rules/movegen.h"

typedef struct {
    const char *word;
    int value;
} KifWord;

/* Longer words come before those that they begin with. */
static const KifWord pieces[] = {{"成香", PROMOTED_LANCE},
                                 {"成桂", PROMOTED_KNIGHT},
                                 {"成銀", PROMOTED_SILVER},
                                 {"歩", PAWN},
                                 {"香", LANCE},
                                 {"桂", KNIGHT},
                                 {"銀", SILVER},
                                 {"角", BISHOP},
                                 {"飛", ROOK},
                                 {"金", GOLD},
                                 {"玉", KING},
                                 {"王", KING},
                                 {"と", PROMOTED_PAWN},
                                 {"杏", PROMOTED_LANCE},
                                 {"圭", PROMOTED_KNIGHT},
                                 {"全", PROMOTED_SILVER},
                                 {"馬", HORSE},
                                 {"龍", DRAGON},
                                 {"竜", DRAGON},
                                 {NULL, NO_PIECE_TYPE}};
static const KifWord ranks[] = {{"一", 0}, {"二", 1}, {"三", 2}, {"四", 3}, {"五", 4},
                                {"六", 5}, {"七", 6}, {"八", 7}, {"九", 8}, {NULL, -1}};
static const KifWord files[] = {{"１", 0}, {"２", 1}, {"３", 2}, {"４", 3}, {"５", 4},
                                {"６", 5}, {"７", 6}, {"８", 7}, {"９", 8}, {NULL, -1}};

/* The value of the word that *at begins with, which is then behind it; that of the last row, without a word, if of none. */
static int take_word(const char **at, const KifWord *words) {
    for (; words->word; words++) {
        const size_t n = strlen(words->word);
        if (strncmp(*at, words->word, n) != 0) continue;
        *at += n;
        break;
    }
    return words->value;
}

static bool take(const char **at, const char *word) {
    const KifWord words[] = {{word, 1}, {NULL, 0}};
    return take_word(at, words) != 0;
}

static void skip_blanks(const char **at) {
    while (take(at, " ") || take(at, "　")) {
    }
}

static LineEffect bad(TabiaError *error, const char *line, const char *what) {
    return tabia_fail(error, "'%.60s': %s", line, what), LINE_IS_BAD;
}

/* ---- the position ---- */

static Position *placed(DataDecoder *d) {
    if (d->state.stage != GAME_START_PLACING)
        d->state.last = (Position){.king = {NO_SQUARE, NO_SQUARE}, .turn = BLACK, .ply = 1};
    d->state.stage = GAME_START_PLACING;
    return &d->state.last;
}

/* White, who gives the handicap, moves first. */
static LineEffect take_handicap(DataDecoder *d, const char *line, const char *name, TabiaError *error) {
    static const struct {
        const char *name, *sfen;
    } handicaps[] = {
        {"平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
        {"香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
        {"十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    };
    if (take(&name, "その他")) return LINE_TAKEN; /* a board follows */
    for (size_t i = 0; i < sizeof handicaps / sizeof *handicaps; i++)
        if (take(&name, handicaps[i].name)) {
            (void)fen_parse(placed(d), handicaps[i].sfen, NULL);
            return LINE_TAKEN;
        }
    return bad(error, line, "no such handicap");
}

/* |v香v桂 ・ 歩 ...|一: a rank, from file 9. */
static LineEffect take_rank(DataDecoder *d, const char *line, TabiaError *error) {
    Position *p = placed(d);
    const char *last = strrchr(line, '|'), *at = line + 1;
    const char *name = last + 1;
    const int rank = take_word(&name, ranks);
    int file = FILES - 1;
    for (; rank >= 0 && file >= 0; file--) {
        const Colour c = *at == 'v' ? WHITE : BLACK;
        if (*at != 'v' && *at != ' ') break;
        at++;
        if (take(&at, "・")) continue;
        const PieceType type = (PieceType)take_word(&at, pieces);
        const int s = RANKS * file + rank;
        if (type == NO_PIECE_TYPE || has_square(occupied(p), s) || (type == KING && p->king[c] != NO_SQUARE)) break;
        position_put(p, s, c, type);
    }
    return file < 0 && at == last ? LINE_TAKEN : bad(error, line, "no such rank of a board");
}

/* 歩十八 means eighteen; without a number it is one. */
static int take_number(const char **at) {
    const int tens = take(at, "十") ? 10 : 0, ones = take_word(at, ranks) + 1;
    return tens + ones ? tens + ones : 1;
}

/* 飛　角　歩二, or なし for none. */
static LineEffect take_hand(DataDecoder *d, Colour c, const char *line, const char *at, TabiaError *error) {
    Position *p = placed(d);
    for (skip_blanks(&at); *at && !take(&at, "なし"); skip_blanks(&at)) {
        const PieceType type = (PieceType)take_word(&at, pieces);
        const unsigned n = (unsigned)take_number(&at);
        if (type >= KING || hand_count(p->hand[c], type) + n > set_pieces(type))
            return bad(error, line, "no such pieces in hand");
        p->hand[c] += n * hand_one(type);
    }
    return LINE_TAKEN;
}

static bool take_side(const char **at, Colour *c) {
    static const KifWord sides[] = {{"先手", BLACK}, {"下手", BLACK}, {"後手", WHITE}, {"上手", WHITE}, {NULL, -1}};
    const int side = take_word(at, sides);
    *c = side == WHITE ? WHITE : BLACK;
    return side >= 0;
}

/* NAME：VALUE; most tell nothing of the game. */
static LineEffect take_header(DataDecoder *d, const char *line, TabiaError *error) {
    const char *at = line;
    Colour c;
    if (take(&at, "手合割：")) return take_handicap(d, line, at, error);
    if (!take_side(&at, &c)) return LINE_TAKEN;
    if (take(&at, "の持駒：")) return take_hand(d, c, line, at, error);
    if (take(&at, "番") && d->state.stage == GAME_START_PLACING) d->state.last.turn = (uint8_t)c;
    return LINE_TAKEN;
}

/* Before the first move. */
static LineEffect take_start(DataDecoder *d, TabiaError *error) {
    Position p;
    if (d->state.stage == GAME_START_PLACING)
        p = d->state.last;
    else
        (void)fen_parse(&p, fen_start, NULL);
    if (!position_validate(&p, error)) return LINE_IS_BAD;
    return game_record_start(d, &p), LINE_TAKEN;
}

/* ---- moves and ends ---- */

/* ７六, or 同 for the square of the last move; -1: neither. */
static int take_target(const FormatDecoderState *s, const char **at) {
    if (take(at, "同")) return skip_blanks(at), s->count ? move_to(s->move[s->count - 1]) : -1;
    const int file = **at >= '1' && **at <= '9' ? *(*at)++ - '1' : take_word(at, files), rank = take_word(at, ranks);
    return file < 0 || rank < 0 ? -1 : RANKS * file + rank;
}

/* (77); -1: it is none. */
static int take_origin(const char **at) {
    if (!take(at, "(") || **at < '1' || **at > '9' || (*at)[1] < '1' || (*at)[1] > '9') return -1;
    const int square = RANKS * ((*at)[0] - '1') + (*at)[1] - '1';
    *at += 2;
    return take(at, ")") ? square : -1;
}

static Move move_of(const FormatDecoderState *s, const char *at) {
    const int to = take_target(s, &at);
    const PieceType type = (PieceType)take_word(&at, pieces);
    if (to < 0 || type == NO_PIECE_TYPE) return 0;
    if (take(&at, "打")) return type < KING ? move_encode_drop(type, to) : 0;
    const bool promotes = !take(&at, "不成") && take(&at, "成");
    const int from = take_origin(&at);
    return from < 0 || piece_type_at(&s->last, from) != type ? 0 : move_encode(from, to, promotes ? PROMOTION : PLAIN);
}

enum { NO_END = 2, NO_RESULT = 3 };

/* The result for the side to move. */
static int end_of(const char *at) {
    static const KifWord ends[] = {{"投了", -1},        {"詰み", -1},    {"切れ負け", -1},    {"反則負け", -1},
                                   {"不戦敗", -1},      {"反則勝ち", 1}, {"入玉勝ち", 1},     {"不戦勝", 1},
                                   {"千日手", 0},       {"持将棋", 0},   {"中断", NO_RESULT}, {"封じ手", NO_RESULT},
                                   {"不詰", NO_RESULT}, {NULL, NO_END}};
    return take_word(&at, ends);
}

/* "   1 ７六歩(77)": behind the number a move, or how the game ended. */
static LineEffect take_move(DataDecoder *d, const char *line, TabiaError *error) {
    const char *at = line;
    skip_blanks(&at);
    while (isdigit((unsigned char)*at)) at++;
    skip_blanks(&at);
    if (d->state.stage == GAME_VARIATIONS) return LINE_TAKEN;
    if (d->state.stage != GAME_START_READY && take_start(d, error) == LINE_IS_BAD) return LINE_IS_BAD;
    const int end = end_of(at);
    if (end == NO_RESULT) return bad(error, line, "the game has no result");
    return end == NO_END ? game_record_move(d, move_of(&d->state, at), at, error) : game_record_end(d, end);
}

/* *#評価値=35, or **評価値=35, for black; it stands behind its move. */
static void take_comment(DataDecoder *d, const char *line) {
    const char *at = line;
    char *end;
    if (d->state.stage != GAME_START_READY || !(take(&at, "*#評価値=") || take(&at, "**評価値="))) return;
    const long read = strtol(at, &end, 10), least = read < INT16_MIN ? INT16_MIN : read;
    const int score = (int)(least > INT16_MAX ? INT16_MAX : least);
    const bool of_black = d->state.last.turn == WHITE; /* who has moved */
    if (end != at) game_record_score(d, of_black ? score : -score);
}

static LineEffect take_utf8(DataDecoder *d, const char *line, TabiaError *error) {
    const char *at = line;
    skip_blanks(&at);
    if (isdigit((unsigned char)*at)) return take_move(d, line, error);
    if (*line == '|' && d->state.stage != GAME_VARIATIONS && !d->state.count) return take_rank(d, line, error);
    if (*line == '*') return take_comment(d, line), LINE_TAKEN;
    if (take(&at, "変化：")) return d->state.stage = GAME_VARIATIONS, LINE_TAKEN;
    return d->state.count ? LINE_TAKEN : take_header(d, line, error);
}

static LineEffect take_line(DataDecoder *d, const char *line, TabiaError *error) {
    char text[SHIFT_JIS_GROWTH * DATA_LINE_MAX];
    shift_jis_to_utf8(line, text);
    return take_utf8(d, text, error);
}

static bool starts_game(const char *line) {
    char text[SHIFT_JIS_GROWTH * DATA_LINE_MAX];
    const char *at = text;
    shift_jis_to_utf8(line, text);
    return take(&at, "#KIF") || take(&at, "# --") || take(&at, "手合割：") || take(&at, "開始日時：");
}

static const GameRecordDialect dialect = {take_line, starts_game};

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    return game_record_read(&dialect, d, r, error);
}
static int resync(DataDecoder *d, TabiaError *error) {
    return game_record_resync(&dialect, d, error);
}
const DataFormat data_format_kif = {
    .name = "kif",
    .extensions = "kif kifu",
    .description = "games of people, in UTF-8 or Shift_JIS, the score of each move in the comment behind it; only read",
    .signature = "#KIF",
    .min_record_bits = 7 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits = "variations are left out; moves without a score are marked to be skipped; the move number counts from "
              "the start",
    .read = read_record,
    .resync = resync,
};
