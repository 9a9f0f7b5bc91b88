/* SPDX-License-Identifier: MIT */
#include "formats/kif_words.h"

#include <string.h>

int kif_take_word(const char **at, const KifWord *words) {
    for (; words->word; words++) {
        const size_t n = strlen(words->word);
        if (strncmp(*at, words->word, n) != 0) continue;
        *at += n;
        break;
    }
    return words->value;
}

bool kif_take(const char **at, const char *word) {
    const KifWord words[] = {{word, 1}, {NULL, 0}};
    return kif_take_word(at, words) != 0;
}

void kif_skip_blanks(const char **at) {
    while (kif_take(at, " ") || kif_take(at, "　") || kif_take(at, "\t")) {
    }
}

bool kif_take_colon(const char **at) {
    return kif_take(at, "：") || kif_take(at, ":");
}

PieceType kif_take_piece(const char **at) {
    static const KifWord pieces[] = {{"成香", PROMOTED_LANCE},
                                     {"成桂", PROMOTED_KNIGHT},
                                     {"成銀", PROMOTED_SILVER},
                                     {"歩", PAWN},
                                     {"香", LANCE},
                                     {"桂", KNIGHT},
                                     {"銀", SILVER},
                                     {"角", BISHOP},
                                     {"飛", ROOK},
                                     {"金", GOLD},
                                     {"玉", KING},
                                     {"王", KING},
                                     {"と", PROMOTED_PAWN},
                                     {"杏", PROMOTED_LANCE},
                                     {"圭", PROMOTED_KNIGHT},
                                     {"全", PROMOTED_SILVER},
                                     {"馬", HORSE},
                                     {"龍", DRAGON},
                                     {"竜", DRAGON},
                                     {NULL, NO_PIECE_TYPE}};
    return (PieceType)kif_take_word(at, pieces);
}

int kif_take_digit(const char **at) {
    static const KifWord digits[] = {{"０", 0}, {"１", 1}, {"２", 2}, {"３", 3}, {"４", 4}, {"５", 5},
                                     {"６", 6}, {"７", 7}, {"８", 8}, {"９", 9}, {NULL, -1}};
    return **at >= '0' && **at <= '9' ? *(*at)++ - '0' : kif_take_word(at, digits);
}

int kif_take_number(const char **at) {
    const bool narrow = (unsigned char)**at < 0x80;
    int number = -1;
    while (((unsigned char)**at < 0x80) == narrow) {
        const int digit = kif_take_digit(at);
        if (digit < 0) break;
        number = number < 0 ? digit : number < 1000 ? 10 * number + digit : 9999;
    }
    return number;
}

int kif_take_kanji_digit(const char **at) {
    static const KifWord digits[] = {{"一", 1}, {"二", 2}, {"三", 3}, {"四", 4}, {"五", 5},
                                     {"六", 6}, {"七", 7}, {"八", 8}, {"九", 9}, {NULL, 0}};
    return kif_take_word(at, digits);
}

bool kif_take_side(const char **at, Colour *c) {
    static const KifWord sides[] = {{"先手", BLACK}, {"下手", BLACK}, {"攻方", BLACK}, {"後手", WHITE},
                                    {"上手", WHITE}, {"玉方", WHITE}, {"受方", WHITE}, {NULL, -1}};
    const int side = kif_take_word(at, sides);
    *c = side == WHITE ? WHITE : BLACK;
    return side >= 0;
}
