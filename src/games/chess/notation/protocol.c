/* SPDX-License-Identifier: MIT */
#include "notation/protocol.h"

#include <ctype.h>
#include <string.h>

const ProtocolWords protocol_words = {.name = "UCI",
                                      .word = "uci",
                                      .hello = "uci\n",
                                      .ok = "uciok",
                                      .new_game = "ucinewgame\n",
                                      .position = "position fen",
                                      .position_name = "fen",
                                      .position_title = "FEN",
                                      .chess960_option = "UCI_Chess960"};

/* Is there a square at s? */
static bool square_at(const char *s) {
    return tolower((unsigned char)*s) >= 'a' && tolower((unsigned char)*s) <= 'h' && s[1] >= '1' && s[1] <= '8';
}

const char *protocol_read_move(const char *s, char move[UCI_MAX]) {
    int n = 4;
    if (!square_at(s) || !square_at(s + 2)) return NULL;
    if (s[4] && strchr("nbrqkpNBRQKP", s[4])) n = 5;
    for (int i = 0; i < n; i++) move[i] = (char)tolower((unsigned char)s[i]);
    move[n] = '\0';
    return isalnum((unsigned char)s[n]) ? NULL : s + n;
}
