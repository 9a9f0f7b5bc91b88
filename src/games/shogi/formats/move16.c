/* SPDX-License-Identifier: MIT */
#include "formats/move16.h"

#include "notation/move_text.h"

enum { TO_BITS = 7, SQUARE_MASK = 127, BIT_14 = 0x4000, BIT_15 = 0x8000, FIRST_DROP = 1 /* of YaneuraOu's pieces */ };

unsigned move16_encode(Move16Encoding encoding, Move m) {
    const unsigned to = (unsigned)move_to(m), from = (unsigned)move_from(m);
    if (encoding == MOVE16_APERY || !m) return m;
    if (move_is_drop(m) && encoding == MOVE16_YANEURAOU)
        return to | (unsigned)(move_drop_type(m) + FIRST_DROP) << TO_BITS | BIT_14;
    return to | from << TO_BITS | (move_promotes(m) ? BIT_15 : 0);
}

/* In our own bits, which are Apery's; 0 if it has bits that the encoding does not know. */
static Move own_bits(Move16Encoding encoding, unsigned code) {
    const unsigned to = code & SQUARE_MASK, from = code >> TO_BITS & SQUARE_MASK;
    if (encoding == MOVE16_APERY) return (Move)code;
    if (encoding == MOVE16_YANEURAOU && code & BIT_14)
        return code & BIT_15 || from < FIRST_DROP || from > HAND_TYPES || to >= BOARD_SQUARES
                   ? 0
                   : move_encode_drop((PieceType)(from - FIRST_DROP), (int)to);
    if (code & BIT_14 || (encoding == MOVE16_YANEURAOU && from >= BOARD_SQUARES)) return 0;
    return (Move)(to | from << TO_BITS | (code & BIT_15 ? BIT_14 : 0));
}

static bool decode(Move16Encoding encoding, const Position *p, unsigned code, Move *m) {
    *m = own_bits(encoding, code);
    return *m && move_is_legal(p, *m);
}

bool move16_decode(Move16Encoding encoding, const Position *p, unsigned code, Move *m, TabiaError *error) {
    static const char *const names[] = {"YaneuraOu's", "Apery's", "the mixed"};
    if (!code || decode(encoding, p, code, m)) {
        if (!code) *m = 0;
        return true;
    }
    for (Move16Encoding other = MOVE16_YANEURAOU; other < MOVE16_ENCODINGS; other++) {
        char text[UCI_MAX];
        if (!decode(other, p, code, m)) continue;
        move_to_uci(p, *m, false, text);
        return tabia_fail(error, "the move's bits 0x%04x are no legal move in %s encoding; in %s one they are %s", code,
                          names[encoding], names[other], text);
    }
    return tabia_fail(error, "the move's bits 0x%04x are no legal move, in any encoding", code);
}
