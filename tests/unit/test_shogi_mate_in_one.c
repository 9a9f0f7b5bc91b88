/* SPDX-License-Identifier: MIT */
/* Mates in one: what is found mates, in random games too; and what is looked for is found. */
#include "unit.h"

#include "base/random.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/mate_in_one.h"

static void is_mate(const Position *p, Move m) {
    Position after;
    assert_true(move_is_legal(p, m));
    position_make_move(&after, p, m);
    assert_true(in_check(&after));
    assert_int_equal(moves_count(&after), 0);
}

static void finds(const char *sfen, const char *move) {
    Position p;
    assert_true(fen_parse(&p, sfen, NULL));
    const Move m = mate_in_one(&p);
    assert_int_equal(m, move ? move_from_uci(&p, move) : 0);
    if (!m) return;
    is_mate(&p, m);
    const Position turned = position_flipped(&p);
    is_mate(&turned, mate_in_one(&turned));
}

static void looked_for(void **state) {
    finds("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
    finds("3gkg3/9/4P4/9/9/9/9/9/4K4 b G 1", NULL);    /* both golds defend the square */
    finds("4k4/9/4P4/9/9/9/9/9/4K4 b P 1", NULL);      /* a pawn dropped may not mate, and this one does not */
    finds("7nk/7np/9/9/9/9/9/9/4K4 b N 1", "N*2c");    /* smothered */
    finds("7nk/6gnp/9/9/9/9/9/9/4K4 b N 1", NULL);     /* the gold takes the knight */
    finds("8k/6G1p/7P1/9/9/9/9/9/4K4 b - 1", "2c2b+"); /* nothing to drop */
    finds("8k/8p/7S1/7L1/9/9/9/9/4K4 b - 1", "2c2b+");
    finds("8k/9/9/9/9/9/9/9/4K4 b RBGSNL 1", NULL); /* nothing stands behind */
    finds("9/9/9/9/9/9/9/9/4K4 b RBGSNL 1", NULL);  /* nobody to mate */
}

/* A random game; the number of mates that were found in it. */
static unsigned play(uint64_t *random) {
    Position p;
    unsigned found = 0;
    fen_parse(&p, fen_start, NULL);
    for (int ply = 0; ply < 300; ply++) {
        Move list[MOVES_MAX];
        const unsigned n = moves_list(&p, list);
        if (!n) break;
        const Move mate = in_check(&p) ? 0 : mate_in_one(&p);
        if (mate) is_mate(&p, mate), found++;
        Move m = list[random_below(random, n)];
        if (moves_list_captures(&p, list) && random_below(random, 2)) m = list[0];
        position_make_move(&p, &p, m);
    }
    return found;
}

static void mates_in_random_games(void **state) {
    uint64_t random = 1;
    unsigned found = 0;
    for (int game = 0; game < 300; game++) found += play(&random);
    assert_true(found > 100);
}

#include "test_shogi_mate_in_one_list.h"
