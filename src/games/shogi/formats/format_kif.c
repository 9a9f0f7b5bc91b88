/* SPDX-License-Identifier: MIT */
/*
 * Games as people keep them (KIF, of Kifu for Windows):
 *
 *   #KIF version=2.0 ...   開始日時：...   先手：NAME   *comment   &bookmark   and what the position is (kif_start.h)
 *   手数----指手--                                              then the game begins
 *      1 ７六歩(77)   ( 0:01/00:00:01)                          to, piece, from; 同 is where the last move went to;
 *      2 ５五角打                                               成 promotes, 打 drops
 *   *#評価値=35                                                 ShogiHome's comment: the score of that move, for black
 *      3 投了                                                   how it ended,
 *   まで2手で後手の勝ち                                         and so again, or only here
 *   変化：2手                                                   variations are passed over
 */
#include <string.h>

#include "formats/game_record.h"
#include "formats/kif_start.h"
#include "formats/kif_words.h"
#include "formats/kif_write.h"
#include "rules/movegen.h"

/* ---- moves ---- */

/* ７六 or 76, or 同 for the square of the last move; -1: neither. */
static int take_target(const FormatDecoderState *s, const char **at) {
    if (kif_take(at, "同")) return kif_skip_blanks(at), s->count ? move_to(s->move[s->count - 1]) : NO_SQUARE;
    const int file = kif_take_digit(at), kanji = kif_take_kanji_digit(at), rank = kanji ? kanji : kif_take_digit(at);
    return file < 1 || rank < 1 ? -1 : RANKS * (file - 1) + rank - 1;
}

/* (77); -1: it is none. */
static int take_origin(const char **at) {
    if (!kif_take(at, "(")) return -1;
    const int file = kif_take_digit(at), rank = kif_take_digit(at);
    return file < 1 || rank < 1 || !kif_take(at, ")") ? -1 : RANKS * (file - 1) + rank - 1;
}

/* 右, 上 and so on: which of the pieces that could go there; the origin says it as well. */
static void pass_marks(const char **at) {
    static const KifWord marks[] = {{"左", 1}, {"右", 1}, {"上", 1}, {"引", 1}, {"寄", 1},
                                    {"直", 1}, {"行", 1}, {"入", 1}, {NULL, 0}};
    while (kif_take_word(at, marks)) {
    }
}

static bool is_move(const FormatDecoderState *s, const char *at) {
    return take_target(s, &at) >= 0 && kif_take_piece(&at) != NO_PIECE_TYPE;
}

/* Behind a move its time, or the '+' that announces a variation: nothing that would change the move. */
static bool is_behind_move(const char *at) {
    kif_skip_blanks(&at);
    return strchr("(+0123456789", *at) || kif_take(&at, "（");
}

/* The move; 0: there is none. */
static Move move_of(const FormatDecoderState *s, const char *at) {
    const int to = take_target(s, &at);
    const PieceType type = kif_take_piece(&at);
    if (to < 0 || to == NO_SQUARE || type == NO_PIECE_TYPE) return 0;
    pass_marks(&at);
    if (kif_take(&at, "打")) return type < KING && is_behind_move(at) ? move_encode_drop(type, to) : 0;
    const bool promotes = !kif_take(&at, "不成") && kif_take(&at, "成");
    const int from = take_origin(&at);
    if (from < 0 || piece_type_at(&s->last, from) != type || !is_behind_move(at)) return 0;
    return move_encode(from, to, promotes ? PROMOTION : PLAIN);
}

/* ▲ or △ in front of a move: whose it is. */
static bool takes_turn(const FormatDecoderState *s, const char **at) {
    static const KifWord turns[] = {{"▲", BLACK}, {"▼", BLACK}, {"☗", BLACK}, {"△", WHITE},
                                    {"▽", WHITE}, {"☖", WHITE}, {NULL, -1}};
    const int turn = kif_take_word(at, turns);
    return turn < 0 || turn == s->last.turn;
}

/* ---- ends ---- */

/* Whether the side to move has won, or the side that is named; UNDECIDED: the line まで says who has. */
typedef enum { LOST = -1, DRAWN, WON, UNDECIDED, UNFINISHED } Outcome;

typedef struct {
    const char *word;
    Outcome outcome;
    bool is_foul;
} KifEnd;

/* The words of Kifu for Windows and of ShogiHome, in their sense: by 反則勝ち the side to move wins because of the illegal move
   before, by 反則負け it loses; 詰み is its mate; 不詰 is a solver's answer. Null: no such word. */
static const KifEnd *find_end(const char *at, bool names_side) {
    enum { OF_NAMED_SIDE = 2 };
    static const KifEnd ends[] = {
        {"勝ち", WON, false},          {"負け", LOST, false},         {"投了", LOST, false},
        {"詰み", LOST, false},         {"詰", LOST, false},           {"時間切れ", LOST, false},
        {"切れ負け", LOST, false},     {"時間切れ負け", LOST, false}, {"反則負け", LOST, true},
        {"反則勝ち", WON, true},       {"反則手", UNDECIDED, true},   {"不戦敗", LOST, false},
        {"不戦勝", WON, false},        {"入玉勝ち", WON, false},      {"入玉宣言", WON, false},
        {"入玉宣言勝ち", WON, false},  {"宣言勝ち", WON, false},      {"勝ち宣言", WON, false},
        {"千日手", DRAWN, false},      {"持将棋", DRAWN, false},      {"引き分け", DRAWN, false},
        {"引分", DRAWN, false},        {"最大手数", DRAWN, false},    {"連続王手の千日手", UNDECIDED, false},
        {"トライ", UNDECIDED, false},  {"中断", UNFINISHED, false},   {"封じ手", UNFINISHED, false},
        {"待った", UNFINISHED, false}, {"不詰", UNFINISHED, false},   {"エラー", UNFINISHED, false},
    };
    for (size_t i = names_side ? 0 : OF_NAMED_SIDE; i < sizeof ends / sizeof *ends; i++) {
        const char *behind = at;
        if (!kif_take(&behind, ends[i].word)) continue;
        (void)kif_take(&behind, "成立");
        const char *blank = behind;
        kif_skip_blanks(&blank);
        if (!*behind || blank != behind || *behind == '(' || kif_take(&behind, "（")) return &ends[i];
    }
    return NULL;
}

/* The end of the side named, or else (null) of the side to move. */
static LineEffect take_end(DataDecoder *d, const char *at, const Colour *side, const char *line, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    const KifEnd *end = find_end(at, side != NULL);
    if (!end) return game_record_bad(line, "no move, and no end of a game that is known", error);
    if (end->outcome == UNFINISHED) return game_record_bad(line, "the game has no result", error);
    /* An illegal move is left out: its side is still to move, and has lost. */
    const Outcome outcome = end->is_foul && s->has_illegal && !side ? LOST : end->outcome;
    if (outcome == UNDECIDED) {
        if (!s->has_result && !s->has_illegal) game_record_doubt(d, line, "it does not say who has won");
        return s->stage = GAME_ENDED, LINE_TAKEN;
    }
    const int white = side && *side != s->last.turn ? -(int)outcome : (int)outcome;
    return game_record_end(d, game_record_white_result(d, white), end->is_foul, line, error);
}

/* まで4手で後手の勝ち, まで80手で千日手, まで9手で時間切れにより先手の勝ち */
static LineEffect take_result(DataDecoder *d, const char *line, const char *at, TabiaError *error) {
    const FormatDecoderState *s = &d->state;
    Colour side;
    (void)kif_take(&at, "、");
    const int number = kif_take_number(&at);
    (void)(kif_take(&at, "手で") || kif_take(&at, "手にて") || kif_take(&at, "手"));
    if (s->stage < GAME_ENDED && number >= 0 && (unsigned)number != s->number + s->count + s->has_illegal)
        return game_record_bad(line, "its number is not that of the last move", error);
    static const char by[] = "により";
    const char *reason = strstr(at, by);
    if (reason) at = reason + sizeof by - 1;
    (void)kif_take(&at, "、");
    kif_skip_blanks(&at);
    const bool names_side = kif_take_side(&at, &side);
    if (names_side) (void)(kif_take(&at, "の") || kif_take(&at, "が"));
    return take_end(d, at, names_side ? &side : NULL, line, error);
}

/* ---- lines ---- */

/* "   1 ７六歩(77)": behind the number a move, or how the game ended. */
static LineEffect take_numbered(DataDecoder *d, const char *line, unsigned number, const char *at, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    if (s->stage == GAME_VARIATIONS) return LINE_TAKEN;
    if (s->stage == GAME_ENDED) return game_record_bad(line, "a move after the end of the game", error);
    if (s->stage < GAME_START_READY) {
        if (kif_start(d, line, error) == LINE_IS_BAD) return LINE_IS_BAD;
        s->number = number - 1;
    }
    if (number != s->number + s->count + s->has_illegal + 1)
        return game_record_bad(line, "its number is not that of the next move", error);
    kif_skip_blanks(&at);
    if (!takes_turn(s, &at)) return game_record_bad(line, "it is the other side's turn", error);
    return is_move(s, at) ? game_record_move(d, move_of(s, at), at, error)
                          : take_end(d, at, NULL, *at ? at : line, error);
}

/* Over a board: ９ ８ ７ ... */
static bool is_row_of_files(const char *at) {
    int n = 0;
    for (kif_skip_blanks(&at); kif_take_digit(&at) >= 0; kif_skip_blanks(&at)) n++;
    return n == FILES && !*at;
}

/* NAME：VALUE */
static bool is_header(const char *at) {
    const size_t key = strcspn(at, " :");
    return strstr(at, "：") || (key && at[key] == ':');
}

static LineEffect take_other(DataDecoder *d, const char *line, const char *at, TabiaError *error) {
    static const KifWord ki2[] = {{"▲", 1}, {"△", 1}, {"▼", 1}, {"▽", 1}, {"☗", 1}, {"☖", 1}, {NULL, 0}};
    bool taken = false;
    if (d->state.stage < GAME_START_READY) {
        const LineEffect effect = kif_start_line(d, at, &taken, error);
        if (taken) return effect;
        if (is_header(at) || !strncmp(at, "+-", 2) || kif_take(&at, "手数")) return LINE_TAKEN;
    }
    if (*at == '<') return game_record_bad(line, "this is a web page, not a game in KIF", error);
    if (kif_take_word(&at, ki2))
        return game_record_bad(line, "moves of KI2, which is not read; save the game as KIF", error);
    return game_record_bad(line, "no line of a game in KIF", error);
}

static LineEffect take_line(DataDecoder *d, const char *line, TabiaError *error) {
    const char *at = line;
    kif_skip_blanks(&at);
    if (*at == '*') return game_record_comment(d, at + 1), LINE_TAKEN;
    if (strchr("#&", *at)) return LINE_TAKEN; /* or a blank line */
    if (kif_take(&at, "変化") && kif_take_colon(&at)) {
        if (d->state.stage > GAME_START_PLACING) d->state.stage = GAME_VARIATIONS;
        return LINE_TAKEN;
    }
    if (kif_take(&at, "まで")) return d->state.stage == GAME_VARIATIONS ? LINE_TAKEN : take_result(d, line, at, error);
    if (d->state.stage < GAME_START_READY && is_row_of_files(at)) return LINE_TAKEN;
    if (d->state.stage < GAME_VARIATIONS && is_move(&d->state, at))
        return game_record_bad(line, "a move without its number", error);
    const char *behind = at;
    const int number = kif_take_number(&behind);
    return number >= 0 ? take_numbered(d, line, (unsigned)number, behind, error) : take_other(d, line, at, error);
}

static LinePart part_of(const char *line) {
    enum { KIF = 1, WINDOWS = 2, HOME = 4, DATE = 8, HANDICAP = 16, REST = 32, TOP = KIF | WINDOWS | HOME };
    static const struct {
        const char *begin;
        LinePart part;
    } parts[] = {
        {"*", {0, 0}},
        {"#KIF", {KIF, KIF}},
        {"# --", {WINDOWS, WINDOWS}},
        {"# KIF", {HOME, HOME}},
        {"#", {0, 0}},
        {"開始日時", {DATE, DATE | TOP}},
        {"手合割", {HANDICAP, HANDICAP | TOP}},
        {"変化", {0, LINE_CLOSES_ALL}},
        {"まで", {0, LINE_CLOSES_ALL}},
        {"|", {REST, TOP}},
        {"先手", {REST, TOP}},
        {"後手", {REST, TOP}},
        {"下手", {REST, TOP}},
        {"上手", {REST, TOP}},
        {"手数", {REST, TOP}},
    };
    const char *at = line;
    kif_skip_blanks(&at);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strncmp(at, parts[i].begin, strlen(parts[i].begin))) return parts[i].part;
    if (is_row_of_files(at)) return (LinePart){0, TOP};
    return kif_take_digit(&at) >= 0 ? (LinePart){0, LINE_CLOSES_ALL} : (LinePart){is_header(at) ? REST : 0, 0};
}

static bool has_free_text(const char *line) {
    const char *at = line;
    kif_skip_blanks(&at);
    return strchr("*#&", *at) || is_header(at);
}

static const GameRecordFormat format = {take_line, part_of, has_free_text};

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    return game_record_read(&format, d, r, error);
}
static int resync(DataDecoder *d, TabiaError *error) {
    return game_record_resync(&format, d, error);
}
const DataFormat data_format_kif = {
    .name = "kif",
    .extensions = "kif kifu",
    .description = "games of people, in UTF-8, Shift_JIS or EUC-JP, the score of each move in the comment after it",
    .signature = "#KIF",
    .min_record_bits = 7 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits =
        "variations and an illegal last move are left out; moves without a score are marked to be skipped; the move "
        "number counts from the start",
    .lost_fields = game_write_lost,
    .write = kif_write_record,
    .end_game = kif_end_game,
    .read = read_record,
    .resync = resync,
};
