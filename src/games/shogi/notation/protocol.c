/* SPDX-License-Identifier: MIT */
#include "notation/protocol.h"

#include <ctype.h>
#include <string.h>

#include "notation/names.h"

const ProtocolWords protocol_words = {.name = "USI",
                                      .word = "usi",
                                      .hello = "usi\n",
                                      .ok = "usiok",
                                      .new_game = "usinewgame\n",
                                      .position = "position sfen",
                                      .position_name = "sfen",
                                      .position_title = "SFEN"};

static bool square_at(const char *s) {
    return is_file_digit(s[0]) && is_rank_letter(s[1]);
}

/* "P*5e"; some write the letter small, or '@' for the star. */
static bool drop_at(const char *s) {
    return *s && strchr("PLNSBRG", toupper((unsigned char)*s)) && (s[1] == '*' || s[1] == '@') && square_at(s + 2);
}

const char *protocol_read_move(const char *s, char move[UCI_MAX]) {
    int n = 4;
    if (drop_at(s)) {
        move[0] = (char)toupper((unsigned char)*s);
        move[1] = '*';
    } else if (square_at(s) && square_at(s + 2)) {
        move[0] = s[0], move[1] = s[1];
        if (s[4] == '+') n = 5;
    } else {
        return NULL;
    }
    for (int i = 2; i < n; i++) move[i] = s[i];
    move[n] = '\0';
    return isalnum((unsigned char)s[n]) ? NULL : s + n;
}
