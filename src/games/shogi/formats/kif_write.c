/* SPDX-License-Identifier: MIT */
#include "formats/kif_write.h"

#include <stdlib.h>
#include <string.h>

#include "rules/make_move.h"

static const char *const wide_digits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
static const char *const kanji_digits[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

/* Of a move; on a board promoted pieces have names of one sign. */
static const char *piece_text(PieceType type, bool on_board) {
    static const char *const names[] = {"歩", "香", "桂",   "銀",   "角",   "飛", "金",
                                        "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
    static const char *const short_names[] = {"杏", "圭", "全"};
    return on_board && type >= PROMOTED_LANCE && type <= PROMOTED_SILVER ? short_names[type - PROMOTED_LANCE]
                                                                         : names[type];
}

/* 飛　角　歩十八　 */
static void write_hand(FILE *file, const char *side, uint32_t hand) {
    static const PieceType types[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    fprintf(file, "%sの持駒：%s", side, hand ? "" : "なし");
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        const unsigned n = hand_count(hand, types[i]);
        if (!n) continue;
        const char *tens = n >= 10 ? "十" : "", *ones = n > 1 && n % 10 ? kanji_digits[n % 10 - 1] : "";
        fprintf(file, "%s%s%s　", piece_text(types[i], true), tens, ones);
    }
    fputc('\n', file);
}

static void write_board(FILE *file, const Position *p) {
    static const char edge[] = "+---------------------------+\n";
    write_hand(file, "後手", p->hand[WHITE]);
    fprintf(file, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n%s", edge);
    for (int rank = 0; rank < RANKS; rank++) {
        fputc('|', file);
        for (int f = FILES - 1; f >= 0; f--) {
            const int square = RANKS * f + rank;
            const PieceType type = piece_type_at(p, square);
            fputc(has_square(p->side[WHITE], square) ? 'v' : ' ', file);
            fputs(type == NO_PIECE_TYPE ? "・" : piece_text(type, true), file);
        }
        fprintf(file, "|%s\n", kanji_digits[rank]);
    }
    fputs(edge, file);
    write_hand(file, "先手", p->hand[BLACK]);
    if (p->turn == WHITE) fputs("後手番\n", file);
}

/* A numbered line; its signs are of two columns but for those of ASCII. */
static void write_numbered(FILE *file, unsigned number, const char *text) {
    int columns = 0;
    for (const char *at = text; *at; at++) columns += (unsigned char)*at < 0x80 ? 1 : (*at & 0xc0) != 0x80 ? 2 : 0;
    fprintf(file, "%4u %s%*s( 0:00/00:00:00)\n", number, text, 13 - columns, "");
}

/* ３三角成(88), ５五角打, 同　歩(77): `last` is where the move before went to. */
static void move_text(const Position *p, Move m, int last, char text[64]) {
    char to[16] = "同　", from[8] = "";
    const int square = move_to(m);
    if (square != last) snprintf(to, sizeof to, "%s%s", wide_digits[file_of(square)], kanji_digits[rank_of(square)]);
    if (!move_is_drop(m)) snprintf(from, sizeof from, "(%d%d)", file_of(move_from(m)) + 1, rank_of(move_from(m)) + 1);
    const PieceType type = move_is_drop(m) ? move_drop_type(m) : piece_type_at(p, move_from(m));
    const char *how = move_is_drop(m) ? "打" : move_promotes(m) ? "成" : "";
    snprintf(text, 64, "%s%s%s%s", to, piece_text(type, false), how, from);
}

void kif_write_solution(FILE *file, const Position *p, const Move *moves, unsigned n) {
    Position at = *p;
    fputs("#KIF version=2.0 encoding=UTF-8\n", file);
    write_board(file, p);
    fputs("先手：\n後手：\n手数----指手---------消費時間--\n", file);
    for (unsigned i = 0; i < n; i++) {
        char text[64];
        move_text(&at, moves[i], i ? move_to(moves[i - 1]) : NO_SQUARE, text);
        write_numbered(file, i + 1, text);
        const Position before = at;
        make_move(&at, &before, (Colour)before.turn, moves[i]);
    }
    write_numbered(file, n + 1, "詰み");
    fprintf(file, "まで%u手で詰み\n", n);
}
