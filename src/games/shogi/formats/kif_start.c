/* SPDX-License-Identifier: MIT */
#include "formats/kif_start.h"

#include <stdio.h>
#include <string.h>

#include "formats/kif_words.h"
#include "notation/fen.h"
#include "notation/names.h"
#include "notation/validate.h"

/* ---- a handicap ---- */

/* White's first two ranks, without the last sign of their name; NULL: no such handicap. */
static const char *handicap_ranks(const char *name, size_t length) {
    static const struct {
        const char *name, *ranks;
    } handicaps[] = {
        {"香落", "lnsgkgsn1/1r5b1"}, {"左香落", "lnsgkgsn1/1r5b1"}, {"右香落", "1nsgkgsnl/1r5b1"},
        {"角落", "lnsgkgsnl/1r7"},   {"飛車落", "lnsgkgsnl/7b1"},   {"飛落", "lnsgkgsnl/7b1"},
        {"飛香落", "lnsgkgsn1/7b1"}, {"二枚落", "lnsgkgsnl/9"},     {"三枚落", "lnsgkgsn1/9"},
        {"四枚落", "1nsgkgsn1/9"},   {"五枚落", "2sgkgsn1/9"},      {"左五枚落", "1nsgkgs2/9"},
        {"六枚落", "2sgkgs2/9"},     {"左七枚落", "2sgkg3/9"},      {"右七枚落", "3gkgs2/9"},
        {"八枚落", "3gkg3/9"},       {"十枚落", "4k4/9"},           {"平手", "lnsgkgsnl/1r5b1"},
    };
    for (size_t i = 0; i < sizeof handicaps / sizeof *handicaps; i++)
        if (strlen(handicaps[i].name) == length && !memcmp(handicaps[i].name, name, length)) return handicaps[i].ranks;
    return NULL;
}

/* The name ends with ち or without. One that is not known is a fault, unless a board follows. */
static LineEffect take_handicap(DataDecoder *d, const char *line, const char *name) {
    kif_skip_blanks(&name);
    const char *end = name, *behind;
    while (*end && (behind = end, kif_skip_blanks(&behind), *behind && behind == end)) end++;
    static const char chi[] = "ち";
    const size_t chi_bytes = sizeof chi - 1;
    size_t length = (size_t)(end - name);
    if (length > chi_bytes && !memcmp(end - chi_bytes, chi, chi_bytes)) length -= chi_bytes;
    const char *ranks = handicap_ranks(name, length);
    if (!ranks) return game_record_doubt(d, line, "no such handicap, and no board of one"), LINE_TAKEN;
    char sfen[FEN_MAX];
    const bool even = !strncmp(name, "平手", length);
    snprintf(sfen, sizeof sfen, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL %c - 1", ranks, even ? 'b' : 'w');
    d->state.has_handicap = fen_parse(&d->state.start, sfen, NULL);
    return LINE_TAKEN;
}

/* ---- a board ---- */

/* A handicap without a name waits for a board: what is wrong is this line of it. */
static LineEffect bad_board(DataDecoder *d, const char *line, const char *what, TabiaError *error) {
    d->state.has_doubt = false;
    return game_record_bad(line, what, error);
}

static bool take_cell(Position *p, int square, const char **at) {
    const Colour c = **at == 'v' ? WHITE : BLACK;
    if (**at != 'v' && **at != ' ') return false;
    ++*at;
    if (kif_take(at, "・")) return true;
    const PieceType type = kif_take_piece(at);
    if (type == NO_PIECE_TYPE || (type == KING && p->king[c] != NO_SQUARE)) return false;
    position_put(p, square, c, type);
    return true;
}

/* |v香v桂 ・ 歩 ...|一: a rank, from file 9. */
static LineEffect take_rank(DataDecoder *d, const char *line, TabiaError *error) {
    Position *p = game_record_placed(d);
    const char *last = strrchr(line, '|'), *at = line + 1, *name = last + 1;
    const int kanji = kif_take_kanji_digit(&name), rank = (kanji ? kanji : kif_take_digit(&name)) - 1;
    const bool good = rank >= 0 && rank < RANKS && !(d->state.ranks >> rank & 1);
    int file = FILES - 1;
    while (good && file >= 0 && take_cell(p, RANKS * file + rank, &at)) file--;
    if (file >= 0 || at != last) return bad_board(d, line, "no such rank of a board", error);
    d->state.ranks |= 1U << rank;
    return LINE_TAKEN;
}

/* 歩十八 means eighteen, as 歩18 does; without a number it is one. */
static int take_count(const char **at) {
    const int number = kif_take_number(at);
    if (number >= 0) return number;
    const int tens = kif_take(at, "十") ? 10 : 0, sum = tens + kif_take_kanji_digit(at);
    return sum ? sum : 1;
}

/* 飛　角　歩二, なし for none, or 残り for all that is nowhere else. */
static LineEffect take_hand(DataDecoder *d, Colour c, const char *line, const char *at, TabiaError *error) {
    Position *p = game_record_placed(d);
    p->hand[c] = 0;
    d->state.rest &= ~(1U << c);
    for (kif_skip_blanks(&at); *at; kif_skip_blanks(&at)) {
        if (!p->hand[c] && kif_take(&at, "なし")) continue;
        if (!p->hand[c] && !d->state.rest && kif_take(&at, "残り")) {
            d->state.rest = 1U << c;
            continue;
        }
        const PieceType type = kif_take_piece(&at);
        const unsigned n = (unsigned)take_count(&at);
        if (type >= KING || hand_count(p->hand[c], type) + n > set_pieces(type))
            return bad_board(d, line, "no such pieces in hand", error);
        p->hand[c] += n * hand_one(type);
    }
    return LINE_TAKEN;
}

/* ---- all of it ---- */

LineEffect kif_start_line(DataDecoder *d, const char *line, bool *taken, TabiaError *error) {
    const char *at = line;
    Colour c;
    *taken = true;
    if (*line == '|') return take_rank(d, line, error);
    if (kif_take(&at, "手合割") && kif_take_colon(&at)) return take_handicap(d, line, at);
    at = line;
    const bool has_side = kif_take_side(&at, &c);
    (void)kif_take(&at, "の");
    if ((kif_take(&at, "持駒") || kif_take(&at, "持ち駒")) && kif_take_colon(&at))
        return has_side ? take_hand(d, c, line, at, error)
                        : bad_board(d, line, "it does not say whose pieces in hand", error);
    *taken = has_side && kif_take(&at, "番");
    if (*taken) d->state.has_turn = true, d->state.turn = (uint8_t)c;
    return LINE_TAKEN;
}

LineEffect kif_start(DataDecoder *d, const char *line, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    Position p;
    if (!game_record_ranks_whole(d)) return bad_board(d, line, "its board lacks ranks", error);
    if (!s->ranks && s->stage == GAME_START_PLACING && (s->last.hand[BLACK] || s->last.hand[WHITE] || s->rest))
        return bad_board(d, line, "pieces in hand without a board", error);
    if (!s->ranks && s->has_doubt) return game_record_bad(line, "no position", error); /* the doubt is reported */
    s->has_doubt = false;
    (void)fen_parse(&p, fen_start, NULL);
    if (s->has_handicap) p = s->start;
    const uint8_t turn = p.turn;
    if (s->ranks) p = s->last, p.turn = turn;
    if (s->rest) game_record_rest(&p, s->rest >> WHITE & 1 ? WHITE : BLACK);
    if (s->has_turn) p.turn = s->turn;
    if (!position_validate(&p, error)) return LINE_IS_BAD;
    return game_record_start(d, &p), LINE_TAKEN;
}
