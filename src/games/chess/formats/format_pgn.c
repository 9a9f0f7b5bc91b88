/* SPDX-License-Identifier: MIT */
/*
 * Games as PGN. The score of a record is in the comment after its move, in pawns for the side that moved, as fastchess and
 * cutechess write it ("+0.35/12 0.5s", "-M6/20"); else that of the comment of the move before it, if it is Lichess' of the position
 * ("[%eval 0.17]", for white). A move with neither (of a book) is marked to be skipped. The result is
 * that of the tag Result. A game is read whole before its first record is: behind a fault it is unknown whether the result is
 * that of the moves before it, so such a game has no record. Written are the seven tags that a reader may ask for, FEN and SetUp where the game does not begin
 * at the start, Variant for Chess960, and moves in SAN; the depth is unknown and 0.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/encode.h"
#include "formats/pgn_text.h"
#include "notation/fen.h"
#include "notation/move_text.h"

/* ---- faults ---- */

/* The end of the input, or of what may be skipped. */
static int end_of_text(const DataDecoder *d, bool began, TabiaError *error) {
    if (data_input_failed(&d->in)) return data_truncated(d, "a game", 0, 0, error);
    if (d->in.begin < d->in.end)
        return data_read_error(error, "line %" PRIu64 ": neither move nor tag in %d bytes", d->line_number + 1,
                               PGN_SKIPPED_BYTES);
    return began ? data_read_error(error, "truncated: the game does not end with its result, as 1-0") : DATA_READ_END;
}

/* The game is over, and bad. */
static int bad_end(DataDecoder *d, uint64_t line, const char *what, TabiaError *error) {
    d->in_game = false;
    return data_bad_record(error, "line %" PRIu64 ": %.300s", line, what);
}

/* The game is bad, and the rest of it is skipped; where too much was skipped already, nothing more is read. */
static int bad_game(DataDecoder *d, const char *what, TabiaError *error) {
    if (pgn_peek(d) == PGN_END && d->in.begin < d->in.end) return end_of_text(d, true, error);
    d->resync_pending = true;
    return bad_end(d, d->line_number + 1, what, error);
}

/* Behind a fault: to the end of the game, which is its result or where the next one begins. Comments and variations are read
   as such, so that nothing in them is taken for either. */
static int skip_game(DataDecoder *d, TabiaError *error) {
    char word[PGN_WORD_MAX];
    PgnComments comments;
    d->record_offset = d->state.skipped_from = data_input_offset(&d->in);
    for (;;) {
        d->state.blank_line = false;
        const bool is_good = pgn_read_annotations(d, PGN_BEHIND_MOVE, &comments, NULL);
        if (pgn_peek(d) == PGN_END || pgn_begins_game(d)) break;
        if (!is_good) continue;
        pgn_read_word(d, word);
        if (pgn_result(word) >= 0) break;
        if (!*word) pgn_next(d);
    }
    return d->in.begin < d->in.end && pgn_peek(d) == PGN_END ? end_of_text(d, true, error) : DATA_READ_OK;
}

/* ---- tags ---- */

/* The tags of the next game. */
static int begin_game(DataDecoder *d, TabiaError *error) {
    TabiaError cause;
    PgnComments comments;
    PgnTags tags = {.seen = 0};
    d->state.moves = d->state.next = 0;
    d->state.skipped_from = data_input_offset(&d->in);
    if (!pgn_read_annotations(d, PGN_BEFORE_TAGS, &comments, &cause)) return bad_game(d, cause.text, error);
    d->record_offset = d->state.game_offset = data_input_offset(&d->in);
    if (pgn_peek(d) == PGN_END) return end_of_text(d, false, error);
    if (pgn_peek(d) != '[') return bad_game(d, "a game begins with its tags, [Name \"value\"]", error);
    fen_parse(&d->next_position, fen_start, NULL);
    pgn_read_tags(d, &tags, &comments);
    d->resync_pending = tags.fault_line && !tags.is_followed;
    if (tags.fault_line) return bad_end(d, tags.fault_line, tags.fault.text, error);
    d->in_game = true;
    d->state.blank_line = false;
    d->state.white_score = DATA_SKIP_SCORE;
    if (comments.of_analysis.found && comments.of_analysis.in_range) d->state.white_score = comments.of_analysis.score;
    d->state.start = d->next_position;
    d->state.skipped_from = data_input_offset(&d->in);
    return DATA_READ_OK;
}

/* ---- moves ---- */

/* What is behind a move number: "12.Nf3" is Nf3, "12..." nothing. */
static const char *behind_number(const char *word) {
    static const char ellipsis[] = "\xe2\x80\xa6";
    const size_t digits = strspn(word, "0123456789");
    const char *at = word + digits;
    while (*at == '.' || !strncmp(at, ellipsis, sizeof ellipsis - 1)) at += *at == '.' ? 1 : sizeof ellipsis - 1;
    return at > word + digits || !*at ? at : word;
}

static bool is_null_move(const char *word) {
    return !strcmp(word, "--") || !strcmp(word, "Z0") || !strcmp(word, "0000") || !strcmp(word, "@@@@");
}

/* The bytes of what a word of n characters ends with besides its move: e4!?+/=, e.p., and signs beyond ASCII. */
static size_t mark_bytes(const char *word, size_t n) {
    static const char *const marks[] = {"+/=", "=/+", "+/-", "-/+", "+-", "-+", "=", "!", "?", "+", "e.p.", "ep"};
    if (word[n - 1] & 0x80) return 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !strchr("12345678QRBNO0", word[n - 1]); i++) {
        const size_t length = strlen(marks[i]);
        if (length < n && !memcmp(word + n - length, marks[i], length)) return length;
    }
    return 0;
}

static void cut_marks(char *word) {
    size_t n = strlen(word), bytes = 0;
    while (n > 1 && (bytes = mark_bytes(word, n))) n -= bytes;
    word[n] = '\0';
}

/* Does a text, if it is a pawn's capture, say from where? */
static bool names_file(const Position *p, Move m, const char *text) {
    const int file = file_of(move_from(m));
    return piece_type_at(p, move_from(m)) != PAWN || file == file_of(move_to(m)) || text[*text == 'P'] == 'a' + file;
}

/* The move of a word; its number may stand before it. 0 and *error: there is none. */
static Move read_move(const Position *p, const char *text, TabiaError *error) {
    char word[PGN_WORD_MAX];
    TabiaError cause;
    strcpy(word, text);
    cut_marks(word);
    if (is_null_move(word)) return tabia_fail(error, "'%s' is a null move, which no record holds", word), 0;
    const char *odd = word + strspn(word, "NBRQKPabcdefgh12345678x-=nrqO0+#");
    if (*odd & 0x80) tabia_fail(&cause, "\"%s\": SAN has ASCII characters alone", word);
    if (*odd && !(*odd & 0x80)) tabia_fail(&cause, "\"%s\": SAN has no '%c'", word, *odd);
    const Move m = *odd ? 0 : move_from_text(p, word, &cause);
    const bool is_whole = !m || names_file(p, m, word);
    if (!is_whole) tabia_fail(&cause, "\"%s\": a pawn's capture names its file, as exd5 does", word);
    if (!m || !is_whole) tabia_fail(error, "illegal move: %.300s", cause.text);
    return is_whole ? m : 0;
}

/* Keeps a move, with the evaluation behind it, or else that behind the move before. */
static int take_move(DataDecoder *d, Move m, TabiaError *error) {
    PgnComments comments;
    TabiaError cause;
    const PgnEvaluation *search = &comments.of_search, *analysis = &comments.of_analysis;
    FormatDecoderState *s = &d->state;
    if (s->moves == PGN_PLIES) return bad_game(d, "the game has more than 8192 moves of both sides", error);
    PgnMove *move = &s->move[s->moves++];
    *move = (PgnMove){.offset = d->record_offset - s->game_offset, .score = s->white_score, .move = m};
    if (move->score != DATA_SKIP_SCORE && d->next_position.turn == BLACK) move->score = -move->score;
    position_make_move(&d->next_position, &d->next_position, m);
    if (!pgn_read_annotations(d, PGN_BEHIND_MOVE, &comments, &cause)) return bad_game(d, cause.text, error);
    if (search->found) move->score = search->score;
    s->white_score = analysis->found && analysis->in_range ? analysis->score : DATA_SKIP_SCORE;
    move->beyond_range = (search->found && !search->in_range) || (analysis->found && !analysis->in_range);
    move->line = d->line_number + 1;
    return DATA_READ_OK;
}

static int take_end(DataDecoder *d, int result, const char *word, TabiaError *error) {
    TabiaError cause;
    const int of_tag = d->white_result + 1;
    d->in_game = false;
    if (result == of_tag) return DATA_READ_OK;
    tabia_fail(&cause, "the game ends with '%s', another result than that of its tag, '%s'", word, pgn_results[of_tag]);
    return bad_end(d, d->line_number + 1, cause.text, error);
}

/* A character that is part of no word. */
static int stray_character(DataDecoder *d, TabiaError *error) {
    TabiaError cause;
    const int c = pgn_peek(d);
    if (pgn_begins_game(d)) return bad_game(d, "the game before this tag does not end with its result, as 1-0", error);
    if (c == '(') return bad_game(d, "a variation before the first move", error);
    if (!c) return bad_game(d, "a zero byte among the moves", error);
    tabia_fail(&cause, "'%c' among the moves, which neither comment nor variation explains", c);
    return bad_game(d, cause.text, error);
}

/* A word of the moves. */
static int read_word(DataDecoder *d, TabiaError *error) {
    char word[PGN_WORD_MAX];
    TabiaError cause;
    pgn_read_word(d, word);
    if (!*word) return stray_character(d, error);
    const char *text = is_null_move(word) ? word : behind_number(word);
    if (!*text) return DATA_READ_OK;
    const int result = pgn_result(text);
    if (result >= 0) return take_end(d, result, text, error);
    if (d->state.blank_line)
        return bad_game(
            d, "the moves before a blank line do not end with the result; a blank line may not interrupt the moves",
            error);
    const Move m = read_move(&d->next_position, text, &cause);
    return m ? take_move(d, m, error) : bad_game(d, cause.text, error);
}

/* Reads a game to its end, which leaves in_game unset. */
static int read_game(DataDecoder *d, TabiaError *error) {
    PgnComments comments;
    TabiaError cause;
    int status = begin_game(d, error);
    while (status == DATA_READ_OK && d->in_game) {
        const PgnPlace place = d->state.moves ? PGN_BEHIND_NUMBER : PGN_BEFORE_MOVES;
        d->state.skipped_from = data_input_offset(&d->in);
        if (!pgn_read_annotations(d, place, &comments, &cause)) return bad_game(d, cause.text, error);
        if (comments.of_analysis.found && comments.of_analysis.in_range)
            d->state.white_score = comments.of_analysis.score;
        d->record_offset = data_input_offset(&d->in);
        if (pgn_peek(d) == PGN_END) return end_of_text(d, true, error);
        status = read_word(d, error);
    }
    d->next_position = d->state.start;
    d->next_ply = move_counters_ply(&d->next_position);
    return status;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    while (s->next == s->moves) {
        const int status = read_game(d, error);
        if (status != DATA_READ_OK) return s->next = s->moves, status;
    }
    r->starts_game = !s->next;
    const PgnMove *move = &s->move[s->next++];
    d->record_offset = s->game_offset + move->offset;
    r->position = d->next_position;
    r->move = move->move;
    r->score = move->score;
    r->ply = d->next_ply++;
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    position_make_move(&d->next_position, &d->next_position, r->move);
    if (!move->beyond_range) return DATA_READ_OK;
    return data_bad_record(
        error, "line %" PRIu64 ": the evaluation is beyond 327.67 pawns, or a mate beyond 1000 plies", move->line);
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
    const char *result = pgn_results[data_white_result(r) + 1];
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
    put_word(e, pgn_results[data_white_result(&e->last) + 1]);
    data_buffer_append(&e->bytes, "\n\n", 2);
}

const DataFormat data_format_pgn = {
    .name = "pgn",
    .extensions = "pgn",
    .description = "PGN, the score of each move in the comment after it",
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
    .resync = skip_game,
};
