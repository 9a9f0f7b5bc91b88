/* SPDX-License-Identifier: MIT */
/*
 * Another program's move generator and its divide: how many leaves lie below each of its moves. Two protocols:
 *
 *   UCI        one program for all questions             perftree   one run for each question
 *     > position fen FEN moves e2e4                        $ COMMAND 3 "FEN" "e2e4"
 *     > go perft 3                                         a7a5 600
 *     < a7a5: 600                                          ...
 *     < ...
 *     < Nodes searched: 13160                              13160
 *
 * The other program is not trusted: it may hang, crash, stop in the middle or print anything. Each of
 * these gives one line of error, and no question takes longer than the time-out; after an error it is started anew for
 * the next question.
 *
 * How its lines are understood: divide.h.
 */
#pragma once
#include "base/error.h"
#include "perft/divide.h"

typedef enum {
    PROTOCOL_AUTO,   /* the engine's if the program answers its first word within some seconds, else perftree */
    PROTOCOL_ENGINE, /* UCI; for other games what they have in its place (notation/protocol.h) */
    PROTOCOL_PERFTREE,
} Protocol;

/* The word of the game's protocol ("uci"), "perftree" or "auto" (also null). */
bool protocol_parse(const char *name, Protocol *protocol, TabiaError *error);

typedef struct Opponent Opponent;

typedef struct {
    const char *fen;
    const char *moves; /* as the protocol writes them, one blank apart; "" for none */
    int depth;         /* 1 or more */
    bool chess960;
} DivideQuery;

/*
 * Prepares; nothing is started before the first question. `seconds` limits each question and each start. Null with an
 * error when memory is short. The command must live as long. One thread at a time.
 */
Opponent *opponent_new(const char *command, Protocol protocol, double seconds, TabiaError *error);

/*
 * Queries a divide. False with an error, "COMMAND: what happened (what was asked)", when no divide came back; the
 * program is then killed, and started again by the next query. When the user asked to stop (base/stop.h) it returns
 * false soon.
 */
bool opponent_divide(Opponent *o, const DivideQuery *question, Divide *divide, TabiaError *error);

/* Did the last query fail because the program does not start or knows no protocol? Then the next one will fail too. */
bool opponent_is_unusable(const Opponent *o);

/* From now on a query also ends, in the same way, soon after is_over(context) is true; it is called on the query's thread. */
void opponent_watch(Opponent *o, bool (*is_over)(void *context), void *context);

void opponent_free(Opponent *o);
