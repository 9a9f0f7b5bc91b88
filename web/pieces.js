// SPDX-License-Identifier: MIT
// Outlines of pieces in a square of 100 by 100.
export const OUTLINES = {
    p: "M50 22a13 13 0 0 1 8 23q1 17 10 26l4 11H28l4-11q9-9 10-26a13 13 0 0 1 8-23z",
    n: "M31 82q0-11 9-19t8-16q-7 6-15 6l-6 7-6-9q6-22 22-29l4-8 7 8q24 8 19 60z",
    b: "M50 12a6 6 0 0 1 4 10q17 15 12 31l-7 13q9 4 11 16H30q2-12 11-16l-7-13q-5-16 12-31a6 6 0 0 1 4-10z",
    r: "M28 82v-9l8-7V43l-7-7V20h10v8h7v-8h8v8h7v-8h10v16l-7 7v23l8 7v9z",
    q: "M30 82l3-13L20 34l15 14 3-28 12 25 12-25 3 28 15-14-13 35 3 13z",
    k: "M30 82l2-13Q12 50 24 38q11-9 22 4V31h-8v-7h8v-9h8v9h8v7h-8v11q11-13 22-4 12 12-8 31l2 13z",
};
export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
