/* SPDX-License-Identifier: MIT */
/*
 * Positions and moves as text, of either game (notation_cases.h): what is read and written, what is said of the rest, and
 * what of other programs' lines is understood.
 */
#include "fen_tools.h"

#include "base/random.h"
#include "notation/fen_fields.h"
#include "notation/move_text.h"
#include "notation/protocol.h"
#include "rules/movegen.h"

#include "notation_cases.h"

#define EACH_CASE(type, c, table) for (const type *c = table; c < table + sizeof table / sizeof *table; c++)

/* ---- positions ---- */

static void positions_are_read_and_written(void **state) {
    EACH_CASE(WrittenPosition, w, written_positions) {
        const char *standard = w->standard ? w->standard : w->text;
        const Position p = parsed(w->text);
        char out[FEN_MAX];
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, standard);
        fen_write(&p, FEN_SHREDDER, out);
        assert_string_equal(out, w->shredder ? w->shredder : standard);
    }
}

static void faults_of_positions_are_named(void **state) {
    EACH_CASE(RefusedPosition, r, refused_positions) {
        char place[80], number[24] = "";
        Position p;
        memset(&p, 0x55, sizeof p);
        const Position before = p;
        TabiaError error = {0};
        if (fen_parse(&p, r->text, &error)) fail_msg("accepted: %s", r->text);
        assert_memory_equal(&p, &before, sizeof p);
        snprintf(place, sizeof place, "%s field %d (", protocol_words.position_title, r->field);
        if (r->character) snprintf(number, sizeof number, "character %d: ", r->character);
        if (strncmp(error.text, place, strlen(place)) || !strstr(error.text, number) || !strstr(error.text, r->reason))
            fail_msg("%s\n  %s\n  expected %s...), %s%s", r->text, error.text, place, number, r->reason);
        assert_false(fen_parse(&p, r->text, NULL));
    }
}

static void operations_follow_a_position(void **state) {
    EACH_CASE(EpdLine, epd, epd_lines) {
        Position p;
        char out[FEN_MAX];
        const char *rest = NULL;
        if (fen_parse_epd(&p, epd->text, &rest, NULL) != (epd->fen != NULL)) fail_msg("%s", epd->text);
        if (!epd->fen) {
            assert_null(rest);
            continue;
        }
        assert_string_equal(rest, epd->rest);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, epd->fen);
    }
}

/* ---- moves ---- */

static void check_read(const MoveText *c) {
    const Position p = parsed(c->fen);
    const Move expected = c->uci ? move_from_uci(&p, c->uci) : 0, m = move_from_san(&p, c->san);
    if (c->uci && !expected) fail_msg("%s: %s is not legal", c->fen, c->uci);
    if (m != expected) fail_msg("%s: %s is read as %04x, not %s", c->fen, c->san, m, c->uci ? c->uci : "nothing");
}

static void moves_are_read_and_written(void **state) {
    EACH_CASE(MoveText, c, written_moves) {
        const Position p = parsed(c->fen);
        const Move m = move_from_uci(&p, c->uci);
        char san[SAN_MAX], uci[UCI_MAX];
        check_read(c);
        move_to_san(&p, m, san), move_to_uci(&p, m, true, uci);
        assert_string_equal(san, c->san);
        assert_int_equal(move_from_uci(&p, uci), m);
        assert_int_equal(move_from_text(&p, san, NULL), m);
    }
    EACH_CASE(MoveText, c, read_moves)
    check_read(c);
}

static void lists_of_moves_are_played(void **state) {
    EACH_CASE(PlayedMoves, c, played_moves) {
        Position p = parsed(c->fen);
        TabiaError error;
        char out[FEN_MAX];
        if (!position_make_moves(&p, c->moves, &error)) fail_msg("%s: %s", c->moves, error.text);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, c->after);
    }
}

static void faults_of_moves_are_named(void **state) {
    EACH_CASE(RefusedMoves, c, refused_moves) {
        Position p = parsed(c->fen);
        const Position before = p;
        TabiaError error = {0};
        if (position_make_moves(&p, c->moves, &error)) fail_msg("accepted: %s", c->moves);
        if (c->error && !strstr(error.text, c->error)) fail_msg("%s: %s", c->moves, error.text);
        assert_memory_equal(&p, &before, sizeof p);
        assert_false(position_make_moves(&p, c->moves, NULL));
    }
}

/* Every position of random games in both styles, and every legal move there in both notations, give themselves back. */
static void texts_give_everything_back(void **state) {
    enum { GAMES = 100, PLIES = 100, STARTS = sizeof starts / sizeof *starts };
    uint64_t random = 20;
    for (int game = 0; game < GAMES; game++) {
        Position p = parsed(starts[game % STARTS]);
        for (int ply = 0; ply < PLIES; ply++) {
            Move list[MOVES_MAX];
            char fen[FEN_MAX], again[FEN_MAX], san[SAN_MAX], uci[UCI_MAX];
            for (int style = FEN_STANDARD; style <= FEN_SHREDDER; style++) {
                fen_write(&p, (FenStyle)style, fen);
                const Position q = parsed(fen);
                fen_write(&q, (FenStyle)style, again);
                if (!position_same(&p, &q) || strcmp(fen, again)) fail_msg("game %d: %s", game, fen);
            }
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            for (unsigned i = 0; i < n; i++) {
                memset(san, 'x', sizeof san);
                move_to_san(&p, list[i], san), move_to_uci(&p, list[i], true, uci);
                if (move_from_san(&p, san) != list[i] || move_from_uci(&p, uci) != list[i])
                    fail_msg("%s: %s, %s, not %04x", fen, san, uci, list[i]);
            }
            position_make_move(&p, &p, list[random_below(&random, n)]);
        }
    }
}

/* ---- other programs ---- */

static void illegal_moves_are_explained(void **state) {
    EACH_CASE(IllegalMove, c, illegal_moves) {
        const Position p = parsed(c->fen);
        char san[ILLEGAL_SAN_MAX], why[ILLEGAL_WHY_MAX];
        illegal_move(&p, c->uci, san, why);
        assert_string_equal(san, c->san);
        if (!strstr(why, c->why)) fail_msg("%s, %s: %s", c->fen, c->uci, why);
    }
}

static void moves_are_found_in_lines(void **state) {
    EACH_CASE(OtherLine, c, move_lines) {
        char move[UCI_MAX];
        const char *rest = protocol_read_move(c->text, move);
        if (!rest != !c->found) fail_msg("%s", c->text);
        if (!rest) continue;
        assert_string_equal(move, c->found);
        assert_string_equal(rest, c->rest);
    }
}

static void fields_are_kept(void **state) {
    char long_text[400], out[FEN_GIVEN_MAX];
    EACH_CASE(OtherLine, c, field_lines) {
        const char *rest;
        fen_copy_fields(c->text, out, &rest);
        assert_string_equal(rest, c->rest);
        assert_true(fen_normalize(c->text, out) == (c->found != NULL));
        if (c->found) assert_string_equal(out, c->found);
    }
    memset(long_text, 'p', sizeof long_text);
    memcpy(long_text + sizeof long_text - 5, " b -", 5);
    assert_false(fen_normalize(long_text, out));
}

#include "test_notation_list.h"
