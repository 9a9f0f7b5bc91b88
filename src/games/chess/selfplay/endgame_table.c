/* SPDX-License-Identifier: MIT */
/* Which endings there are, what they are made of, and how they are asked. */
#include "selfplay/endgame_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "selfplay/endgame_internal.h"

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

bool placement_position(const Ending *e, Placement s, Colour turn, Position *p) {
    *p = (Position){.fullmove = 1, .turn = (uint8_t)!turn};
    for (unsigned i = 0; i < e->slots; i++) {
        if (occupied(p) & bit(s.square[i])) return false;
        position_put(p, s.square[i], e->colour[i], e->type[i]);
    }
    if (in_check(p)) return false;
    p->turn = (uint8_t)turn;
    return true;
}

Position endgame_position(PieceType piece, int white_king, int piece_at, int black_king) {
    Position p = {.fullmove = 1, .turn = WHITE};
    position_put(&p, white_king, WHITE, KING);
    position_put(&p, piece_at, WHITE, piece);
    position_put(&p, black_king, BLACK, KING);
    return p;
}

static const Ending *ending_by_name(const EndgameTables *t, const char *name) {
    uint64_t material;
    const Ending *e = parse_name(name, &material) ? find_ending(t, material) : NULL;
    assert(e);
    return e;
}

Position endgame_random(const EndgameTables *t, const char *name, uint64_t *seed) {
    const Ending *e = ending_by_name(t, name);
    Position p;
    for (;;) {
        const size_t at = random_below(seed, (unsigned)e->placements);
        if (placement_position(e, placement_of(e, at), (Colour)(random_next(seed) >> 63), &p)) return p;
    }
}

EndgameStatistics endgame_statistics(const EndgameTables *t, const char *name) {
    const Ending *e = ending_by_name(t, name);
    EndgameStatistics s = {0};
    for (int turn = WHITE; turn <= BLACK; turn++)
        for (size_t at = 0; at < e->placements; at++) {
            const int8_t stored = e->value[turn][at];
            if (stored == NOT_LEGAL) continue;
            const EndgameValue v = value_from_stored(stored);
            s.results[turn][v.result + 1]++;
            if (v.result > 0 && v.plies > s.longest_win[turn]) s.longest_win[turn] = v.plies;
        }
    return s;
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
        if (!endgame_solve(t, e, error)) return false;
    }
    return true;
}

/* The tables, if all of them could be listed and solved. */
static EndgameTables *solved(EndgameTables *t, bool listed, EndgameProgress *progress, void *context,
                             TabiaError *error) {
    if (listed && solve_all(t, progress, context, error)) return t;
    endgame_tables_free(t);
    return NULL;
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
                     : tabia_fail(error, "'%.20s' is no ending with one or two pieces beside the kings", names[i]);
    }
    return solved(t, listed, progress, context, error);
}

/* With one piece beside the kings, and with two where they may be. */
static bool add_all(EndgameTables *t, unsigned pieces, TabiaError *error) {
    for (int a = PAWN; a < KING; a++) {
        const uint64_t one = one_piece(WHITE, (PieceType)a);
        if (!add_ending(t, one, error)) return false;
        for (int b = a == PAWN ? KNIGHT : a; b < KING && pieces > 3; b++)
            for (int c = WHITE; c <= BLACK; c++)
                if (!add_ending(t, one + one_piece((Colour)c, (PieceType)b), error)) return false;
    }
    return true;
}

EndgameTables *endgame_tables_of_pieces(unsigned pieces, EndgameProgress *progress, void *context, TabiaError *error) {
    EndgameTables *t = calloc(1, sizeof *t);
    if (!t) return tabia_fail(error, "no memory to solve endings"), NULL;
    return solved(t, add_all(t, pieces, error), progress, context, error);
}

void endgame_tables_free(EndgameTables *t) {
    for (unsigned i = 0; t && i < t->n; i++) free(t->ending[i].value[WHITE]);
    free(t);
}
