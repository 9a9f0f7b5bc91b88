/* SPDX-License-Identifier: MIT */
/* What the solver of mates asks about hands, for a game without them (shogi/game_rules.h). */
#pragma once
#include "base/bits.h"
#if __has_include("rules/zobrist.h") /* a game of the tests has its types where it includes this */
#include "rules/zobrist.h"
#endif

enum { GAME_HAS_HANDS = 0, GAME_DROP_GROUPS = 1 };

INLINE uint32_t game_hand(const Position *p, unsigned side) {
    return (void)p, (void)side, 0;
}
INLINE Key game_hands_key(const Zobrist *z, const Position *p) {
    return (void)z, (void)p, (Key){0, 0};
}
INLINE bool game_hand_covers(uint32_t a, uint32_t b) {
    return a >= b;
}
INLINE uint32_t game_hand_max(uint32_t a, uint32_t b) {
    return a | b;
}
INLINE uint32_t game_hand_min(uint32_t a, uint32_t b) {
    return a & b;
}
INLINE uint32_t game_hand_common(uint32_t a, uint32_t b) {
    return a & b;
}
INLINE uint32_t game_hand_before(const Position *p, Move m, uint32_t hand) {
    return (void)p, (void)m, hand;
}
INLINE int game_drop_group(const Position *p, Move m) {
    return (void)p, (void)m, -1;
}
INLINE Move game_promotion_of(const Position *p, Move m) {
    return (void)p, (void)m, 0;
}
INLINE bool game_may_interpose(const Position *p) {
    return (void)p, false;
}
