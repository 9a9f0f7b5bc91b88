/* SPDX-License-Identifier: MIT */
#include "formats/japanese_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* By code. */
static const struct {
    const char *sign;
    unsigned code;
} signs[] = {
    {"　", 0x8140}, {"、", 0x8141}, {"・", 0x8145}, {"：", 0x8146}, {"ー", 0x815b}, {"（", 0x8169}, {"△", 0x81a2},
    {"▲", 0x81a3},  {"▽", 0x81a4},  {"▼", 0x81a5},  {"０", 0x824f}, {"１", 0x8250}, {"２", 0x8251}, {"３", 0x8252},
    {"４", 0x8253}, {"５", 0x8254}, {"６", 0x8255}, {"７", 0x8256}, {"８", 0x8257}, {"９", 0x8258}, {"が", 0x82aa},
    {"き", 0x82ab}, {"け", 0x82af}, {"し", 0x82b5}, {"じ", 0x82b6}, {"た", 0x82bd}, {"ち", 0x82bf}, {"っ", 0x82c1},
    {"て", 0x82c4}, {"で", 0x82c5}, {"と", 0x82c6}, {"な", 0x82c8}, {"に", 0x82c9}, {"の", 0x82cc}, {"ま", 0x82dc},
    {"み", 0x82dd}, {"よ", 0x82e6}, {"り", 0x82e8}, {"れ", 0x82ea}, {"イ", 0x8343}, {"エ", 0x8347}, {"ト", 0x8367},
    {"ラ", 0x8389}, {"杏", 0x88c7}, {"一", 0x88ea}, {"引", 0x88f8}, {"右", 0x8945}, {"王", 0x89a4}, {"下", 0x89ba},
    {"化", 0x89bb}, {"価", 0x89bf}, {"開", 0x8a4a}, {"角", 0x8a70}, {"割", 0x8a84}, {"間", 0x8ad4}, {"寄", 0x8af1},
    {"棋", 0x8afb}, {"詰", 0x8b6c}, {"玉", 0x8bca}, {"金", 0x8be0}, {"銀", 0x8be2}, {"九", 0x8be3}, {"駒", 0x8bee},
    {"圭", 0x8c5c}, {"桂", 0x8c6a}, {"言", 0x8cbe}, {"五", 0x8cdc}, {"後", 0x8ce3}, {"攻", 0x8d55}, {"行", 0x8d73},
    {"香", 0x8d81}, {"合", 0x8d87}, {"左", 0x8db6}, {"最", 0x8dc5}, {"三", 0x8e4f}, {"残", 0x8e63}, {"四", 0x8e6c},
    {"始", 0x8e6e}, {"持", 0x8e9d}, {"時", 0x8e9e}, {"七", 0x8eb5}, {"車", 0x8ed4}, {"手", 0x8ee8}, {"受", 0x8ef3},
    {"十", 0x8f5c}, {"勝", 0x8f9f}, {"将", 0x8fab}, {"上", 0x8fe3}, {"数", 0x9094}, {"成", 0x90ac}, {"切", 0x90d8},
    {"先", 0x90e6}, {"千", 0x90e7}, {"宣", 0x90e9}, {"戦", 0x90ed}, {"全", 0x9153}, {"則", 0x91a5}, {"続", 0x91b1},
    {"打", 0x91c5}, {"待", 0x91d2}, {"大", 0x91e5}, {"断", 0x9266}, {"値", 0x926c}, {"中", 0x9286}, {"直", 0x92bc},
    {"投", 0x938a}, {"同", 0x93af}, {"二", 0x93f1}, {"日", 0x93fa}, {"入", 0x93fc}, {"馬", 0x946e}, {"敗", 0x9473},
    {"八", 0x94aa}, {"反", 0x94bd}, {"番", 0x94d4}, {"飛", 0x94f2}, {"評", 0x955d}, {"不", 0x9573}, {"負", 0x9589},
    {"封", 0x9595}, {"分", 0x95aa}, {"平", 0x95bd}, {"変", 0x95cf}, {"歩", 0x95e0}, {"方", 0x95fb}, {"枚", 0x9687},
    {"落", 0x978e}, {"立", 0x97a7}, {"竜", 0x97b3}, {"龍", 0x97b4}, {"了", 0x97b9}, {"連", 0x9841}, {"六", 0x985a},
};
enum { SIGNS = sizeof signs / sizeof *signs, SIGN_BYTES = 3 };

static const char *sign_of(unsigned code) {
    size_t from = 0, end = SIGNS;
    while (from < end) {
        const size_t middle = (from + end) / 2;
        if (signs[middle].code == code) return signs[middle].sign;
        if (signs[middle].code < code)
            from = middle + 1;
        else
            end = middle;
    }
    return "?";
}

/* The bytes of a sign in UTF-8 that begins so; 0: none does. */
static size_t sign_bytes(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Signs of a game have three bytes. A line whose others all have two is EUC-JP, as 同龍 may be. */
static bool is_utf8(const char *line) {
    bool has_two = false, has_three = false;
    while (*line) {
        const size_t n = sign_bytes((unsigned char)*line);
        if (!n) return false;
        for (size_t i = 1; i < n; i++)
            if (!line[i])
                return true; /* the line was cut off here */
            else if (((unsigned char)line[i] & 0xc0) != 0x80)
                return false;
        line += n;
        has_two |= n == 2;
        has_three |= n > 2;
    }
    return has_three || !has_two;
}

/* All of it is pairs of EUC-JP, or ASCII. Shift_JIS is so by chance only where the line has no sign of a game. */
static bool is_euc(const unsigned char *at) {
    for (; *at; at++) {
        if (*at < 0x80) continue;
        if (*at < 0xa1 && *at != 0x8e && *at != 0x8f) return false;
        at += *at == 0x8f && at[1];
        if (at[1] && at[1] < 0xa1) return false;
        if (!at[1]) break; /* the line was cut off here */
        at++;
    }
    return true;
}

/* The code in Shift_JIS of a pair in EUC-JP: two rows of 94 signs share its first byte. */
static unsigned shift_jis_of(unsigned first, unsigned second) {
    const unsigned row = first - 0xa1, lead = 0x81 + row / 2 + (row / 2 > 0x1e ? 0x40 : 0);
    const unsigned odd = second - 0xa1 + 0x9f, even = second - 0xa1 + 0x40;
    return lead << 8 | (row % 2 ? odd : even + (even > 0x7e));
}

/* The sign at *at, which is moved to its last byte. */
static const char *take_sign(const unsigned char **at, bool euc) {
    const unsigned first = **at, second = (*at)[1];
    const bool is_kana = !euc && first >= 0xa0 && first < 0xe0;
    if (is_kana || !second) return "?";
    ++*at;
    if (first == 0x8f && euc) *at += (*at)[1] != '\0'; /* a third byte */
    return euc && first < 0xa1 ? "?" : sign_of(euc ? shift_jis_of(first, second) : first << 8 | second);
}

void japanese_text_to_utf8(const char *line, char *text) {
    if (is_utf8(line)) {
        strcpy(text, strncmp(line, "\xef\xbb\xbf", SIGN_BYTES) ? line : line + SIGN_BYTES);
        return;
    }
    const bool euc = is_euc((const unsigned char *)line);
    for (const unsigned char *at = (const unsigned char *)line; *at; at++) {
        if (*at < 0x80) {
            *text++ = (char)*at;
            continue;
        }
        const char *sign = take_sign(&at, euc);
        const size_t n = strlen(sign);
        memcpy(text, sign, n);
        text += n;
    }
    *text = '\0';
}
