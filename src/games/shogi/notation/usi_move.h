/* SPDX-License-Identifier: MIT */
/* The first step of reading USI, for usi_move.c itself and for western.c, which explains why a text is no move. */
#pragma once
#include "rules/position.h"

/* Has text the form of a move, whether legal or not? Then *m is what it says. */
bool usi_read(const char *text, Move *m);
