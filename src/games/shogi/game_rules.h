/* SPDX-License-Identifier: MIT */
/* What a search may know of shogi alone; game.h has the rest. */
#pragma once
#include "eval/evaluate.h"
#include "eval/see.h"
#include "path.h"
#include "rules/declaration.h"
#include "rules/gives_check.h"
#include "rules/mate_in_one.h"
#include "rules/movegen.h"

enum {
    GAME_PIECE_KINDS = 10,              /* that move differently: see game_piece_kind */
    GAME_PIECES = 2 * GAME_PIECE_KINDS, /* by side and kind, for histories */
    GAME_SQUARES = BOARD_SQUARES,       /* targets of moves */
    GAME_PIECE_TYPES = DRAGON + 1,      /* that can be captured */
    GAME_FROM_TO = 1 << 16,             /* values of game_from_to */
    GAME_LOOKS_FOR_MATE_IN_ONE = 1,     /* where the table knows nothing of a position */
};

INLINE Key game_key_after(const Zobrist *z, const Position *p, Key key, Move m) {
    return key_after_move(z, p, key, (Colour)p->turn, m);
}
INLINE Key game_key_after_null_move(const Zobrist *z, const Position *p, Key key) {
    (void)p;
    return key ^ z->white_to_move;
}

/* ---- how the rules end a game ---- */

/* No rule counts plies to a draw; a limit on the length of a game is its organizer's. */
INLINE int game_plies_to_draw(const Position *p) {
    (void)p;
    return INT16_MAX;
}
INLINE bool game_is_near_draw(const Position *p) {
    (void)p;
    return false;
}
/* A side without a legal move loses, in check or not. */
INLINE bool game_no_move_loses(const Position *p) {
    (void)p;
    return true;
}
INLINE int game_plies_left(const Position *p) {
    (void)p;
    return INT16_MAX;
}
INLINE int game_must_mate(const Position *p) {
    (void)p;
    return 0;
}
INLINE bool game_is_too_late_to_mate(const Position *p) {
    (void)p;
    return false;
}
/* May the side to move end the game as won by saying so? */
INLINE bool game_may_declare_win(const Position *p) {
    return declaration_wins(p);
}
/* A move that mates at once, of a side that is not in check; 0: none is found. */
INLINE Move game_mate_in_one(const Position *p) {
    return mate_in_one(p);
}
INLINE bool game_is_dead_draw(const Position *p) {
    (void)p;
    return false;
}

/* ---- moves ---- */

/* What moves as gold does is one kind; a piece that is dropped is of the kind that it will be. */
INLINE int game_piece_kind(PieceType type) {
    return type <= KING ? (int)type : type >= HORSE ? (int)type - HORSE + KING + 1 : GOLD;
}
INLINE PieceType game_moving_type(const Position *p, Move m) {
    return move_is_drop(m) ? move_drop_type(m) : piece_type_at_branchless(p, move_from(m));
}
/* The piece that moves, as colour and kind, and the type that is captured (NO_PIECE_TYPE: none). */
INLINE int game_piece(const Position *p, Move m) {
    return p->turn * GAME_PIECE_KINDS + game_piece_kind(game_moving_type(p, m));
}
INLINE PieceType game_captured(const Position *p, Move m) {
    return move_is_drop(m) ? NO_PIECE_TYPE : piece_type_at_branchless(p, move_to(m));
}
/* Composers do not count an interposition that changes nothing of a mate. */
enum { GAME_LEAVES_OUT_INTERPOSITIONS = 1 };
/* Does a legal move put a piece between its king and the slider that checks it? 2: from the hand. */
INLINE int game_interposes(const Position *p, Move m) {
    const int king = p->king[p->turn];
    if (king == NO_SQUARE || (!move_is_drop(m) && move_from(m) == king)) return 0;
    const Squares checkers = attackers(p, (Colour)!p->turn, king, occupied(p));
    return !checkers || has_square(checkers, move_to(m)) ? 0 : 1 + move_is_drop(m);
}
/* The slider captures the piece that was put on that square, which returns to its side's hand: *n is then as before, but
   for where the slider stands. The capture; 0: it is not legal. */
INLINE Move game_undo_interposition(const Position *p, int square, Position *n) {
    const Colour us = (Colour)p->turn;
    const PieceType type = piece_type_unpromoted(piece_type_at(p, square));
    Squares sliders = attackers(p, us, square, occupied(p));
    while (sliders && !has_square(squares_between[p->king[!us]][first_square(sliders)], square))
        sliders ^= square_bit(first_square(sliders));
    const Move capture = sliders ? move_encode(first_square(sliders), square, 0) : 0;
    if (!capture || !move_is_legal(p, capture)) return 0;
    make_move(n, p, us, capture);
    n->hand[us] -= hand_one(type), n->hand[!us] += hand_one(type);
    return capture;
}
/* ---- hands: with more in hand, a side that gives check with every move mates where it does so with less ---- */

enum { GAME_HAS_HANDS = 1 };
INLINE uint32_t game_hand(const Position *p, unsigned side) {
    return p->hand[side];
}
/* What a key has of the hands. */
INLINE Key game_hands_key(const Zobrist *z, const Position *p) {
    return zobrist_hands(z, p);
}
INLINE bool game_hand_covers(uint32_t a, uint32_t b) {
    return hand_covers(a, b);
}
/* Of each type the larger number, or the smaller. */
INLINE uint32_t game_hand_max(uint32_t a, uint32_t b) {
    return hand_max(a, b);
}
INLINE uint32_t game_hand_min(uint32_t a, uint32_t b) {
    return a + b - hand_max(a, b);
}
/* What is in `hand` of the types that `other` has, too. */
INLINE uint32_t game_hand_common(uint32_t hand, uint32_t other) {
    return hand & hand_types(other);
}
/* The hand of the side to move before a move, which is `hand` behind it. */
INLINE uint32_t game_hand_before(const Position *p, Move m, uint32_t hand) {
    if (move_is_drop(m)) return hand + hand_one(move_drop_type(m));
    const PieceType captured = game_captured(p, m);
    if (captured == NO_PIECE_TYPE) return hand;
    const uint32_t one = hand_one(piece_type_unpromoted(captured));
    return hand_covers(hand, one) ? hand - one : hand;
}
/* Drops of a group differ little: those on a square, and all on squares that no piece of the side attacks. -1: no drop. */
enum { GAME_DROP_GROUPS = NO_SQUARE + 1 };
INLINE int game_drop_group(const Position *p, Move m) {
    if (!move_is_drop(m)) return -1;
    return attackers(p, (Colour)p->turn, move_to(m), occupied(p)) ? move_to(m) : NO_SQUARE;
}
/* The same move with a promotion by which a pawn, bishop or rook loses no power; 0: there is none. */
INLINE Move game_promotion_of(const Position *p, Move m) {
    if (move_is_drop(m) || move_promotes(m)) return 0;
    const PieceType type = piece_type_at(p, move_from(m));
    return type == PAWN || type == BISHOP || type == ROOK ? move_encode(move_from(m), move_to(m), 1) : 0;
}
/* Might the side to move, which is in check, drop a piece to answer it? */
INLINE bool game_may_interpose(const Position *p) {
    const int king = p->king[p->turn];
    const Squares checkers = attackers(p, (Colour)!p->turn, king, occupied(p));
    return !checkers || squares_between[king][first_square(checkers)] != checkers;
}
/* What game_threats returns: a set of squares. */
typedef Squares Threats;
/* Origin, or what is dropped, and destination in 14 bits, and above them whether each of them is attacked. */
INLINE unsigned game_from_to(Move m, Threats t) {
    const unsigned from = !move_is_drop(m) && has_square(t, move_from(m)), to = has_square(t, move_to(m));
    return (m & 0x3fff) | from << 14 | to << 15;
}
/* Is a legal move one of game_captures? */
INLINE bool game_is_capture(const Position *p, Move m) {
    return move_promotes(m) || has_square(p->side[!p->turn], move_to(m));
}
/* Neither a capture nor a promotion. */
INLINE bool game_is_quiet(const Position *p, Move m) {
    return !game_is_capture(p, m);
}
INLINE int game_capture_value(const Position *p, Move m) {
    return exchange_value(game_captured(p, m)) +
           (move_promotes(m) ? promotion_value(piece_type_at_branchless(p, move_from(m))) : 0);
}
/*
 * The number of the side to move's pieces other than pawns and king, those in hand included; with none a null move may
 * be better than any move.
 */
INLINE int game_non_pawns(const Position *p) {
    const Squares own = p->side[p->turn] & ~unpromoted(p, PAWN) & ~king_bit(p, (Colour)p->turn);
    return squares_count(own) + (p->hand[p->turn] ? 2 : 0);
}

/* ---- what corrections of the evaluation are filed under ---- */

INLINE uint64_t game_squares_hash(Squares set, uint64_t factor) {
    return (lower_word(set) ^ upper_word(set) << 20) * factor;
}
/* Hashes of the pawns, and of a side's other pieces with its hand. */
INLINE uint64_t game_pawn_key(const Position *p) {
    const Squares pawns = unpromoted(p, PAWN);
    return game_squares_hash(pawns & p->side[WHITE], 0x9e3779b97f4a7c15ull) ^
           game_squares_hash(pawns & p->side[BLACK], 0xbf58476d1ce4e5b9ull);
}
INLINE uint64_t game_non_pawn_key(const Position *p, Colour c) {
    const Squares own = p->side[c];
    return game_squares_hash(own & (gold_movers(p) | king_bit(p, c)), 0x9e3779b97f4a7c15ull) ^
           game_squares_hash(own & (p->type[BISHOP] | p->type[ROOK]), 0xbf58476d1ce4e5b9ull) ^
           game_squares_hash(own & (p->type[LANCE] | p->type[KNIGHT] | p->type[SILVER]), 0x94d049bb133111ebull) ^
           p->hand[c] * 0xd6e8feb86659fd93ull;
}
