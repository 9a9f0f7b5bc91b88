/* SPDX-License-Identifier: MIT */
/* How likely a score wins, draws and loses: for clients that show it. The search does not use it. */
#pragma once
#include <assert.h>
#include <math.h>

/* For the side to move, in thousandths; together 1000. */
typedef struct {
    int win, draw, loss;
} ScoreChances;

/* The win probability is logistic in the score; the rest of equal chances is the draw probability. */
static inline ScoreChances score_chances(int score) {
    const double win = 1 / (1 + exp((200.0 - score) / 90)), loss = 1 / (1 + exp((200.0 + score) / 90));
    const int w = (int)(1000 * win + 0.5), l = (int)(1000 * loss + 0.5);
    assert(w >= 0 && l >= 0 && w + l <= 1000);
    return (ScoreChances){w, 1000 - w - l, l};
}
