/* SPDX-License-Identifier: MIT */
/*
 * The moves of one of our pieces, or of our king: which are summed by set, which concern their king, which pin or unpin
 * a piece, which check, and which are made.
 *
 *      destinations --+-- made: discovered checks, and moves that change more than one of these at once
 *                     +-- checks: counted as evasions
 *                     +-- the rest: into the destination counts, with G(f); of these
 *                            +-- some with their king's moves counted anew
 *                            +-- some that pin or unpin a piece of theirs
 */
#pragma once
#include "evasions.h"
#include "sum_state.h"

typedef struct {
    PieceType type; /* a constant */
    int from;
    Bits attacks;      /* from `from` */
    Bits to;           /* the legal destinations */
    Bits pinning;      /* destinations from which it would pin */
    Bits checking;     /* from which it would check */
    Bits zone_attacks; /* from which it newly attacks the zone */
} PieceMoves;

/* What a piece's moves mean to their king. */
typedef struct {
    Bits attacked; /* what we attack of the zone when the piece has left */
    Bits update;   /* destinations after which `attacked` and the piece's own attacks give his moves */
    Bits recount;  /* after which they are counted by count_king_moves_after() */
} KingEffect;

INLINE KingEffect king_effect(const SumState *state, const PieceMoves *m) {
    KingEffect effect = {.attacked = state->zone->attacked,
                         .update = m->zone_attacks,
                         .recount = state->zone->blocking | state->zone->contact};
    if (state->zone->origins & bit(m->from)) {
        *(m->type == KING ? &effect.recount : &effect.update) = ~(Bits)0;
        effect.attacked = attacked_without(state->ctx, state->zone, m->from, m->attacks);
    }
    return effect;
}

/* The change of their king's moves after the summed moves that concern him. */
INLINE void add_king_deltas(SumState *state, Colour us, const PieceMoves *m, const KingEffect *effect, Bits to) {
    const DeltaContext *ctx = state->ctx;
    const KingZone *zone = state->zone;
    const Bits f = bit(m->from);
    EACH (t, to & effect->update & ~effect->recount) {
        const Bits attacked = effect->attacked | piece_attacks(us, m->type, (int)t, ctx->occ ^ f);
        state->sum += count_king_moves(ctx, zone, attacked, ctx->occ ^ f) - zone->king_moves;
    }
    EACH (t, to & effect->recount)
        state->sum += count_king_moves_after(ctx, zone, us, (PieceMove){m->type, f, bit((int)t)}, effect->attacked) -
                      zone->king_moves;
}

/* The moves of a piece by class. */
typedef struct {
    Bits summed;    /* into the destination counts */
    Bits checks;    /* counted as evasions */
    Bits made;      /* made, and the replies counted */
    Bits pin_moves; /* of `summed`: pins or unpins a piece of theirs */
} MoveClasses;

/* A piece on a line to their king: whether it discovers check, pins, or would let another piece pin. */
INLINE void classify_on_line(const SumState *state, const PieceMoves *m, MoveClasses *classes) {
    const KingLines *lines = state->lines;
    const Bits f = bit(m->from), ray = ray_through(state->ctx->theirs.king_square, m->from);
    classes->made |= f & lines->discoverers ? m->to : classes->checks;
    if (f & lines->pinners) classes->made |= m->to & ray & state->null_move->pinned_squares & state->ctx->theirs.all;
    classes->pin_moves |= m->to & ~ray;
    classes->checks = 0;
    classes->summed = m->to & ~classes->made;
    classes->pin_moves &= classes->summed;
}

INLINE MoveClasses classify_moves(const SumState *state, const PieceMoves *m) {
    MoveClasses classes = {.made = m->to & (state->castling_targets | (m->checking & state->unpinning))};
    classes.checks = m->to & m->checking & ~classes.made;
    classes.summed = m->to & ~(classes.made | classes.checks);
    classes.pin_moves = classes.summed & (state->unpinning | m->pinning);
    assert((classes.summed ^ classes.checks ^ classes.made) == m->to);
    return classes;
}

/* The terms of the moves that are not summed by set alone. */
INLINE void add_special_moves(SumState *state, Colour us, const PieceMoves *m, const KingEffect *effect,
                              const MoveClasses *classes) {
    const DeltaContext *ctx = state->ctx;
    const Bits pinned = state->null_move->pinned_squares, f = bit(m->from);
    add_king_deltas(state, us, m, effect, classes->summed);
    EACH (t, classes->pin_moves)
        state->sum += pin_delta(ctx, state->lines, us, m->from, (int)t, (m->pinning >> t & 1) != 0);
    EACH (t, classes->checks)
        state->sum +=
            count_evasions(ctx, state->zone, us, (PieceMove){m->type, f, bit((int)t)}, effect->attacked, pinned);
    EACH (t, classes->made) state->sum += count_replies_after(ctx->position, us, m->type, m->from, (int)t);
}

INLINE void add_piece_moves(SumState *state, Colour us, PieceMoves m) {
    const KingLines *lines = state->lines;
    if (!m.to) return;
    const Bits f = bit(m.from);
    MoveClasses classes = classify_moves(state, &m);
    KingEffect effect = {.attacked = state->zone->attacked,
                         .update = m.zone_attacks,
                         .recount = state->zone->blocking | state->zone->contact};
    if (f & state->special_origins) {
        if (UNLIKELY(f & (lines->discoverers | lines->pinners | lines->pin_openers)))
            classify_on_line(state, &m, &classes);
        if (f & state->null_move->delta_origins && classes.summed)
            state->sum += origin_delta(state->ctx, state->null_move, us, m.from, classes.summed);
        effect = king_effect(state, &m);
    }
    destination_counts_add(&state->destinations, classes.summed);
    if (LIKELY(
            !((classes.summed & (effect.update | effect.recount)) | classes.made | classes.checks | classes.pin_moves)))
        return;
    add_special_moves(state, us, &m, &effect, &classes);
}

INLINE void add_slider_moves(SumState *state, Colour us, PieceType type, int from, Bits line, Bits attacks) {
    const KingLines *lines = state->lines;
    const KingZone *zone = state->zone;
    PieceMoves m = {.type = type, .from = from, .attacks = attacks, .to = attacks & ~state->ctx->ours.all & line};
    if (type != ROOK)
        m.pinning |= lines->pinning_diag, m.checking |= lines->checking_diag, m.zone_attacks |= zone->diag;
    if (type != BISHOP)
        m.pinning |= lines->pinning_orth, m.checking |= lines->checking_orth, m.zone_attacks |= zone->orth;
    add_piece_moves(state, us, m);
}

/* Our sliders of one type; those in `pinned` keep to their lines. */
INLINE void add_all_sliders(SumState *state, Colour us, PieceType type, Bits sliders, Bits pinned) {
    EACH (f, sliders) {
        const Bits line = pinned & bit((int)f) ? line_through[state->ctx->ours.king_square][f] : ~(Bits)0;
        add_slider_moves(state, us, type, (int)f, line, piece_attacks(us, type, (int)f, state->ctx->occ));
    }
}

INLINE void add_all_pieces(SumState *state, Colour us, const Pins *pins) {
    const SidePieces *ours = &state->ctx->ours;
    const Bits pinned = pins->orth | pins->diag, queens = ours->orth & ours->diag;
    const Bits knight_checks = knight_attacks[state->ctx->theirs.king_square];
    EACH (f, ours->knight & ~pinned)
        add_piece_moves(state, us,
                        (PieceMoves){.type = KNIGHT,
                                     .from = (int)f,
                                     .attacks = knight_attacks[f],
                                     .to = knight_attacks[f] & ~ours->all,
                                     .checking = knight_checks,
                                     .zone_attacks = state->zone->knight});
    add_all_sliders(state, us, BISHOP, ours->diag ^ queens, pinned);
    add_all_sliders(state, us, ROOK, ours->orth ^ queens, pinned);
    add_all_sliders(state, us, QUEEN, queens, pinned);
}

/* `attacked`: what they attack. We are not in check. */
INLINE void add_king_moves(SumState *state, Colour us, const Pins *pins, Bits attacked) {
    const DeltaContext *ctx = state->ctx;
    const SidePieces *ours = &ctx->ours;
    assert(!(attacked & ours->king));
    add_piece_moves(state, us,
                    (PieceMoves){.type = KING,
                                 .from = ours->king_square,
                                 .attacks = king_attacks[ours->king_square],
                                 .to = king_attacks[ours->king_square] & ~ours->all & ~attacked,
                                 .zone_attacks = state->zone->king});
    if (!ctx->position->castle[us]) return;
    const CastlingPaths castlings = find_castling_paths(ctx->position, us, ours, ctx->occ, pins->orth);
    for (int i = 0; i < 2; i++) {
        const Bits rook = castling_rook(ctx->position, us, i);
        if (rook && can_castle(&castlings, i, ctx->occ, attacked))
            state->sum += count_replies_after_special(ctx->position, us, ours->king_square, lsb(rook), CASTLING);
    }
}
