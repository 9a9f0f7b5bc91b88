/* SPDX-License-Identifier: MIT */
#include "serve/served_game.h"

#include <string.h>

#include "base/memory.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "serve/answer.h"

/* Reads the word at *text, and moves behind it. False: there is none, or it is too long for a move. */
static bool next_word(const char **text, char *word, size_t room) {
    *text += strspn(*text, " ");
    const size_t n = strcspn(*text, " ");
    if (!n || n >= room) return false;
    memcpy(word, *text, n);
    word[n] = '\0';
    *text += n;
    return true;
}

static bool read_moves(ServedGame *game, const char *text, TabiaError *error) {
    char word[SAN_MAX];
    TabiaError cause;
    while (next_word(&text, word, sizeof word)) {
        if (game->n == SERVED_MOVES_MAX)
            return tabia_fail(error, "move %u: at most %d are read", game->n + 1, SERVED_MOVES_MAX);
        const Move m = move_from_text(&game->end, word, &cause);
        if (!m) return tabia_fail(error, "move %u: %s", game->n + 1, cause.text);
        game->moves[game->n++] = m;
        position_make_move(&game->end, &game->end, m);
    }
    return !*text || tabia_fail(error, "move %u: '%.20s' is not a move", game->n + 1, text);
}

bool served_game_read(ServedGame *game, const HttpRequest *request, TabiaError *error) {
    const char *fen = http_argument(request, "fen"), *moves = http_argument(request, "moves");
    if (!fen_parse(&game->start, fen && *fen ? fen : fen_start, error)) return false;
    game->end = game->start;
    game->n = 0;
    return !moves || read_moves(game, moves, error);
}

static void write_fen(Json *j, const Position *p) {
    char fen[FEN_MAX];
    fen_write(p, FEN_STANDARD, fen);
    tabia_json_text(j, "fen", fen);
    tabia_json_boolean(j, "check", in_check(p));
}

/* Where the line begins, and each of its moves with the position after it. */
static void write_line(Json *j, const ServedGame *game) {
    Position p = game->start;
    tabia_json_array(j, "line");
    tabia_json_object(j, NULL);
    write_fen(j, &p);
    tabia_json_close(j);
    for (unsigned i = 0; i < game->n; i++) {
        tabia_json_object(j, NULL);
        answer_move(j, &p, game->moves[i]);
        position_make_move(&p, &p, game->moves[i]);
        write_fen(j, &p);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

static void write_moves(Json *j, const Position *p) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    tabia_json_array(j, "moves");
    for (unsigned i = 0; i < n; i++) {
        tabia_json_object(j, NULL);
        answer_move(j, p, list[i]);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

void served_game_answer(void *unused, HttpRequest *request) {
    (void)unused;
    TabiaError error;
    Answer a;
    ServedGame *game = tabia_aligned_get(_Alignof(ServedGame), sizeof *game);
    if (!game) return http_reply(request, HTTP_UNAVAILABLE, HTTP_JSON, "", 0);
    if (!served_game_read(game, request, &error)) {
        answer_error(request, &error);
    } else if (answer_begin_reply(&a, request)) {
        write_line(&a.json, game);
        write_moves(&a.json, &game->end);
        answer_reply(&a, request);
    }
    tabia_aligned_free(game);
}
