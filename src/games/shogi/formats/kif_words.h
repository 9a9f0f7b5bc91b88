/* SPDX-License-Identifier: MIT */
/*
 * Words of kif, in UTF-8. Every function takes the word that *at begins with, and moves *at behind it; it leaves *at alone if
 * there is none.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

typedef struct {
    const char *word;
    int value;
} KifWord;

/* The value of the first of `words` that fits, longer ones first; that of the last row, without a word, if none does. */
int kif_take_word(const char **at, const KifWord *words);

bool kif_take(const char **at, const char *word);

/* Blanks of either width, and tabs. */
void kif_skip_blanks(const char **at);

/* Behind a key: a colon of either width. */
bool kif_take_colon(const char **at);

/* NO_PIECE_TYPE: none. */
PieceType kif_take_piece(const char **at);

/* A digit of either width: 0 to 9. -1: none. */
int kif_take_digit(const char **at);

/* A number of such digits, all of one width: in 1７六 it is 1. At most 9999. -1: none. */
int kif_take_number(const char **at);

/* 一 to 九: 1 to 9. 0: none. */
int kif_take_kanji_digit(const char **at);

/* 先手, 下手, 攻方: black; 後手, 上手, 玉方, 受方: white. False: neither. */
bool kif_take_side(const char **at, Colour *c);
