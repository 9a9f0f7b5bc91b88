/* SPDX-License-Identifier: MIT */
/*
 * Counts of move sequences. The total of perft(14) from the start is above 2^64; 2^128 is enough for depth 25 and more
 * of any position that can arise in a game. base/text.h writes and reads them.
 */
#pragma once

typedef unsigned __int128 U128;
