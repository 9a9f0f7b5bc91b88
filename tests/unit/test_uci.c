/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "fen_tools.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

enum { E1 = 4, F1 = 5, G1 = 6, H1 = 7, C1 = 2, A1 = 0 };

static void reads(const char *fen, const char *text, Move expected) {
    const Position p = parsed(fen);
    const Move m = move_from_uci(&p, text);
    if (m != expected) fail_msg("%s %s: %04x, not %04x", fen, text, m, expected);
}

static void writes(const char *fen, Move m, const char *usual, const char *chess960) {
    const Position p = parsed(fen);
    char out[UCI_MAX];
    move_to_uci(&p, m, false, out);
    assert_string_equal(out, usual);
    move_to_uci(&p, m, true, out);
    assert_string_equal(out, chess960);
}

static void reads_plain_moves(void **state) {
    reads(fen_start, "e2e4", move_encode(12, 28, DOUBLE_PUSH));
    reads(fen_start, "g1f3", move_encode(6, 21, PLAIN));
    reads("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", move_encode(36, 43, EN_PASSANT));
    reads("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8q", move_encode(48, 56, PROMOTION + QUEEN));
    reads("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8N", move_encode(48, 56, PROMOTION + KNIGHT));
}

static void refuses_what_is_no_legal_move(void **state) {
    static const char *const texts[] = {"",      "e",    "e2",     "e2e",   "e2e5", "e7e5", "e2e4q", "e2e4 ",
                                        "e2e4x", "E2E4", "0000",   "a1a1",  "e1g1", "e1h1", "e2-e4", "e4",
                                        "i2i4",  "e2e9", "e2e4qq", " e2e4", "e1e1", "b1d2", "a1b1",  "e2e4\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) reads(fen_start, texts[i], 0);
    reads("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8", 0);
    reads("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8k", 0);
    reads("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8p", 0);
    reads("4r1k1/8/8/8/8/8/4N3/4K3 w - -", "e2c3", 0);
}

/* The whole puzzle of castling spellings. */
static void castles_by_either_spelling(void **state) {
    const char *usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    reads(usual, "e1g1", move_encode(E1, H1, CASTLING));
    reads(usual, "e1h1", move_encode(E1, H1, CASTLING));
    reads(usual, "e1c1", move_encode(E1, A1, CASTLING));
    reads(usual, "e1a1", move_encode(E1, A1, CASTLING));
    reads(usual, "e1b1", 0);
    reads("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8c8", move_encode(60, 56, CASTLING));
    writes(usual, move_encode(E1, H1, CASTLING), "e1g1", "e1h1");
    writes(usual, move_encode(E1, A1, CASTLING), "e1c1", "e1a1");

    /* king on f1: to g1 is a step, with the rook on h1 or on g1 it castles */
    reads("4k3/8/8/8/8/8/8/5K1R w H -", "f1g1", move_encode(F1, G1, PLAIN));
    reads("4k3/8/8/8/8/8/8/5K1R w H -", "f1h1", move_encode(F1, H1, CASTLING));
    writes("4k3/8/8/8/8/8/8/5K1R w H -", move_encode(F1, H1, CASTLING), "f1h1", "f1h1");
    reads("4k3/8/8/8/8/8/8/5KR1 w G -", "f1g1", move_encode(F1, G1, CASTLING));
    writes("4k3/8/8/8/8/8/8/5KR1 w G -", move_encode(F1, G1, CASTLING), "f1g1", "f1g1");

    /* king on g1 already, and one that goes to c1 by leaping over its rook */
    reads("4k3/8/8/8/8/8/8/6KR w H -", "g1g1", move_encode(G1, H1, CASTLING));
    reads("4k3/8/8/8/8/8/8/6KR w H -", "g1h1", move_encode(G1, H1, CASTLING));
    writes("4k3/8/8/8/8/8/8/6KR w H -", move_encode(G1, H1, CASTLING), "g1h1", "g1h1");
    reads("4k3/8/8/8/8/8/8/RK6 w A -", "b1c1", move_encode(1, C1, PLAIN));
    reads("4k3/8/8/8/8/8/8/RK6 w A -", "b1a1", move_encode(1, A1, CASTLING));

    /* king on e1, rook not in the corner: the king's way is read, not written */
    reads("4k3/8/8/8/8/8/8/4K1R1 w G -", "e1g1", move_encode(E1, G1, CASTLING));
    reads("4k3/8/8/8/8/8/8/1R2K3 w B -", "e1c1", move_encode(E1, 1, CASTLING));
    writes("4k3/8/8/8/8/8/8/1R2K3 w B -", move_encode(E1, 1, CASTLING), "e1b1", "e1b1");
}

static void writes_promotions(void **state) {
    const char *fen = "1n2k3/P7/8/8/8/8/8/4K3 w - -";
    writes(fen, move_encode(48, 56, PROMOTION + QUEEN), "a7a8q", "a7a8q");
    writes(fen, move_encode(48, 57, PROMOTION + KNIGHT), "a7b8n", "a7b8n");
    writes(fen, move_encode(48, 57, PROMOTION + ROOK), "a7b8r", "a7b8r");
    writes(fen, move_encode(48, 57, PROMOTION + BISHOP), "a7b8b", "a7b8b");
}

/* A Chess960 board of either side, set up at random, opened so that castling is soon possible. */
static void strew_back_ranks(uint64_t *random, char fen[FEN_MAX]) {
    char rank[2][9];
    for (int c = 0; c < 2; c++) {
        memset(rank[c], '1', 8);
        rank[c][8] = '\0';
        const unsigned king = 1 + random_below(random, 6);
        rank[c][king] = c ? 'k' : 'K';
        rank[c][random_below(random, king)] = c ? 'r' : 'R';
        rank[c][king + 1 + random_below(random, 7 - king)] = c ? 'r' : 'R';
        rank[c][strchr(rank[c], '1') - rank[c]] = c ? 'n' : 'N';
        rank[c][strrchr(rank[c], '1') - rank[c]] = c ? 'b' : 'B';
    }
    snprintf(fen, FEN_MAX, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq -", rank[1], rank[0]);
}

/* What is written is read back as the same move, in every position of random games of Chess960. */
static void gives_every_move_back(void **state) {
    const uint64_t seed = 21;
    uint64_t random = seed;
    unsigned castlings = 0;
    for (int game = 0; game < 300; game++) {
        char fen[FEN_MAX], out[UCI_MAX];
        strew_back_ranks(&random, fen);
        Position p = parsed(fen);
        for (int ply = 0; ply < 120; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            for (unsigned i = 0; i < n; i++) {
                castlings += move_flag(list[i]) == CASTLING;
                for (int chess960 = 0; chess960 < 2; chess960++) {
                    move_to_uci(&p, list[i], chess960, out);
                    if (move_from_uci(&p, out) == list[i]) continue;
                    fen_write(&p, FEN_SHREDDER, fen);
                    fail_msg("seed %d: %s: %s is read as %04x", (int)seed, fen, out, move_from_uci(&p, out));
                }
            }
            position_make_move(&p, &p, list[random_below(&random, n)]);
        }
    }
    assert_true(castlings > 1000);
}

#include "test_uci_list.h"
