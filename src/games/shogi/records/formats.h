/* SPDX-License-Identifier: MIT */
/*
 * The formats of training data of shogi, by name, and why a record is not written in one. docs/shogi.md describes them byte
 * by byte; games/shogi/formats has one file for each.
 *
 *   psv         PackedSfenValue, 40 bytes                                      (YaneuraOu, nnue-pytorch, bullet)
 *   dual        psv with a second score in the place of the move               (rshogi)
 *   hcpe        HuffmanCodedPosAndEval, 38 bytes                                         (Apery, dlshogi)
 *   hcpe3       games, 36 bytes and 10 for each ply                                           (dlshogi)
 *   pack        games, 1 or 35 bytes and 4 for each ply                               (YaneuraOu's GenSfen)
 *   plain       text, six lines a record                                                      (YaneuraOu)
 *   csa         games of servers                                          (floodgate, Shogidokoro, ShogiGUI)
 *   kif         games of people                                 (Kifu for Windows, ShogiHome, ShogiGUI)
 */
#pragma once

#define DATA_FORMATS(FORMAT)                                                                                           \
    FORMAT(psv)                                                                                                        \
    FORMAT(dual)                                                                                                       \
    FORMAT(hcpe)                                                                                                       \
    FORMAT(hcpe3)                                                                                                      \
    FORMAT(pack)                                                                                                       \
    FORMAT(plain)                                                                                                      \
    FORMAT(csa)                                                                                                        \
    FORMAT(kif)

/* Identifier, the records of which this is true. move, skip and score are those of every game. */
#define DATA_REJECTIONS(REJECT)                                                                                        \
    REJECT(move, "whose move is unknown")                                                                              \
    REJECT(skip, "marked to be skipped, since they have no score; data rescore gives one")                             \
    REJECT(score, "with a real score of 32002, which would mark them to be skipped")                                   \
    REJECT(king, "where a side has no king")                                                                           \
    REJECT(pieces, "with more pieces of a type than a set has")                                                        \
    REJECT(deeper, "without a deeper score")

/* Fields that a generator counts where they are lost: name of the count, field, what it counts. */
#define DATA_COUNTED_LOSSES(LOSS)
