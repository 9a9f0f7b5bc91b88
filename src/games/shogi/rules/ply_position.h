/* SPDX-License-Identifier: MIT */
/* A position as plies of many positions keep it. */
#pragma once
#include <string.h>

#include "make_move.h"
#include "packed_position.h"

typedef PackedPosition PlyPosition;

INLINE bool ply_position_same(const PlyPosition *a, const PlyPosition *b) {
    return !memcmp(a, b, sizeof *a);
}
INLINE PlyPosition position_for_ply(const Position *p) {
    return position_pack(p);
}
INLINE Position position_of_ply(const PlyPosition *w, Colour turn) {
    (void)turn;
    return position_unpack(w);
}

/* Shogi has one definition of the same position. */
enum { EP_LEGAL = 1, EP_READY = 0, EP_ANY = 0, EP_DEFINITIONS = 1 };

typedef struct {
    Key key;
    unsigned by; /* definitions */
} KeyByDefinition;

INLINE unsigned keys_by_definition(const Zobrist *z, const Position *p, Key before, Colour us, UnpackedMove m,
                                   KeyByDefinition *to) {
    *to = (KeyByDefinition){key_after(z, p, before, us, m), EP_LEGAL};
    return 1;
}
