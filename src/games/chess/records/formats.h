/* SPDX-License-Identifier: MIT */
/*
 * The formats of training data of chess, by name, and why a record is not written in one. docs/data.md describes them byte
 * by byte; games/chess/formats has one file for each.
 *
 *   viri        a game: a 32-byte board, then move and score for each ply                 (Viridithas, bullet)
 *   marlin      that board alone, with score and result                                   (Marlinflow)
 *   bin         PackedSfenValue, 40 bytes                                                 (Stockfish, nnue-pytorch)
 *   bullet      ChessBoard, 32 bytes, always relative to the side to move                 (bullet)
 *   binpack     games as bit streams in chunks                                            (Stockfish, nnue-pytorch)
 *   plain       text, six lines a record                                                  (Stockfish)
 *   text        a line: FEN | score | result, both for white                               (bullet)
 *   monty       games, only read                                                          (Monty, bullet)
 *   pgn         games, the score of a move in its comment                                (fastchess, cutechess)
 */
#pragma once

#define DATA_FORMATS(FORMAT)                                                                                           \
    FORMAT(viri)                                                                                                       \
    FORMAT(marlin)                                                                                                     \
    FORMAT(bin)                                                                                                        \
    FORMAT(bullet)                                                                                                     \
    FORMAT(binpack)                                                                                                    \
    FORMAT(plain)                                                                                                      \
    FORMAT(text)                                                                                                       \
    FORMAT(monty)                                                                                                      \
    FORMAT(pgn)

/* Identifier, the records of which this is true. move, skip and score are those of every game. */
#define DATA_REJECTIONS(REJECT)                                                                                        \
    REJECT(move, "whose move is unknown")                                                                              \
    REJECT(skip, "marked to be skipped, since they have no score; data rescore gives one")                             \
    REJECT(score, "with a real score of 32002, which would mark them to be skipped")                                   \
    REJECT(rook, "where a rook other than the outermost may castle")                                                   \
    REJECT(castling, "with a castling move of Chess960, which other programs' readers cannot follow")

/* Fields that a generator counts where they are lost: name of the count, field, what it counts. */
#define DATA_COUNTED_LOSSES(LOSS)                                                                                      \
    LOSS(castling_lost, CASTLING, "written without their castling rights, which the format does not store")
