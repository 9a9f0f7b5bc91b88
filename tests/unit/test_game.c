/* SPDX-License-Identifier: MIT */
/* What the search asks of a game, of either (game_cases.h). That its two lists are all moves: tests/fuzz/rules.c. */
#include "fen_tools.h"

#include "notation/move_text.h"
#include "random_games.h"

#include "game_cases.h"

/* What the other side may capture at once, it attacks. */
static void check_threats(const Position *p, Threats threats) {
    Position passed;
    Move list[MOVES_MAX];
    game_make_null_move(&passed, p);
    for (unsigned i = game_captures(&passed, list); i--;)
        if (game_captured(&passed, list[i]) != NO_PIECE_TYPE) assert_true(threats >> game_target(list[i]) & 1);
}

/* What is asked of one move says which list it is in. Chess: a capture that promotes to less than a queen is in the second,
   but not quiet. */
static void check_questions(void *context, const Position *p, Key key) {
    Move list[MOVES_MAX];
    const Threats threats = game_threats(p);
    unsigned *found = context;
    (void)key;
    const unsigned captures = game_captures(p, list), n = captures + game_quiets(p, list + captures);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(game_is_capture(p, list[i]), i < captures);
        if (i < captures) assert_false(game_is_quiet(p, list[i]));
        if (!game_is_quiet(p, list[i])) assert_true(i < captures || game_captured(p, list[i]) != NO_PIECE_TYPE);
        assert_in_range(game_piece(p, list[i]), 0, GAME_PIECES - 1);
        assert_in_range(game_from_to(list[i], threats), 0, GAME_FROM_TO - 1);
        assert_int_equal(game_from_to(list[i], 0), game_from_to(list[i], threats) % (GAME_FROM_TO / 4));
        assert_int_equal(game_from_to(list[i], threats) / (GAME_FROM_TO / 2), threats >> game_target(list[i]) & 1);
    }
    if (!game_in_check(p)) check_threats(p, threats);
    found[0] += captures, found[1] += n - captures;
}

static void moves_say_what_they_are(void **state) {
    Zobrist z;
    unsigned found[2] = {0};
    zobrist_init(&z, 1);
    random_games(check_questions, found, &z);
    assert_true(found[0] > 10000 && found[1] > found[0]);
}

/* Neither half of a key follows from the other, nor does what moves change in them. */
static void check_halves(void *context, const Position *p, Key key) {
    uint64_t *before = context;
    (void)p;
    assert_int_not_equal(key[0], key[1]);
    if (key[0] != before[0] || key[1] != before[1]) assert_int_not_equal(key[0] ^ before[0], key[1] ^ before[1]);
    before[0] = key[0], before[1] = key[1];
}

static void keys_have_two_halves(void **state) {
    Zobrist z;
    uint64_t before[2] = {0};
    zobrist_init(&z, 1);
    random_games(check_halves, before, &z);
}

static void exchanges_gain_so_much(void **state) {
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
        const Exchange *c = &exchanges[i];
        const Position p = parsed(c->fen);
        const Move m = move_from_uci(&p, c->move);
        if (!m) fail_msg("%s: %s is not legal", c->fen, c->move);
        if (!see_at_least(&p, m, c->value) || see_at_least(&p, m, c->value + 1))
            fail_msg("%s: %s does not gain %d", c->fen, c->move, c->value);
    }
}

#include "test_game_list.h"
