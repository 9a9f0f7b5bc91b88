/* SPDX-License-Identifier: MIT */
/* How programs of this game talk to each other: the words of their protocol, and moves within their lines. */
#pragma once
#include "notation/move_text.h"

typedef struct {
    const char *name;            /* for people: "UCI" */
    const char *word;            /* of --protocol: "uci" */
    const char *hello;           /* the line that a client says first */
    const char *ok;              /* what it is answered with */
    const char *new_game;        /* a line */
    const char *position;        /* the command that sets a position up, as far as its text: "position fen" */
    const char *position_name;   /* what that text is called, as a name: "fen" */
    const char *position_title;  /* and for people: "FEN" */
    const char *chess960_option; /* of an engine; NULL: the game knows one way to castle or none */
} ProtocolWords;

extern const ProtocolWords protocol_words;

/* Copies the move at s as this program writes moves, and returns where it ends; NULL if there is none, legal in no
   position. */
const char *protocol_read_move(const char *s, char move[UCI_MAX]);
