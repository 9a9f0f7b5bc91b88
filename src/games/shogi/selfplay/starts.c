/* SPDX-License-Identifier: MIT */
#include "selfplay/starts.h"

#include <assert.h>
#include <stddef.h>

#include "base/random.h"
#include "notation/fen.h"

/* What the giver, white, leaves out: lance, bishop, rook, rook and lance, two, four, six, eight pieces. White moves
   first. */
static const char *const handicaps[] = {
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
};
enum { HANDICAPS_N = sizeof handicaps / sizeof *handicaps };

uint64_t start_count(StartPosition start) {
    return start == START_standard ? 1 : HANDICAPS_N;
}

void start_draw(StartPosition start, uint64_t *random, Position *p) {
    const char *sfen = start == START_standard ? fen_start : handicaps[random_below(random, HANDICAPS_N)];
    const bool good = fen_parse(p, sfen, NULL);
    assert(good);
    (void)good;
}
