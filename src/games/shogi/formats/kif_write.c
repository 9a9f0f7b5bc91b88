/* SPDX-License-Identifier: MIT */
#include "formats/kif_write.h"

#include <string.h>

#include "formats/game_record.h"

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
static void write_hand(DataBuffer *b, const char *side, uint32_t hand) {
    static const PieceType types[] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    data_buffer_print(b, "%sの持駒：%s", side, hand ? "" : "なし");
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        const unsigned n = hand_count(hand, types[i]);
        if (!n) continue;
        const char *tens = n >= 10 ? "十" : "", *ones = n > 1 && n % 10 ? kanji_digits[n % 10 - 1] : "";
        data_buffer_print(b, "%s%s%s　", piece_text(types[i], true), tens, ones);
    }
    data_buffer_print(b, "\n");
}

static void write_board(DataBuffer *b, const Position *p) {
    static const char edge[] = "+---------------------------+\n";
    write_hand(b, "後手", p->hand[WHITE]);
    data_buffer_print(b, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n%s", edge);
    for (int rank = 0; rank < RANKS; rank++) {
        data_buffer_print(b, "|");
        for (int f = FILES - 1; f >= 0; f--) {
            const int square = RANKS * f + rank;
            const PieceType type = piece_type_at(p, square);
            data_buffer_print(b, "%c%s", has_square(p->side[WHITE], square) ? 'v' : ' ',
                              type == NO_PIECE_TYPE ? "・" : piece_text(type, true));
        }
        data_buffer_print(b, "|%s\n", kanji_digits[rank]);
    }
    data_buffer_print(b, edge);
    write_hand(b, "先手", p->hand[BLACK]);
    if (p->turn == WHITE) data_buffer_print(b, "後手番\n");
}

/* A numbered line; its signs are of two columns but for those of ASCII. */
static void write_numbered(DataBuffer *b, unsigned number, const char *text) {
    int columns = 0;
    for (const char *at = text; *at; at++) columns += (unsigned char)*at < 0x80 ? 1 : (*at & 0xc0) != 0x80 ? 2 : 0;
    data_buffer_print(b, "%4u %s%*s( 0:00/00:00:00)\n", number, text, 13 - columns, "");
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

static void write_start(DataBuffer *b, const Position *p) {
    data_buffer_print(b, "#KIF version=2.0 encoding=UTF-8\n");
    if (game_write_is_start(p))
        data_buffer_print(b, "手合割：平手\n");
    else
        write_board(b, p);
    data_buffer_print(b, "先手：\n後手：\n手数----指手---------消費時間--\n");
}

void kif_write_record(DataEncoder *e, const DataRecord *r) {
    char text[64];
    const bool begins = game_write_begins(e);
    if (begins) write_start(&e->bytes, &r->position);
    move_text(&r->position, r->move, begins ? NO_SQUARE : move_to(e->last.move), text);
    write_numbered(&e->bytes, ++e->state.moves, text);
    if (!r->skip) data_buffer_print(&e->bytes, "** %d\n", game_write_score(r));
}

/* Where only the result is known, the last line alone says it: none of the words for an end is known to be true. */
static void write_end(DataBuffer *b, GameEnd end, unsigned moves, Colour to_move) {
    static const char *const words[] = {[GAME_END_MATE] = "詰み",
                                        [GAME_END_LOST] = "投了",
                                        [GAME_END_DRAWN] = "引き分け",
                                        [GAME_END_DECLARED] = "入玉勝ち"};
    const char *side = (to_move == BLACK) == (end >= GAME_END_DECLARED) ? "先手" : "後手";
    if (end != GAME_END_WON) write_numbered(b, moves + 1, words[end]);
    data_buffer_print(b, "まで%u手で", moves);
    if (end == GAME_END_MATE || end == GAME_END_DRAWN)
        data_buffer_print(b, "%s\n\n", words[end]);
    else
        data_buffer_print(b, "%sの%s\n\n", side, end == GAME_END_DECLARED ? words[end] : "勝ち");
}

void kif_end_game(DataEncoder *e) {
    Colour to_move;
    const GameEnd end = game_write_end(e, &to_move);
    write_end(&e->bytes, end, e->state.moves, to_move);
}

bool kif_write_solution(FILE *file, const Position *p, const Move *moves, unsigned n, TabiaError *error) {
    DataEncoder e;
    DataRecord r = {.position = *p, .skip = true, .starts_game = true, .score = DATA_SKIP_SCORE};
    bool good = true;
    data_encoder_init(&e, &data_format_kif);
    for (unsigned i = 0; i < n && good; i++) {
        r.move = moves[i];
        r.result = (n - i) % 2 ? 1 : -1;
        r.ply = (uint16_t)i;
        good = data_encode(&e, &r, error);
        position_make_move(&r.position, &r.position, r.move);
        r.starts_game = false;
    }
    good = good && data_encoder_finish(&e, error);
    if (good) fwrite(e.bytes.data, 1, e.bytes.size, file);
    data_encoder_free(&e);
    return good;
}
