/* SPDX-License-Identifier: MIT */
/* What the search asks of chess, against plain answers, on the positions of random games. */
#include "unit.h"

#include "notation/move_text.h"
#include "random_games.h"

static bool contains(const Move *list, unsigned n, Move m) {
    while (n--)
        if (list[n] == m) return true;
    return false;
}

static void check_captures(void *context, const Position *p, Key key) {
    (void)key, (void)context;
    Move all[MOVES_MAX], captures[MOVES_MAX];
    const unsigned n = game_moves(p, all), c = game_captures(p, captures);
    unsigned wanted = 0;
    for (unsigned i = 0; i < n; i++) {
        const bool queens = move_flag(all[i]) == PROMOTION + QUEEN;
        const bool want = queens || (game_captured(p, all[i]) != NO_PIECE_TYPE && !move_promotes(all[i]));
        wanted += want;
        assert_int_equal(contains(captures, c, all[i]), want);
    }
    assert_int_equal(c, wanted);
}

static void captures_are_the_capturing_moves(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    random_games(check_captures, NULL, &z);
}

/* Exchanges, worked out by hand. */
static void exchanges(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
        int value;
    } cases[] = {
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100},
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220},
        {"4k3/8/3p4/4r3/8/8/8/4QK2 w - - 0 1", "e1e5", -450},
        {"4k3/8/8/4r3/8/8/8/4QK2 w - - 0 1", "e1e5", 500},
        {"4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -220},
        {"4k3/8/2n5/4p3/3P4/5N2/8/4K3 w - - 0 1", "d4e5", 100},
        {"8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", 850},
        {"1r6/P7/8/8/8/8/k7/4K3 w - - 0 1", "a7a8q", -100},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position p;
        assert_true(fen_parse(&p, cases[i].fen, NULL));
        Move list[MOVES_MAX], m = 0;
        for (unsigned n = game_moves(&p, list); n--;) {
            char text[6];
            move_to_uci(&p, list[n], false, text);
            if (!strcmp(text, cases[i].move)) m = list[n];
        }
        assert_true(m);
        assert_true(see_at_least(&p, m, cases[i].value));
        assert_false(see_at_least(&p, m, cases[i].value + 1));
    }
}

/* A move that leads from p to q is known as upcoming wherever it can be taken back. */
typedef struct {
    const Zobrist *z;
    CuckooTable *u;
} Both;

static void check_upcoming(void *context, const Position *p, Key key) {
    const Both *both = context;
    Move list[MOVES_MAX];
    for (unsigned n = game_moves(p, list); n--;) {
        const Key after = game_key_after(both->z, p, key, list[n]);
        Position q;
        position_make_move(&q, p, list[n]);
        const bool takes_back = q.halfmove && move_flag(list[n]) == PLAIN && p->castle[0] == q.castle[0] &&
                                p->castle[1] == q.castle[1] && !p->ep;
        assert_int_equal(cuckoo_finds_move(both->u, p, key[1] ^ after[1]), takes_back);
    }
}

static void upcoming_moves_are_known(void **state) {
    (void)state;
    Zobrist z;
    CuckooTable *u = malloc(sizeof *u);
    zobrist_init(&z, 7);
    cuckoo_init(u, &z);
    Both both = {&z, u};
    random_games(check_upcoming, &both, &z);
    free(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_are_the_capturing_moves),
        cmocka_unit_test(exchanges),
        cmocka_unit_test(upcoming_moves_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
