/* SPDX-License-Identifier: MIT */
/* Perft of shogi on many ranks over a simulated network: positions go over the wire and come back, counts are exact. */
#include "distributed_run.h"

#include "base/random.h"
#include "perft/frontier.h"
#include "rules/movegen.h"
#include "rules/owner_key.h"
#include "rules/packed_position.h"

#define MATSURI "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"

static void counts_are_exact(void **state) {
    const SimulatedNetworkOptions two = {.ranks = 2, .seed = 1, .delay = 20e-6};
    exact((PerftCase){fen_start, 0, 1, .net = two});
    exact((PerftCase){fen_start, 5, 19861490, .net = two});
    exact((PerftCase){fen_start, 5, 19861490, .net = {.ranks = 3, .seed = 2, .delay = 200e-6}});
    exact((PerftCase){MATSURI, 4, 516925165, .net = two});
}

static void positions_come_back(void **state) {
    uint64_t seed = 1;
    for (unsigned game = 0; game < 100; game++) {
        Position p;
        assert_true(fen_parse(&p, game % 2 ? MATSURI : fen_start, NULL));
        for (unsigned ply = 0; ply < 100; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            const Move m = list[random_below(&seed, n)];
            const OwnerKey after = owner_key_after(&p, (Colour)p.turn, position_unpack_move(&p, m));
            position_make_move(&p, &p, m);
            const PackedPosition packed = position_pack(&p);
            const Position back = position_unpack(&packed);
            assert_true(position_same(&p, &back));
            const OwnerKey found = owner_key_of(&p, (Colour)!p.turn);
            for (unsigned level = 0; level < OWNER_LEVELS; level++)
                assert_true(owner_key_value(after, level) == owner_key_value(found, level));
        }
    }
}

/* Black's king, and its gold `distance` ranks from its last one, on file 1 or 2. */
static uint64_t value_of(int distance, int file, unsigned level) {
    char sfen[80];
    Position p;
    snprintf(sfen, sizeof sfen, "4k4/");
    for (int rank = 7; rank >= 0; rank--)
        snprintf(sfen + strlen(sfen), sizeof sfen - strlen(sfen), "%s%s%s", rank ? "" : "4K",
                 rank != distance ? (rank ? "9" : "4")
                 : file == 1      ? (rank ? "8G" : "3G")
                                  : (rank ? "7G1" : "2G1"),
                 rank ? "/" : " w - 1");
    if (!fen_parse(&p, sfen, NULL)) fail_msg("%s", sfen);
    return owner_key_value(owner_key_of(&p, BLACK), level);
}

/* Level 0 looks at the last rank, 1 at the last two, ..., the last level at all. */
static void levels_look_at_more_and_more_ranks(void **state) {
    for (unsigned level = 0; level < OWNER_LEVELS; level++)
        for (int distance = 0; distance < 8; distance++) {
            const bool seen = distance <= (int)level || level + 1 == OWNER_LEVELS;
            assert_int_equal(value_of(distance, 1, level) != value_of(distance, 2, level), seen);
        }
}

#include "test_shogi_distributed_perft_list.h"
