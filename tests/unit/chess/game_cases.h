/* SPDX-License-Identifier: MIT */
/* The cases of test_game.c: chess. */
#pragma once
#include "unit/game_types.h"

static const Exchange exchanges[] = {
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
