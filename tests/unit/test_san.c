/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "fen_tools.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <string.h>

/* uci NULL: the text is refused. */
typedef struct {
    const char *fen, *san, *uci;
} Case;

static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
static const char promotion[] = "1n2k3/P7/8/8/8/8/8/4K3 w - -";
static const char ep[] = "4k3/8/8/3pP3/8/8/8/4K3 w - d6";
static const char queens[] = "1k6/8/8/8/4Q2Q/8/K7/7Q w - -";
static const char knights[] = "4k3/8/8/8/8/5N2/8/1N2K3 w - -";

/* Written exactly so, and read. */
static const Case exact[] = {
    {fen_start, "e4", "e2e4"},
    {fen_start, "Nf3", "g1f3"},
    {kiwi, "O-O", "e1g1"},
    {kiwi, "O-O-O", "e1c1"},
    {kiwi, "dxe6", "d5e6"},
    {kiwi, "Qxf6", "f3f6"},
    {kiwi, "Bxa6", "e2a6"},
    {kiwi, "gxh3", "g2h3"},
    {ep, "exd6", "e5d6"},
    {promotion, "a8=Q", "a7a8q"},
    {promotion, "axb8=Q+", "a7b8q"},
    {promotion, "axb8=N", "a7b8n"},
    {knights, "Nbd2", "b1d2"},
    {knights, "Nfd2", "f3d2"},
    {knights, "Nc3", "b1c3"},
    {"4k3/8/8/N7/8/8/8/N3K3 w - -", "N1b3", "a1b3"},
    {"4k3/8/8/N7/8/8/8/N3K3 w - -", "N5b3", "a5b3"},
    {queens, "Qh4e1", "h4e1"},
    {queens, "Qee1", "e4e1"},
    {queens, "Q1e1", "h1e1"},
    {queens, "Qe8+", "e4e8"},
    /* a rival that may not move, being pinned, is no rival */
    {"4k3/4r3/8/8/8/4N3/8/N3K3 w - -", "Nc2", "a1c2"},
    /* marks */
    {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -", "Qh4#", "d8h4"},
    {"6k1/5ppp/8/8/8/8/8/R3K3 w Q -", "Ra8#", "a1a8"},
    {"5k2/8/8/8/8/8/8/4K2R w K -", "O-O+", "e1g1"},
    {"4k3/8/8/3pP3/8/8/8/K3R3 w - d6", "exd6+", "e5d6"},
    /* Chess960 */
    {"4k3/8/8/8/8/8/8/RK6 w A -", "O-O-O", "b1a1"},
    {"4k3/8/8/8/8/8/8/RK6 w A -", "Kc1", "b1c1"},
};

/* Read with goodwill, or not at all. */
static const Case tolerated[] = {
    {fen_start, "Pe4", "e2e4"},
    {fen_start, "e2e4", "e2e4"},
    {fen_start, "e2-e4", "e2e4"},
    {fen_start, "e4+", "e2e4"},
    {fen_start, "Nf3!?", "g1f3"},
    {fen_start, "Nxf3", "g1f3"},
    {fen_start, "Ng1f3", "g1f3"},
    {fen_start, "Ng1-f3", "g1f3"},
    {fen_start, "N1f3", "g1f3"},
    {kiwi, "0-0", "e1g1"},
    {kiwi, "0-0-0", "e1c1"},
    {kiwi, "o-o+", "e1g1"},
    {kiwi, "Qf6", "f3f6"},
    {kiwi, "Q:f6", "f3f6"},
    {kiwi, "de6", "d5e6"},
    {ep, "exd6e.p.", "e5d6"},
    {ep, "ed6ep", "e5d6"},
    {ep, "d6", "e5d6"},
    {promotion, "a8Q", "a7a8q"},
    {promotion, "a8=q", "a7a8q"},
    {promotion, "a8r", "a7a8r"},
    {promotion, "ab8=N", "a7b8n"},
    {promotion, "axb8Q", "a7b8q"},
    {promotion, "axb8=Q#", "a7b8q"},
    {"4k3/8/8/8/8/8/8/1B2K3 w - -", "Bc2", "b1c2"},
    {"4k3/8/8/8/8/2p5/1P6/1B2K3 w - -", "bc3", "b2c3"},
    /* a small letter is no piece */
    {fen_start, "nf3", NULL},
    {fen_start, "Bc2", NULL},
    {promotion, "a8", NULL},
    {promotion, "a8=K", NULL},
    {promotion, "a8=", NULL},
    {fen_start, "e4=Q", NULL},
    {fen_start, "e5", NULL},
    {fen_start, "Nf4", NULL},
    {fen_start, "Nb1f3", NULL},
    {fen_start, "O-O", NULL},
    {fen_start, "", NULL},
    {fen_start, "+", NULL},
    {fen_start, "N", NULL},
    {fen_start, "K#", NULL},
    {fen_start, "e.p.", NULL},
    {fen_start, "xe4", "e2e4"},
    {fen_start, "e4 e5", NULL},
    {fen_start, "Nf3x", NULL},
    {fen_start, "i4", NULL},
    {fen_start, "e9", NULL},
    {kiwi, "O-O-O-O", NULL},
    {kiwi, "OO", NULL},
    {kiwi, "Kg1", NULL},
    {knights, "Nd2", NULL},
    {"4k3/4r3/8/8/8/4N3/8/4K3 w - -", "Nc2", NULL},
};

static void check(const Case *c) {
    const Position p = parsed(c->fen);
    const Move expected = c->uci ? move_from_uci(&p, c->uci) : 0, m = move_from_san(&p, c->san);
    if (c->uci && !expected) fail_msg("%s: %s is not legal", c->fen, c->uci);
    if (m != expected) fail_msg("%s: %s is read as %04x, not %s", c->fen, c->san, m, c->uci ? c->uci : "nothing");
}

static void reads_and_writes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        check(&exact[i]);
        if (!exact[i].uci) continue;
        const Position p = parsed(exact[i].fen);
        char out[SAN_MAX];
        move_to_san(&p, move_from_uci(&p, exact[i].uci), out);
        assert_string_equal(out, exact[i].san);
    }
}

static void reads_with_goodwill(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof tolerated / sizeof *tolerated; i++) check(&tolerated[i]);
}

/* Every legal move is read back as itself, from boards with pieces enough to confuse them. */
static void gives_every_move_back(void **state) {
    (void)state;
    static const char *const starts[] = {
        kiwi,
        "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - -",
        "QQ1QQ3/7k/8/8/7n/K6n/8/n1n1nn2 w - -",
        "RR5B/8/B1B5/7k/2b5/K5b1/5b2/rr4r1 w - -",
        "rr1k1r1r/pp4pp/8/8/8/8/PP4PP/RR1K1R1R w FBfb -",
    };
    const uint64_t seed = 22;
    uint64_t random = seed;
    for (int game = 0; game < 200; game++) {
        Position p = parsed(starts[game % 5]);
        for (int ply = 0; ply < 60; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            for (unsigned i = 0; i < n; i++) {
                char out[SAN_MAX], fen[FEN_MAX];
                memset(out, 'x', sizeof out);
                move_to_san(&p, list[i], out);
                if (move_from_san(&p, out) == list[i]) continue;
                fen_write(&p, FEN_SHREDDER, fen);
                fail_msg("seed %d: %s: %s is read as %04x, not %04x", (int)seed, fen, out, move_from_san(&p, out),
                         list[i]);
            }
            position_make_move(&p, &p, list[random_below(&random, n)]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(reads_with_goodwill),
        cmocka_unit_test(gives_every_move_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
