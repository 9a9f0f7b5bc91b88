/* SPDX-License-Identifier: MIT */
/*
 * Games as PGN. The score of a record is in the comment behind its move, in pawns for the side that moved, as fastchess and
 * cutechess write it ("+0.35/12 0.5s", "-M6/20"); else that of the comment of the move before it, if it is Lichess' of the position
 * ("[%eval 0.17]", for white). A move with neither (of a book) is marked to be skipped. The result is
 * that of the tag Result. Written are the seven tags that a reader may ask for, FEN and SetUp where the game does not begin
 * at the start, Variant for Chess960, and moves in SAN; the depth is unknown and 0.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "data/encode.h"
#include "formats/pgn_text.h"
#include "notation/fen.h"
#include "notation/move_text.h"

static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};

/* ---- reading ---- */

/* The game, or the rest of it, is bad and skipped. */
static int bad_game(DataDecoder *d, const char *what, TabiaError *error) {
    d->in_game = false;
    d->resync_pending = true;
    return data_bad_record(error, "line %" PRIu64 ": %.300s", d->line_number + 1, what);
}

/* Behind bad text: to a line that begins with a tag. */
static int resync(DataDecoder *d, TabiaError *error) {
    const uint64_t begin = d->state.skipped_from = data_input_offset(&d->in);
    int last = '\n', c;
    for (bool found = false; !found && (c = pgn_peek(d)) != PGN_END; last = c) {
        const uint8_t *at = data_input_bytes(&d->in);
        found = c == '[' && last == '\n' && data_input_available(&d->in, 2) == 2 && at[1] >= 'A' && at[1] <= 'Z';
        if (!found) pgn_next(d);
    }
    if (c != PGN_END || data_input_offset(&d->in) - begin < PGN_SKIPPED_BYTES) return DATA_READ_OK;
    d->record_offset = begin;
    return data_read_error(error, "line %" PRIu64 ": no game begins in %d bytes behind a bad one", d->line_number + 1,
                           PGN_SKIPPED_BYTES);
}

/* The end of the input, or of what may be skipped. */
static int end_of_text(const DataDecoder *d, bool began, TabiaError *error) {
    if (data_input_failed(&d->in)) return data_truncated(d, "a game", 0, 0, error);
    if (d->in.begin < d->in.end)
        return data_read_error(error, "line %" PRIu64 ": neither move nor tag in %d bytes", d->line_number + 1,
                               PGN_SKIPPED_BYTES);
    return began ? data_read_error(error, "truncated: the game does not end with its result") : DATA_READ_END;
}

static bool is_chess(const char *variant) {
    static const char *const names[] = {"standard", "chess",         "normal", "from position", "fischerandom",
                                        "chess960", "fischerrandom", "frc",    "dfrc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(variant, names[i])) return true;
    return false;
}

static bool take_result(DataDecoder *d, const char *value, bool *has_result, TabiaError *error) {
    *has_result = false;
    for (int i = 0; i < 3; i++)
        if (!strcmp(value, results[i])) d->white_result = (int8_t)(i - 1), *has_result = true;
    return *has_result || tabia_fail(error, "the result of the game is '%.20s', not 1-0, 0-1 or 1/2-1/2", value);
}

static bool take_tag(DataDecoder *d, const PgnTag *tag, bool *has_result, TabiaError *error) {
    if (!strcmp(tag->name, "FEN"))
        return tag->cut ? tabia_fail(error, "the FEN is longer than %d characters", PGN_TAG_MAX - 1)
                        : fen_parse(&d->next_position, tag->value, error);
    if (!strcmp(tag->name, "Result")) return take_result(d, tag->value, has_result, error);
    return strcmp(tag->name, "Variant") != 0 || is_chess(tag->value) ||
           tabia_fail(error, "the variant '%.40s' is not chess", tag->value);
}

/* The tags of the next game. */
static int begin_game(DataDecoder *d, TabiaError *error) {
    TabiaError cause;
    PgnTag tag;
    bool has_result = false;
    data_skip_byte_order_mark(&d->in);
    d->state.skipped_from = data_input_offset(&d->in);
    int c = pgn_skip_blanks(d);
    d->record_offset = data_input_offset(&d->in);
    if (c == PGN_END) return end_of_text(d, false, error);
    if (c != '[') return bad_game(d, "a game begins with its tags, [Name \"value\"]", error);
    fen_parse(&d->next_position, fen_start, NULL);
    for (; c == '['; c = pgn_skip_blanks(d)) {
        if (!pgn_read_tag(d, &tag, &cause) || !take_tag(d, &tag, &has_result, &cause))
            return bad_game(d, cause.text, error);
    }
    if (!has_result) return bad_game(d, "the game has no tag Result", error);
    d->in_game = true;
    d->state.white_score = DATA_SKIP_SCORE;
    d->next_ply = clocks_ply(&d->next_position);
    d->state.skipped_from = data_input_offset(&d->in);
    return DATA_READ_OK;
}

/* The move of a word; its number may stand before it. 0 and *error: there is none. */
static Move read_move(const Position *p, const char *word, TabiaError *error) {
    const Move m = move_from_san(p, word);
    if (!m) tabia_fail(error, "illegal move: '%.20s'; the rest of the game is skipped", word);
    return m;
}

/* What is behind a move number: "12.Nf3" is Nf3, "12..." nothing. */
static const char *behind_number(const char *word) {
    const size_t digits = strspn(word, "0123456789"), points = strspn(word + digits, ".");
    return points || !word[digits] ? word + digits + points : word;
}

static int beyond_range(const DataDecoder *d, TabiaError *error) {
    return data_bad_record(error,
                           "line %" PRIu64 ": the evaluation is beyond 327.67 pawns, or a mate beyond 1000 plies",
                           d->line_number + 1);
}

/* The record of a move, with the evaluation behind it, or else that behind the move before. */
static int finish_move(DataDecoder *d, DataRecord *r, Move move, TabiaError *error) {
    PgnComments comments;
    TabiaError cause;
    const PgnEvaluation *search = &comments.of_search, *analysis = &comments.of_analysis;
    r->position = d->next_position;
    r->move = move;
    r->ply = d->next_ply++;
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    r->score = d->state.white_score;
    if (r->score != DATA_SKIP_SCORE && r->position.turn == BLACK) r->score = -r->score;
    position_make_move(&d->next_position, &d->next_position, move);
    if (!pgn_read_annotations(d, &comments, &cause)) return bad_game(d, cause.text, error);
    if (search->found) r->score = search->score;
    d->state.white_score = analysis->found && analysis->in_range ? analysis->score : DATA_SKIP_SCORE;
    const bool in_range = (!search->found || search->in_range) && (!analysis->found || analysis->in_range);
    return in_range ? DATA_READ_OK : beyond_range(d, error);
}

/* A word of the moves. DATA_READ_END: the game has ended. */
static int read_word(DataDecoder *d, DataRecord *r, bool *is_record, TabiaError *error) {
    char word[PGN_WORD_MAX];
    TabiaError cause;
    pgn_read_word(d, word);
    *is_record = false;
    if (!strcmp(word, results[d->white_result + 1])) {
        d->in_game = false;
        return DATA_READ_OK;
    }
    for (int i = 0; i < 3; i++)
        if (!strcmp(word, results[i]) || !strcmp(word, "*"))
            return bad_game(d, "the game ends with another result than that of its tag", error);
    if (!*word && pgn_peek(d) == '[')
        return bad_game(d, "the game before this tag does not end with its result", error);
    const char *text = behind_number(word);
    if (!*text && *word) return DATA_READ_OK;
    const Move move = read_move(&d->next_position, text, &cause);
    *is_record = move != 0;
    return move ? finish_move(d, r, move, error) : bad_game(d, cause.text, error);
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    PgnComments before;
    TabiaError cause;
    int status = DATA_READ_OK;
    bool starts_game = false;
    d->state.skipped_from = data_input_offset(&d->in);
    for (bool is_record = false; status == DATA_READ_OK && !is_record;) {
        if (!d->in_game) {
            status = begin_game(d, error);
            starts_game = true;
            if (status != DATA_READ_OK) return status;
        }
        if (!pgn_read_annotations(d, &before, &cause)) return bad_game(d, cause.text, error);
        if (before.of_analysis.found && before.of_analysis.in_range) d->state.white_score = before.of_analysis.score;
        d->record_offset = data_input_offset(&d->in);
        if (pgn_peek(d) == PGN_END) return end_of_text(d, true, error);
        status = read_word(d, r, &is_record, error);
    }
    r->starts_game = starts_game;
    return status;
}

/* ---- writing ---- */

enum { LINE_COLUMNS = 80 };

/* Puts a blank or the end of the line before a word of the moves. */
static void put_word(DataEncoder *e, const char *word) {
    const size_t n = strlen(word);
    const bool fits = e->state.column + 1 + n < LINE_COLUMNS;
    if (e->state.column) data_buffer_append(&e->bytes, fits ? " " : "\n", 1);
    e->state.column = (unsigned)(fits && e->state.column ? e->state.column + 1 + n : n);
    data_buffer_append(&e->bytes, word, n);
}

static bool has_castling960(const Position *p) {
    return !castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK);
}

static void put_tags(DataEncoder *e, const DataRecord *r) {
    static const char head[] = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                               "[Black \"?\"]\n[Result \"";
    char fen[FEN_MAX], more[FEN_MAX + 80];
    fen_write(&r->position, FEN_STANDARD, fen);
    data_buffer_append(&e->bytes, head, sizeof head - 1);
    const char *result = results[data_white_result(r) + 1];
    const bool is_start = !strcmp(fen, fen_start);
    const int n = snprintf(more, sizeof more, "%s\"]\n%s%s%s%s\n", result, is_start ? "" : "[SetUp \"1\"]\n[FEN \"",
                           is_start ? "" : fen, is_start ? "" : "\"]\n",
                           has_castling960(&r->position) ? "[Variant \"fischerandom\"]\n" : "");
    assert(n > 0 && n < (int)sizeof more);
    data_buffer_append(&e->bytes, more, (size_t)n);
    e->state.column = 0;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    char word[40], san[SAN_MAX], score[PGN_SCORE_MAX];
    const Position *p = &r->position;
    if (!e->in_game) put_tags(e, r);
    if (!e->in_game || p->turn == WHITE) {
        snprintf(word, sizeof word, "%u.%s", (unsigned)p->fullmove, p->turn == WHITE ? "" : "..");
        put_word(e, word);
    }
    move_to_san(p, r->move, san);
    put_word(e, san);
    if (r->skip) return;
    pgn_score_text(data_score16(r->score), score);
    snprintf(word, sizeof word, "{%s/0}", score);
    put_word(e, word);
}

static void end_game(DataEncoder *e) {
    put_word(e, results[data_white_result(&e->last) + 1]);
    data_buffer_append(&e->bytes, "\n\n", 2);
}

const DataFormat data_format_pgn = {
    .name = "pgn",
    .extensions = "pgn",
    .description = "PGN, the score of each move in the comment behind it",
    .signature = "[Event \"",
    .min_record_bits = 3 * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_HALFMOVE_CLOCK |
              DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits = "the ply follows from the fullmove number",
    .write = write_record,
    .end_game = end_game,
    .read = read_record,
    .resync = resync,
};
