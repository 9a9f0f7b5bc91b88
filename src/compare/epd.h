/* SPDX-License-Identifier: MIT */
/*
 * A perft suite: a file of positions with the counts that are known for them.
 *
 *     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902
 *     \__________________ position __________________________/  \_ operations after ';' _/
 *
 * Files in the wild differ, and all of these are read: blanks anywhere between words ("; D4  23441 "), a position
 * without its move counters, with KQkq or with rook files (HAha), operations that follow the fourth field without a ';',
 * lines that end in CR LF, a byte order mark, empty lines, and lines that begin with '#' or '%'. An operation is D and
 * a depth (0 to 60), then the count; `chess960`, which says what kind of chess is meant; any other is passed over.
 *
 * A line that is none of these, or has no D operation, is bad: it is reported and counted, never passed over in
 * silence.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include "notation/fen_fields.h"
#include <stdio.h>

enum { EPD_DEPTHS_MAX = 32, EPD_DEPTH_MAX = 60 };

typedef struct {
    int depth;
    U128 count;
} EpdCount;

typedef struct {
    unsigned line; /* in the file, from 1 */
    Position position;
    bool chess960;           /* the line says so, names rook files, or castles from other squares than standard chess */
    char fen[FEN_GIVEN_MAX]; /* as the file has it, but for the blanks, and with both move counters */
    unsigned n;
    EpdCount known[EPD_DEPTHS_MAX]; /* in the order of the line */
} EpdEntry;

/* Reads one line (up to '\0'). False with an error, which names the place in the line and not the file. */
bool epd_parse(EpdEntry *entry, const char *text, TabiaError *error);

/* Room for a line, and how much of a longer one is passed over in search of its end: a device has lines without end. */
enum { EPD_LINE_MAX = 1 << 14, EPD_LINE_SKIPPED_MAX = 1 << 20 };

/* How many bad lines of a file are named; of the others only how many there are. */
enum { EPD_BAD_SHOWN = 20 };

typedef struct {
    FILE *file, *messages;
    const char *file_name;
    unsigned line, bad; /* lines read; of these, bad ones */
    bool ended;         /* nothing more is read */
    char text[EPD_LINE_MAX];
} EpdFile;

/* False with an error if the file cannot be read. The name must live as long as the file is open. */
bool epd_open(EpdFile *f, const char *file_name, FILE *messages, TabiaError *error);
/* The next position; false at the end. Bad lines before it are counted, and named on `messages` ("FILE:LINE: what is wrong"). */
bool epd_next(EpdFile *f, EpdEntry *entry);
void epd_close(EpdFile *f);
