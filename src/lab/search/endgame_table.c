/* SPDX-License-Identifier: MIT */
/*
 * How an ending is stored: a byte for each placement of its pieces and each side to move. A placement is a number:
 *
 *     [pawn: 48 squares] white king: 16 squares, with a pawn 32 | black king: 64 | each other piece: 64
 *
 * The board is mirrored so that the white king stands on the files a to d and, without a pawn, on the ranks 1 to 4. Both
 * mirrors leave no position as it is, so that each position's moves lead to as many placements. A pawn comes first, so
 * that the placements with a pawn on one rank are consecutive.
 *
 * Retrograde analysis. First all legal moves of each position are looked at: mates, and what zeroing moves lead to, are
 * known at once, and the other moves are counted. Then for each distance, in order, the positions with that distance
 * are settled: moves are taken back from them, a position before a lost one is won in one ply more, and one before won
 * ones only, the last of which has just been settled, is lost in one ply more.
 *
 * A pawn's moves are zeroing, so the positions with a pawn on one rank are an ending of their own, solved after those
 * with the pawn further on.
 */
#include "endgame_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/stop.h"

enum {
    EXTRA_PIECES_MAX = 2, /* beside the kings */
    SLOTS_MAX = 2 + EXTRA_PIECES_MAX,
    DISTANCE_MAX = GAME_HALFMOVE_DRAW,
    NOT_LEGAL = -128, /* a stored value, as are 0 (drawn), 1 to 100 (won in so many plies), and lost_in() */
};

INLINE int lost_in(int plies) {
    return -1 - plies;
}

/* Slot 0 is the white king, 1 the black king; a pawn comes first of the others. */
typedef struct {
    uint64_t material;
    unsigned slots;
    PieceType type[SLOTS_MAX];
    Colour colour[SLOTS_MAX];
    bool has_pawn;
    size_t placements;
    int8_t *value[2]; /* by the side to move */
} Ending;

typedef struct {
    int square[SLOTS_MAX];
} Placement;

enum { ENDINGS_MAX = 64 };
struct EndgameTables {
    Ending ending[ENDINGS_MAX];
    unsigned n;
};

INLINE size_t placement_index(const Ending *e, Placement s) {
    const int flip = (file_of(s.square[0]) > 3 ? 7 : 0) | (!e->has_pawn && rank_of(s.square[0]) > 3 ? 56 : 0);
    const int white_king = s.square[0] ^ flip;
    size_t at = e->has_pawn ? (size_t)((s.square[2] ^ flip) - 8) * 32 : 0;
    at += (size_t)(rank_of(white_king) * 4 + file_of(white_king));
    at = at * 64 + (size_t)(s.square[1] ^ flip);
    for (unsigned i = 2 + e->has_pawn; i < e->slots; i++) at = at * 64 + (size_t)(s.square[i] ^ flip);
    return at;
}

/* From a placement to that with a piece, other than white's king and a pawn, on the next square. */
INLINE size_t placement_step(const Ending *e, unsigned slot) {
    size_t step = 1;
    for (unsigned i = e->slots; --i > slot && i >= 2 + (unsigned)e->has_pawn;) step *= 64;
    return step;
}

INLINE Placement placement_of(const Ending *e, size_t at) {
    Placement s = {{0}};
    for (unsigned i = e->slots - 1; i >= 2 + (unsigned)e->has_pawn; i--, at /= 64) s.square[i] = (int)(at % 64);
    s.square[1] = (int)(at % 64), at /= 64;
    const int kings = e->has_pawn ? 32 : 16, white_king = (int)at % kings;
    s.square[0] = white_king / 4 * 8 + white_king % 4;
    if (e->has_pawn) s.square[2] = (int)at / kings + 8;
    return s;
}

/* False: two pieces on a square, or the side that is not to move is in check. */
static bool placement_position(const Ending *e, Placement s, Colour turn, Position *p) {
    *p = (Position){.fullmove = 1, .turn = (uint8_t)!turn};
    for (unsigned i = 0; i < e->slots; i++) {
        if (occupied(p) & bit(s.square[i])) return false;
        position_put(p, s.square[i], e->colour[i], e->type[i]);
    }
    if (in_check(p)) return false;
    p->turn = (uint8_t)turn;
    return true;
}

/* ---- material: four bits for the number of pieces of each type but the king, white's below black's ---- */

enum { MATERIAL_TYPES = 5, COUNT_BITS = 4, SIDE_BITS = COUNT_BITS * MATERIAL_TYPES };

static uint64_t one_piece(Colour c, PieceType type) {
    return (uint64_t)1 << (COUNT_BITS * (int)type + SIDE_BITS * (int)c);
}

static unsigned count_of(uint64_t material, Colour c, PieceType type) {
    return (unsigned)(material / one_piece(c, type)) & ((1 << COUNT_BITS) - 1);
}

/* With the stronger side as white. */
static uint64_t canonical(uint64_t material) {
    const uint64_t white = material & (((uint64_t)1 << SIDE_BITS) - 1), black = material >> SIDE_BITS;
    return white >= black ? material : black | white << SIDE_BITS;
}

static Bits pieces_of(const Position *p, Colour c, PieceType type) {
    const Bits sets[MATERIAL_TYPES] = {[PAWN] = p->pawn,
                                       [KNIGHT] = p->knight,
                                       [BISHOP] = p->diag & ~p->orth,
                                       [ROOK] = p->orth & ~p->diag,
                                       [QUEEN] = p->diag & p->orth};
    return p->side[c] & sets[type];
}

static uint64_t material_of(const Position *p) {
    uint64_t material = 0;
    for (int c = WHITE; c <= BLACK; c++)
        for (int type = PAWN; type < KING; type++)
            material +=
                one_piece((Colour)c, (PieceType)type) * (uint64_t)popcount(pieces_of(p, (Colour)c, (PieceType)type));
    return material;
}

/* Nobody can mate: no pawn, rook or queen, and one minor piece at most. */
static bool is_dead(uint64_t material) {
    const uint64_t strong = canonical(material);
    return strong == 0 || strong == one_piece(WHITE, KNIGHT) || strong == one_piece(WHITE, BISHOP);
}

/* False: no name of an ending. */
static bool parse_name(const char *name, uint64_t *material) {
    static const char letters[] = "PNBRQ";
    int kings = 0, pieces = 0;
    *material = 0;
    for (const char *c = name; *c; c++) {
        const char *letter = strchr(letters, *c);
        if (*c == 'K' ? ++kings > 2 : !letter || !kings || ++pieces > EXTRA_PIECES_MAX) return false;
        if (*c != 'K') *material += one_piece(kings == 1 ? WHITE : BLACK, (PieceType)(letter - letters));
    }
    return kings == 2 && !is_dead(*material);
}

/* ---- asking ---- */

static const Ending *find_ending(const EndgameTables *t, uint64_t material) {
    for (unsigned i = 0; i < t->n; i++)
        if (t->ending[i].material == canonical(material)) return &t->ending[i];
    return NULL;
}

static Placement placement_of_position(const Ending *e, const Position *p, bool flipped) {
    Placement s = {{0}};
    Bits used = 0;
    for (unsigned i = 0; i < e->slots; i++) {
        const Colour c = (Colour)(e->colour[i] ^ flipped);
        const int square = e->type[i] == KING ? king_square(p, c) : lsb(pieces_of(p, c, e->type[i]) & ~used);
        used |= bit(square);
        s.square[i] = flipped ? square ^ 56 : square;
    }
    return s;
}

static EndgameValue value_from_stored(int stored) {
    return stored > 0 ? (EndgameValue){1, stored} : stored < 0 ? (EndgameValue){-1, -1 - stored} : (EndgameValue){0, 0};
}

bool endgame_value(const EndgameTables *t, const Position *p, EndgameValue *v) {
    const uint64_t material = material_of(p);
    *v = (EndgameValue){0, 0};
    if (is_dead(material)) return true;
    const Ending *e = find_ending(t, material);
    if (!e) return false;
    const bool flipped = material != e->material;
    const int8_t stored = e->value[p->turn ^ flipped][placement_index(e, placement_of_position(e, p, flipped))];
    if (stored == NOT_LEGAL) return false;
    *v = value_from_stored(stored);
    return true;
}

int endgame_result(const EndgameTables *t, const Position *p) {
    EndgameValue v;
    const bool known = endgame_value(t, p, &v);
    assert(known);
    return known && game_halfmove_clock(p) + v.plies <= GAME_HALFMOVE_DRAW ? v.result : 0;
}

/* ---- positions ---- */

Position endgame_random(const EndgameTables *t, const char *name, uint64_t *seed) {
    uint64_t material;
    const Ending *e = parse_name(name, &material) ? find_ending(t, material) : NULL;
    assert(e);
    Position p;
    for (;;) {
        const size_t at = random_below(seed, (unsigned)e->placements);
        if (placement_position(e, placement_of(e, at), (Colour)(random_next(seed) >> 63), &p)) return p;
    }
}

/* ---- solving: moves that are made ---- */

enum { NEVER_LOST = 255, POSITIONS_A_LOOK = 1 << 14, PARENTS_MAX = 8 + 27 * EXTRA_PIECES_MAX };

typedef struct {
    const EndgameTables *tables;
    Ending *e;
    uint8_t
        *moves_left[2]; /* by side to move: moves that are not zeroing and not known to lose; NEVER_LOST: one draws */
    size_t from, to;    /* the placements that are being solved */
} Solver;

static bool is_zeroing(const Position *p, Move m) {
    return game_captured(p, m) != NO_PIECE_TYPE || piece_type_at(p, move_from(m)) == PAWN;
}

/* The stored value as far as zeroing moves, mate and stalemate decide it. */
static int value_by_zeroing(Solver *s, const Position *p, uint8_t *moves_left) {
    Move list[MOVES_MAX];
    Position next;
    const unsigned n = game_moves(p, list);
    unsigned quiet = 0;
    bool draws = false;
    for (unsigned i = 0; i < n; i++) {
        if (!is_zeroing(p, list[i])) {
            quiet++;
            continue;
        }
        game_make_move(&next, p, list[i]);
        const int result = endgame_result(s->tables, &next);
        if (result < 0) return 1;
        draws |= result == 0;
    }
    assert(quiet < NEVER_LOST);
    *moves_left = draws ? NEVER_LOST : (uint8_t)quiet;
    if (n == 0) return game_in_check(p) ? lost_in(0) : 0;
    return draws || quiet ? 0 : lost_in(1);
}

static bool look_at_moves(Solver *s) {
    Position p;
    for (size_t at = s->from; at < s->to; at++) {
        if (at % POSITIONS_A_LOOK == 0 && tabia_stop_requested()) return false;
        const Placement placement = placement_of(s->e, at);
        for (int turn = WHITE; turn <= BLACK; turn++)
            s->e->value[turn][at] = placement_position(s->e, placement, (Colour)turn, &p)
                                        ? (int8_t)value_by_zeroing(s, &p, &s->moves_left[turn][at])
                                        : (int8_t)NOT_LEGAL;
    }
    return true;
}

/* ---- solving: moves that are taken back ---- */

/* A position from which a settled one is reached: lost, or won, in so many plies. Those not legal have a value too. */
static void settle_parent(Solver *s, Colour turn, size_t at, bool lost, int plies) {
    int8_t *value = &s->e->value[turn][at];
    uint8_t *left = &s->moves_left[turn][at];
    if (*value) return;
    assert(at >= s->from && at < s->to);
    if (lost)
        *value = (int8_t)(plies + 1);
    else if (*left != NEVER_LOST && --*left == 0)
        *value = (int8_t)lost_in(plies + 1);
}

/* They lie far apart: all are fetched before the first is read. */
static void settle_parents(Solver *s, Colour turn, size_t at, bool lost, int plies) {
    const Ending *e = s->e;
    const Colour mover = (Colour)!turn;
    Placement now = placement_of(e, at);
    size_t parents[PARENTS_MAX];
    unsigned n = 0;
    Bits occ = 0;
    for (unsigned i = 0; i < e->slots; i++) occ |= bit(now.square[i]);
    for (unsigned i = 0; i < e->slots; i++) {
        if (e->colour[i] != mover || e->type[i] == PAWN) continue;
        const int to = now.square[i];
        const size_t step = placement_step(e, i);
        EACH (from, piece_attacks(mover, e->type[i], to, occ) & ~occ) {
            now.square[i] = (int)from;
            parents[n] = i ? at + (from - (size_t)to) * step : placement_index(e, now);
            __builtin_prefetch(&e->value[mover][parents[n]], 1);
            if (!lost) __builtin_prefetch(&s->moves_left[mover][parents[n]], 1);
            n++;
        }
        now.square[i] = to;
    }
    assert(n <= PARENTS_MAX);
    for (unsigned i = 0; i < n; i++) settle_parent(s, mover, parents[i], lost, plies);
}

static void settle_value(Solver *s, Colour turn, int value, int plies) {
    const int8_t *all = s->e->value[turn], *end = all + s->to;
    for (const int8_t *v = all + s->from; (v = memchr(v, (uint8_t)value, (size_t)(end - v))); v++)
        settle_parents(s, turn, (size_t)(v - all), value < 0, plies);
}

static bool solve_placements(Solver *s) {
    if (!look_at_moves(s)) return false;
    for (int plies = 0; plies < DISTANCE_MAX; plies++)
        for (int turn = WHITE; turn <= BLACK; turn++) {
            if (tabia_stop_requested()) return false;
            settle_value(s, (Colour)turn, lost_in(plies), plies);
            if (plies) settle_value(s, (Colour)turn, plies, plies);
        }
    return true;
}

/* ---- solving: ranks of a pawn ---- */

/* From the rank before promotion to the one on which pawns start. */
static bool solve_ranks(Solver *s) {
    const size_t rank = s->e->placements / 6;
    for (unsigned i = 0; i < 6; i++) {
        s->from = rank * (s->e->colour[2] == WHITE ? 5 - i : i), s->to = s->from + rank;
        if (!solve_placements(s)) return false;
    }
    return true;
}

/* Fills the ending's values. What its captures and promotions lead to is solved before. False: stopped, or no memory. */
static bool solve_ending(const EndgameTables *t, Ending *e, TabiaError *error) {
    Solver s = {.tables = t, .e = e, .to = e->placements};
    s.moves_left[WHITE] = malloc(2 * e->placements);
    if (!s.moves_left[WHITE]) return tabia_fail(error, "no memory to solve an ending");
    s.moves_left[BLACK] = s.moves_left[WHITE] + e->placements;
    const bool solved = e->has_pawn ? solve_ranks(&s) : solve_placements(&s);
    free(s.moves_left[WHITE]);
    return solved || tabia_fail(error, "stopped");
}

/* ---- which endings ---- */

static void add_slot(Ending *e, Colour c, PieceType type) {
    e->colour[e->slots] = c;
    e->type[e->slots++] = type;
}

/* A pawn first, then white's pieces, then black's. False: two pawns. */
static bool describe_ending(Ending *e, uint64_t material) {
    unsigned pawns = 0;
    for (int c = WHITE; c <= BLACK; c++) pawns += count_of(material, (Colour)c, PAWN);
    *e = (Ending){.material = material, .has_pawn = pawns != 0};
    add_slot(e, WHITE, KING);
    add_slot(e, BLACK, KING);
    for (int first = 1; first >= 0; first--)
        for (int c = WHITE; c <= BLACK; c++)
            for (int type = PAWN; type < KING; type++)
                for (unsigned n = count_of(material, (Colour)c, (PieceType)type); n && (type == PAWN) == first; n--)
                    add_slot(e, (Colour)c, (PieceType)type);
    e->placements = e->has_pawn ? 48 * 32 * 64 : 16 * 64;
    for (unsigned i = 2 + e->has_pawn; i < e->slots; i++) e->placements *= 64;
    return pawns <= 1;
}

static bool add_ending(EndgameTables *t, uint64_t material, TabiaError *error);

/* The endings after a capture, a promotion, and both in one. */
static bool add_successors(EndgameTables *t, const Ending *e, TabiaError *error) {
    for (unsigned i = 2; i < e->slots; i++) {
        const uint64_t without = e->material - one_piece(e->colour[i], e->type[i]);
        if (!add_ending(t, without, error)) return false;
        for (int to = KNIGHT; to <= (int)QUEEN && e->type[i] == PAWN; to++) {
            const uint64_t promoted = without + one_piece(e->colour[i], (PieceType)to);
            if (!add_ending(t, promoted, error)) return false;
            for (unsigned j = 3; j < e->slots; j++)
                if (!add_ending(t, promoted - one_piece(e->colour[j], e->type[j]), error)) return false;
        }
    }
    return true;
}

static bool add_ending(EndgameTables *t, uint64_t material, TabiaError *error) {
    Ending e;
    if (is_dead(material) || find_ending(t, material)) return true;
    if (!describe_ending(&e, canonical(material)))
        return tabia_fail(error, "endings with more than one pawn are not solved");
    if (!add_successors(t, &e, error)) return false;
    if (t->n == ENDINGS_MAX) return tabia_fail(error, "more than %d endings", ENDINGS_MAX);
    t->ending[t->n++] = e;
    return true;
}

/* In the order of the list: what an ending leads to stands before it. */
static bool solve_all(EndgameTables *t, EndgameProgress *progress, void *context, TabiaError *error) {
    size_t placements = 0, done = 0;
    for (unsigned i = 0; i < t->n; i++) placements += t->ending[i].placements;
    for (unsigned i = 0; i < t->n; done += t->ending[i++].placements) {
        Ending *e = &t->ending[i];
        e->value[WHITE] = malloc(2 * e->placements);
        if (!e->value[WHITE]) return tabia_fail(error, "no memory for an ending");
        e->value[BLACK] = e->value[WHITE] + e->placements;
        if (progress) progress(context, i, (double)done / (double)placements);
        if (!solve_ending(t, e, error)) return false;
    }
    return true;
}

EndgameTables *endgame_tables_create(const char *const *names, unsigned n, EndgameProgress *progress, void *context,
                                     TabiaError *error) {
    EndgameTables *t = calloc(1, sizeof *t);
    bool listed = true;
    if (!t) return tabia_fail(error, "no memory to solve endings"), NULL;
    for (unsigned i = 0; i < n && listed; i++) {
        uint64_t material;
        listed = parse_name(names[i], &material)
                     ? add_ending(t, material, error)
                     : tabia_fail(error, "'%.20s' is not an ending with one or two pieces besides the kings", names[i]);
    }
    if (listed && solve_all(t, progress, context, error)) return t;
    endgame_tables_free(t);
    return NULL;
}

void endgame_tables_free(EndgameTables *t) {
    for (unsigned i = 0; t && i < t->n; i++) free(t->ending[i].value[WHITE]);
    free(t);
}
