/* SPDX-License-Identifier: MIT */
#include "formats/game_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/japanese_text.h"
#include "notation/fen.h"
#include "notation/validate.h"
#include "rules/declaration.h"
#include "rules/movegen.h"

enum { TEXT_MAX = JAPANESE_TEXT_GROWTH * DATA_LINE_MAX };

LineEffect game_record_bad(const char *line, const char *what, TabiaError *error) {
    return tabia_fail(error, "'%.60s': %s", line, what), LINE_IS_BAD;
}

void game_record_doubt(DataDecoder *d, const char *line, const char *what) {
    TabiaError cause;
    (void)game_record_bad(line, what, &cause);
    (void)data_line_error(d, cause.text, &d->state.doubt);
    d->state.has_doubt = true;
}

Position *game_record_placed(DataDecoder *d) {
    if (d->state.stage != GAME_START_PLACING)
        d->state.last = (Position){.king = {NO_SQUARE, NO_SQUARE}, .turn = BLACK, .ply = 1};
    d->state.stage = GAME_START_PLACING;
    return &d->state.last;
}

void game_record_rest(Position *p, Colour c) {
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) {
        const unsigned there = position_pieces(p, t);
        if (there < set_pieces(t)) p->hand[c] += (set_pieces(t) - there) * hand_one(t);
    }
}

bool game_record_ranks_whole(const DataDecoder *d) {
    return !d->state.ranks || d->state.ranks == (1U << RANKS) - 1;
}

void game_record_start(DataDecoder *d, const Position *p) {
    d->state.start = d->state.last = *p;
    d->state.count = d->state.next = 0;
    d->state.stage = GAME_START_READY;
}

LineEffect game_record_move(DataDecoder *d, Move m, const char *text, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    if (s->stage >= GAME_ENDED) return game_record_bad(text, "a move after the end of the game", error);
    if (s->has_illegal) return game_record_bad(text, "a move after an illegal one", error);
    if (s->count == GAME_RECORD_PLIES)
        return tabia_fail(error, "the game has more than %d moves", GAME_RECORD_PLIES), LINE_IS_BAD;
    if (!m || !move_is_legal(&s->last, m)) {
        char what[32];
        snprintf(what, sizeof what, "illegal move %u", s->count + 1);
        game_record_doubt(d, text, what);
        s->has_illegal = true;
        return LINE_TAKEN;
    }
    s->has_score[s->count] = false;
    s->move[s->count++] = m;
    position_make_move(&s->last, &s->last, m);
    return LINE_TAKEN;
}

int game_record_white_result(const DataDecoder *d, int result) {
    return d->state.last.turn == WHITE ? result : -result;
}

LineEffect game_record_end(DataDecoder *d, int white_result, bool is_foul, const char *line, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    if (s->has_illegal && (!is_foul || white_result != game_record_white_result(d, -1)))
        return game_record_bad(line, "the illegal move before it ends the game otherwise", error);
    if (s->has_result && white_result != d->white_result)
        return game_record_bad(line, "it contradicts the end of the game before it", error);
    d->white_result = (int8_t)white_result;
    s->has_result = true;
    s->has_illegal = s->has_doubt = false;
    s->stage = GAME_ENDED;
    return LINE_TAKEN;
}

void game_record_comment(DataDecoder *d, const char *text) {
    static const char *const names[] = {"*評価値=", "#評価値=", "*"};
    FormatDecoderState *s = &d->state;
    size_t i = 0;
    while (i < 3 && strncmp(text, names[i], strlen(names[i])) != 0) i++;
    if (i == 3 || s->stage != GAME_START_READY || s->has_illegal || !s->count) return;
    char *end;
    const char *at = text + strlen(names[i]);
    const long read = strtol(at, &end, 10), raised = read < -DATA_SCORE_MAX ? -DATA_SCORE_MAX : read;
    const int score = (int)(raised > DATA_SCORE_MAX ? DATA_SCORE_MAX : raised);
    if (end == at || !strchr(" \t.,", *end)) return; /* words, or a number of something else */
    s->has_score[s->count - 1] = true;
    s->score[s->count - 1] = (int16_t)(s->last.turn == WHITE ? score : -score); /* black has moved, or white */
}

/* ---- reading ---- */

/* Where a doubt stands, it is the first fault. */
static int bad_game(DataDecoder *d, bool skips, const char *what, TabiaError *error) {
    if (d->state.has_doubt)
        *error = d->state.doubt;
    else
        data_line_error(d, what, error);
    d->resync_pending = skips;
    return DATA_READ_BAD_RECORD;
}

/* The next line in UTF-8, without the 1a that ends a DOS file. Of one that is too long, the beginning: it is not
   consumed. */
static LineStatus read_text(DataDecoder *d, char text[TEXT_MAX]) {
    char line[DATA_LINE_MAX];
    const LineStatus got = data_read_line(d, line);
    if (got == LINE_TOO_LONG) {
        memcpy(line, data_input_bytes(&d->in), DATA_LINE_MAX - 1);
        line[DATA_LINE_MAX - 1] = '\0';
    }
    if (got == LINE_END_OF_INPUT) return got;
    char *begin = line + strspn(line, "\x1a"), *end = line + strlen(line);
    while (end > begin && end[-1] == '\x1a') *--end = '\0';
    japanese_text_to_utf8(begin, text);
    return got;
}

static void skip_rest(DataDecoder *d, LineStatus got) {
    if (got == LINE_TOO_LONG) data_skip_long_line(d, data_input_offset(&d->in) + DATA_SKIPPED_LINES_BYTES);
}

static void unread_line(DataDecoder *d, LineStatus got) {
    if (got == LINE_TOO_LONG) return;
    d->in.begin = d->line_start;
    d->line_number--;
}

/* The game is read up to here, and `fault` is what is wrong if it has no result. */
static int end_game(DataDecoder *d, const char *fault, TabiaError *error) {
    const FormatDecoderState *s = &d->state;
    if (s->has_doubt || (s->has_result && !s->count)) return bad_game(d, false, "the game has no move", error);
    if (s->has_result) return DATA_READ_OK;
    return bad_game(d, false, s->count ? fault : "the game has no move", error);
}

static int end_of_text(DataDecoder *d, TabiaError *error) {
    if (data_input_failed(&d->in)) return data_truncated(d, "a line", 0, 0, error);
    if (d->state.closed) return end_game(d, "truncated: the game does not end with its result", error);
    return d->record_offset || !d->line_number ? DATA_READ_END : bad_game(d, false, "the text has no game", error);
}

/* By its byte order mark. */
static bool is_utf16(const DataDecoder *d, LineStatus got) {
    const uint8_t *line = got == LINE_TOO_LONG ? data_input_bytes(&d->in) : d->in.window + d->line_start;
    if (got != LINE_TOO_LONG && d->in.begin - d->line_start < 2) return false;
    return (line[0] == 0xff && line[1] == 0xfe) || (line[0] == 0xfe && line[1] == 0xff);
}

static int take_line(const GameRecordFormat *format, DataDecoder *d, LineStatus got, const char *text,
                     TabiaError *error) {
    TabiaError cause;
    const bool utf16 = is_utf16(d, got);
    skip_rest(d, got);
    if (utf16) return bad_game(d, true, "the text is in UTF-16, which is not read; save it in UTF-8", error);
    if (got == LINE_HAS_ZERO_BYTE) return bad_game(d, true, "it contains a zero byte", error);
    if (got == LINE_TOO_LONG && !format->has_free_text(text))
        return bad_game(d, true, "it has more than 255 bytes, and is no comment", error);
    if (format->take(d, text, &cause) == LINE_IS_BAD) return bad_game(d, true, cause.text, error);
    return DATA_READ_OK;
}

static int read_game(const GameRecordFormat *format, DataDecoder *d, TabiaError *error) {
    char text[TEXT_MAX];
    int status = DATA_READ_OK;
    const uint64_t begin = d->record_offset = data_input_offset(&d->in);
    while (status == DATA_READ_OK) {
        if (data_input_offset(&d->in) - begin > DATA_SKIPPED_LINES_BYTES)
            return data_read_error(error, "line %" PRIu64 ": no game ends in %d bytes", d->line_number,
                                   DATA_SKIPPED_LINES_BYTES);
        const LineStatus got = read_text(d, text);
        if (got == LINE_END_OF_INPUT) return end_of_text(d, error);
        const LinePart part = format->part(text);
        if (part.begins & d->state.closed) {
            unread_line(d, got);
            return end_game(d, "a game begins, but the one before it does not end with its result", error);
        }
        d->state.closed |= part.closes;
        status = take_line(format, d, got, text, error);
    }
    return status;
}

static void begin_game(FormatDecoderState *s) {
    s->stage = GAME_START_NONE;
    s->closed = s->ranks = s->rest = s->number = s->count = s->next = 0;
    s->has_result = s->has_illegal = s->has_doubt = s->has_handicap = s->has_turn = false;
}

int game_record_read(const GameRecordFormat *format, DataDecoder *d, DataRecord *r, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    r->starts_game = !d->in_game;
    if (!d->in_game) {
        begin_game(s);
        const int status = read_game(format, d, error);
        if (status != DATA_READ_OK) return status;
        d->next_position = s->start;
        d->in_game = true;
    }
    r->position = d->next_position;
    r->move = s->move[s->next];
    r->score = s->has_score[s->next] ? s->score[s->next] : DATA_SKIP_SCORE;
    r->ply = move_counters_ply(&r->position);
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    position_make_move(&d->next_position, &r->position, r->move);
    d->in_game = ++s->next < s->count;
    return DATA_READ_OK;
}

int game_record_resync(const GameRecordFormat *format, DataDecoder *d, TabiaError *error) {
    char text[TEXT_MAX];
    const uint64_t begin = data_input_offset(&d->in);
    while (data_input_offset(&d->in) - begin <= DATA_SKIPPED_LINES_BYTES) {
        const LineStatus got = read_text(d, text);
        if (got == LINE_END_OF_INPUT) return DATA_READ_OK;
        const LinePart part = format->part(text);
        if (part.begins && (!d->state.closed || part.begins & d->state.closed)) {
            unread_line(d, got);
            return DATA_READ_OK;
        }
        d->state.closed |= part.closes;
        skip_rest(d, got);
    }
    d->record_offset = begin;
    return data_read_error(error, "line %" PRIu64 ": no game begins in %d bytes behind a bad one", d->line_number,
                           DATA_SKIPPED_LINES_BYTES);
}

/* ---- writing ---- */

GameEnd game_write_end(const DataEncoder *e, Colour *to_move) {
    Position p;
    position_make_move(&p, &e->last.position, e->last.move);
    *to_move = (Colour)p.turn;
    if (!e->last.result) return GAME_END_DRAWN;
    if (e->last.result > 0) return in_check(&p) && !moves_count(&p) ? GAME_END_MATE : GAME_END_LOST;
    return declaration_wins(&p) ? GAME_END_DECLARED : GAME_END_WON;
}

bool game_write_begins(DataEncoder *e) {
    const bool is_full = e->in_game && e->state.moves == GAME_RECORD_PLIES;
    if (is_full) e->format->end_game(e);
    if (is_full || !e->in_game) e->state.moves = 0;
    return !e->state.moves;
}

bool game_write_is_start(const Position *p) {
    Position start;
    return fen_parse(&start, fen_start, NULL) && position_same(p, &start);
}

int game_write_score(const DataRecord *r) {
    const int black = r->position.turn == BLACK ? r->score : -r->score;
    return black > DATA_SCORE_MAX ? DATA_SCORE_MAX : black < -DATA_SCORE_MAX ? -DATA_SCORE_MAX : black;
}

DataFields game_write_lost(const DataRecord *r) {
    const bool is_beyond = r->score > DATA_SCORE_MAX || r->score < -DATA_SCORE_MAX;
    return is_beyond && !r->skip ? DATA_SCORE : DATA_NO_FIELDS;
}
