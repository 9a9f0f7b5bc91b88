/* SPDX-License-Identifier: MIT */
/* The evaluation by a network: shogi has none yet, and is evaluated by terms. */
#pragma once
typedef struct Network Network;
