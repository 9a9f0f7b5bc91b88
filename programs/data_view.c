/* SPDX-License-Identifier: MIT */
/* tabia data view: records as boards, by their numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "commands.h"
#include "data/cursor.h"
#include "data_commands.h"
#include "json_document.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "options.h"
#include "protocol/engine_protocol.h"

typedef struct {
    DataCommandLine line;
    DataCursor cursor;
    uint64_t number; /* of the record shown last, or that is bad */
    Json json;
} View;

static const char *move_text(const DataRecord *r, char out[UCI_MAX]) {
    strcpy(out, "none");
    if (r->move) move_to_uci(&r->position, r->move, false, out);
    return out;
}

static void show_text(const View *v, const DataRecord *r) {
    static const char *const results[] = {"loses", "draws", "wins"};
    char board[PROTOCOL_BOARD_MAX], fen[FEN_MAX], move[UCI_MAX], score[24];
    engine_protocol_board(&r->position, board);
    fen_write(&r->position, FEN_STANDARD, fen);
    snprintf(score, sizeof score, r->skip ? "none" : "%+" PRId32, r->score);
    printf("record %" PRIu64 ", byte %" PRIu64 "%s\n%s%s\n", v->number, data_reader_record_offset(v->cursor.reader),
           r->starts_game ? ", starts a game" : "", board, fen);
    printf("move %s, score %s, the side to move %s, ply %u%s%s\n\n", move_text(r, move), score, results[r->result + 1],
           r->ply, r->skip ? ", marked to be skipped" : "", r->unused ? ", unused bits are set" : "");
}

static void show_json(View *v, const DataRecord *r) {
    char fen[FEN_MAX], move[UCI_MAX];
    Json *j = &v->json;
    fen_write(&r->position, FEN_STANDARD, fen);
    tabia_json_object(j, NULL);
    tabia_json_count(j, "record", v->number);
    tabia_json_count(j, "byte", data_reader_record_offset(v->cursor.reader));
    tabia_json_text(j, "fen", fen);
    if (r->move) tabia_json_text(j, "move", move_text(r, move));
    if (!r->skip) tabia_json_integer(j, "score", r->score);
    tabia_json_integer(j, "result", r->result);
    tabia_json_count(j, "ply", r->ply);
    tabia_json_boolean(j, "starts_game", r->starts_game);
    tabia_json_boolean(j, "skip", r->skip);
    tabia_json_close(j);
}

/* Shows what was read, or says why it cannot be; its exit status. */
static int show(View *v, DataReadStatus status, const DataRecord *r, const TabiaError *error) {
    TabiaError absent;
    if (tabia_stop_requested()) return EXIT_STOPPED;
    if (status == DATA_READ_OK) {
        if (v->line.report.json)
            show_json(v, r);
        else
            show_text(v, r);
        return EXIT_GOOD;
    }
    if (status == DATA_READ_END)
        tabia_fail(&absent, "%.300s: has %" PRIu64 " records", v->cursor.path,
                   data_reader_record_count(v->cursor.reader));
    return report_error(v->line.command, status == DATA_READ_END ? &absent : error, EXIT_USAGE);
}

static int show_record(View *v, uint64_t number) {
    DataRecord r;
    TabiaError error;
    const DataReadStatus status = data_cursor_read(&v->cursor, number, &r, &error);
    if (status != DATA_READ_END) v->number = number;
    return show(v, status, &r, &error);
}

static int show_records(View *v) {
    const uint64_t first = v->line.selection.record, count = v->line.selection.count;
    int status = EXIT_GOOD;
    for (uint64_t i = 0; i < count && status != EXIT_STOPPED; i++) {
        const int one = show_record(v, first + i);
        if (one > status) status = one;
        if (!v->cursor.reader || data_reader_record_count(v->cursor.reader) < first + i) break;
    }
    return status;
}

static bool parse(View *v, int argc, char **argv, TabiaError *error) {
    DataCommandLine *line = &v->line;
    const DataCommand command = {"data view", ACCEPTS_JSON | ACCEPTS_VIEW, NULL};
    if (!data_line_parse(line, argc, argv, &command, error)) return false;
    if (line->input.count > 1) return tabia_fail(error, "shows one FILE, not %u", line->input.count);
    if (!line->selection.count) line->selection.count = 1;
    v->cursor =
        (DataCursor){.path = line->input.paths[0], .format = line->input.format, .unverified = line->input.unverified};
    return true;
}

int data_view_command(int argc, char **argv) {
    View v = {.number = 0};
    TabiaError error;
    if (!parse(&v, argc, argv, &error)) return report_error(v.line.command, &error, EXIT_USAGE);
    if (v.line.report.json) {
        json_document(&v.json, v.line.command);
        tabia_json_text(&v.json, "file", v.cursor.path);
        tabia_json_array(&v.json, "records");
    }
    const int status = show_records(&v);
    data_cursor_close(&v.cursor);
    if (!v.line.report.json) return status;
    if (status == EXIT_STOPPED) return tabia_json_discard(&v.json), status;
    return tabia_json_end(&v.json, &error) ? status : report_error(v.line.command, &error, EXIT_OUTSIDE);
}
