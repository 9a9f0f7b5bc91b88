/* SPDX-License-Identifier: MIT */
#include "formats/shift_jis.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* By code. */
static const struct {
    const char *sign;
    unsigned code;
} signs[] = {
    {"　", 0x8140}, {"・", 0x8145}, {"：", 0x8146}, {"１", 0x8250}, {"２", 0x8251}, {"３", 0x8252}, {"４", 0x8253},
    {"５", 0x8254}, {"６", 0x8255}, {"７", 0x8256}, {"８", 0x8257}, {"９", 0x8258}, {"け", 0x82af}, {"し", 0x82b5},
    {"じ", 0x82b6}, {"そ", 0x82bb}, {"ち", 0x82bf}, {"と", 0x82c6}, {"な", 0x82c8}, {"の", 0x82cc}, {"み", 0x82dd},
    {"れ", 0x82ea}, {"杏", 0x88c7}, {"一", 0x88ea}, {"右", 0x8945}, {"王", 0x89a4}, {"下", 0x89ba}, {"化", 0x89bb},
    {"価", 0x89bf}, {"開", 0x8a4a}, {"角", 0x8a70}, {"割", 0x8a84}, {"棋", 0x8afb}, {"詰", 0x8b6c}, {"玉", 0x8bca},
    {"金", 0x8be0}, {"銀", 0x8be2}, {"九", 0x8be3}, {"駒", 0x8bee}, {"圭", 0x8c5c}, {"桂", 0x8c6a}, {"五", 0x8cdc},
    {"後", 0x8ce3}, {"香", 0x8d81}, {"合", 0x8d87}, {"左", 0x8db6}, {"三", 0x8e4f}, {"四", 0x8e6c}, {"始", 0x8e6e},
    {"持", 0x8e9d}, {"時", 0x8e9e}, {"七", 0x8eb5}, {"車", 0x8ed4}, {"手", 0x8ee8}, {"十", 0x8f5c}, {"勝", 0x8f9f},
    {"将", 0x8fab}, {"上", 0x8fe3}, {"成", 0x90ac}, {"切", 0x90d8}, {"先", 0x90e6}, {"千", 0x90e7}, {"戦", 0x90ed},
    {"全", 0x9153}, {"則", 0x91a5}, {"他", 0x91bc}, {"打", 0x91c5}, {"断", 0x9266}, {"値", 0x926c}, {"中", 0x9286},
    {"投", 0x938a}, {"同", 0x93af}, {"二", 0x93f1}, {"日", 0x93fa}, {"入", 0x93fc}, {"馬", 0x946e}, {"敗", 0x9473},
    {"八", 0x94aa}, {"反", 0x94bd}, {"番", 0x94d4}, {"飛", 0x94f2}, {"評", 0x955d}, {"不", 0x9573}, {"負", 0x9589},
    {"封", 0x9595}, {"平", 0x95bd}, {"変", 0x95cf}, {"歩", 0x95e0}, {"枚", 0x9687}, {"落", 0x978e}, {"竜", 0x97b3},
    {"龍", 0x97b4}, {"了", 0x97b9}, {"六", 0x985a},
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

static bool is_utf8(const char *line) {
    while (*line) {
        const size_t n = sign_bytes((unsigned char)*line);
        if (!n) return false;
        for (size_t i = 1; i < n; i++)
            if (!line[i])
                return true; /* the line was cut off here */
            else if (((unsigned char)line[i] & 0xc0) != 0x80)
                return false;
        line += n;
    }
    return true;
}

void shift_jis_to_utf8(const char *line, char *text) {
    if (is_utf8(line)) {
        strcpy(text, strncmp(line, "\xef\xbb\xbf", SIGN_BYTES) ? line : line + SIGN_BYTES);
        return;
    }
    for (const unsigned char *at = (const unsigned char *)line; *at; at++) {
        const bool is_kana = *at >= 0xa0 && *at < 0xe0, is_pair = *at >= 0x80 && !is_kana && at[1];
        if (*at < 0x80) {
            *text++ = (char)*at;
            continue;
        }
        const char *sign = is_pair ? sign_of((unsigned)at[0] << 8 | at[1]) : "?";
        const size_t n = strlen(sign);
        memcpy(text, sign, n);
        text += n, at += is_pair;
    }
    *text = '\0';
}
