/* SPDX-License-Identifier: MIT */
#include "bridge.h"

#include <string.h>

static void put_piece(Position *p, int s, char piece) {
    const Bits b = bit(s);
    const char kind = (char)(piece & ~32);
    p->side[piece >= 'a' ? BLACK : WHITE] |= b;
    if (kind == 'P') p->pawn |= b;
    if (kind == 'N') p->knight |= b;
    if (kind == 'B' || kind == 'Q') p->diag |= b;
    if (kind == 'R' || kind == 'Q') p->orth |= b;
    if (kind == 'K') p->king |= b;
}

Position position_from_reference(const ReferenceBoard *b) {
    Position p = {.turn = b->black_to_move ? BLACK : WHITE};
    for (int s = 0; s < 64; s++) {
        if (b->piece[s] != '.') put_piece(&p, s, b->piece[s]);
        if (b->rook_may_castle[s]) p.castle[s >= 56 ? BLACK : WHITE] |= (uint8_t)(1 << (s & 7));
    }
    p.ep = b->passed >= 0 && reference_may_take_en_passant(b) ? (uint8_t)b->passed : 0;
    p.halfmove = (uint16_t)b->halfmove;
    p.fullmove = (uint16_t)b->fullmove;
    return p;
}

ReferenceBoard reference_from_position(const Position *p) {
    static const char letters[] = "PNBRQK.";
    ReferenceBoard b = {.black_to_move = p->turn == BLACK, .passed = p->ep ? p->ep : -1};
    for (int s = 0; s < 64; s++) {
        const char piece = letters[piece_type_at(p, s)];
        b.piece[s] = piece != '.' && p->side[BLACK] & bit(s) ? (char)(piece | 32) : piece;
        b.rook_may_castle[s] = ((castling_rooks(p, WHITE) | castling_rooks(p, BLACK)) & bit(s)) != 0;
    }
    b.halfmove = p->halfmove;
    b.fullmove = p->fullmove;
    return b;
}

void bridge_fen(const Position *p, char fen[REFERENCE_FEN_MAX]) {
    const ReferenceBoard b = reference_from_position(p);
    reference_write(&b, fen);
}

ReferenceMove bridge_move_text(Move m) {
    ReferenceMove t = {{(char)('a' + (move_from(m) & 7)), (char)('1' + (move_from(m) >> 3)),
                        (char)('a' + (move_to(m) & 7)), (char)('1' + (move_to(m) >> 3))}};
    if (move_promotes(m)) t.text[4] = "pnbrq"[move_promotion(m)];
    return t;
}
