/* SPDX-License-Identifier: MIT */
/* The start positions of Chess960, and the 921,600 pairs of them of double Fischer random chess. */
#pragma once
#include "rules/position.h"

/* The start position with white's pieces in the arrangement of the first of Reinhard Scharnagl's numbers and black's in
   that of the second, each 0 to 959; 518 is the standard one. */
void start_chess960(Position *p, unsigned white, unsigned black);
