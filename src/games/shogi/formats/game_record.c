/* SPDX-License-Identifier: MIT */
#include "formats/game_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/movegen.h"

void game_record_start(DataDecoder *d, const Position *p) {
    d->state.start = d->state.last = *p;
    d->state.count = d->state.next = 0;
    d->state.stage = GAME_START_READY;
}

LineEffect game_record_move(DataDecoder *d, Move m, const char *text, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    if (s->count == GAME_RECORD_PLIES)
        return tabia_fail(error, "the game has more than %d moves", GAME_RECORD_PLIES), LINE_IS_BAD;
    if (!m || !move_is_legal(&s->last, m))
        return tabia_fail(error, "illegal move %u: '%.40s'", s->count + 1, text), LINE_IS_BAD;
    s->has_score[s->count] = false;
    s->move[s->count++] = m;
    position_make_move(&s->last, &s->last, m);
    return LINE_TAKEN;
}

LineEffect game_record_end(DataDecoder *d, int result) {
    d->white_result = (int8_t)(d->state.last.turn == WHITE ? result : -result);
    return LINE_ENDS_GAME;
}

void game_record_score(DataDecoder *d, int score) {
    FormatDecoderState *s = &d->state;
    if (!s->count) return;
    s->has_score[s->count - 1] = true;
    s->score[s->count - 1] = data_score16(score);
}

static int bad_game(DataDecoder *d, bool skips, const char *what, TabiaError *error) {
    data_line_error(d, what, error);
    d->resync_pending = skips;
    return DATA_READ_BAD_RECORD;
}

/* The beginning of a line that is too long: comments with long variations are. */
static void cut_long_line(DataDecoder *d, char line[DATA_LINE_MAX]) {
    memcpy(line, data_input_bytes(&d->in), DATA_LINE_MAX - 1);
    line[DATA_LINE_MAX - 1] = '\0';
    d->line_start = d->in.begin;
    data_skip_long_line(d, data_input_offset(&d->in) + DATA_SKIPPED_LINES_BYTES);
}

/* The next line; or what ends reading, with *status. */
static bool next_line(DataDecoder *d, char line[DATA_LINE_MAX], int *status, TabiaError *error) {
    const LineStatus got = data_read_line(d, line);
    *status = DATA_READ_OK;
    if (got == LINE_TOO_LONG) cut_long_line(d, line);
    if (got == LINE_OK || got == LINE_TOO_LONG) return true;
    if (got == LINE_END_OF_INPUT)
        *status = data_input_failed(&d->in) ? data_truncated(d, "a line", 0, 0, error) : DATA_READ_END;
    else
        *status = bad_game(d, true, "it contains a zero byte", error);
    return false;
}

static void unread_line(DataDecoder *d) {
    d->in.begin = d->line_start;
    d->line_number--;
}

static int end_of_text(const DataDecoder *d, TabiaError *error) {
    if (!d->state.count) return DATA_READ_END;
    return data_read_error(error, "line %" PRIu64 ": truncated: the game does not end with its result", d->line_number);
}

/* Reads lines until a game ends that has moves. */
static int read_game(const GameRecordDialect *dialect, DataDecoder *d, TabiaError *error) {
    char line[DATA_LINE_MAX];
    TabiaError cause;
    int status;
    const uint64_t begin = d->record_offset = data_input_offset(&d->in);
    for (;;) {
        if (data_input_offset(&d->in) - begin > DATA_SKIPPED_LINES_BYTES)
            return data_read_error(error, "line %" PRIu64 ": no game ends in %d bytes", d->line_number,
                                   DATA_SKIPPED_LINES_BYTES);
        if (!next_line(d, line, &status, error)) return status == DATA_READ_END ? end_of_text(d, error) : status;
        if (d->state.count && dialect->starts(line)) {
            unread_line(d);
            return bad_game(d, false, "a game begins, but the one before it does not end with its result", error);
        }
        const LineEffect taken = dialect->take(d, line, &cause);
        if (taken == LINE_IS_BAD) return bad_game(d, true, cause.text, error);
        if (taken == LINE_ENDS_GAME && d->state.count) return DATA_READ_OK;
    }
}

int game_record_read(const GameRecordDialect *dialect, DataDecoder *d, DataRecord *r, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    r->starts_game = !d->in_game;
    if (!d->in_game) {
        s->count = s->next = 0;
        s->stage = GAME_START_NONE;
        const int status = read_game(dialect, d, error);
        if (status != DATA_READ_OK) return status;
        d->next_position = s->start;
        d->in_game = true;
    }
    r->position = d->next_position;
    r->move = s->move[s->next];
    r->score = s->has_score[s->next] ? s->score[s->next] : DATA_SKIP_SCORE;
    r->ply = clocks_ply(&r->position);
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    position_make_move(&d->next_position, &r->position, r->move);
    d->in_game = ++s->next < s->count;
    return DATA_READ_OK;
}

int game_record_resync(const GameRecordDialect *dialect, DataDecoder *d, TabiaError *error) {
    char line[DATA_LINE_MAX];
    const uint64_t begin = data_input_offset(&d->in);
    while (data_input_offset(&d->in) - begin <= DATA_SKIPPED_LINES_BYTES) {
        const LineStatus got = data_read_line(d, line);
        if (got == LINE_END_OF_INPUT) return DATA_READ_OK;
        if (got == LINE_TOO_LONG) data_skip_long_line(d, begin + DATA_SKIPPED_LINES_BYTES);
        if (got == LINE_OK && dialect->starts(line)) {
            unread_line(d);
            return DATA_READ_OK;
        }
    }
    d->record_offset = begin;
    return data_read_error(error, "line %" PRIu64 ": no game begins in %d bytes behind a bad one", d->line_number,
                           DATA_SKIPPED_LINES_BYTES);
}
