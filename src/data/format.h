/* SPDX-License-Identifier: MIT */
/*
 * The formats of training data: their names, what each can hold, and the functions that read and write them.
 * docs/data.md describes them byte by byte; each has one file, format_NAME.c.
 *
 *   viri      a game: 32-byte board, then move and score for each ply                     (Viridithas, bullet)
 *   marlin    that board alone, with score and result                                     (Marlinflow)
 *   bin       PackedSfenValue, 40 bytes                                                   (Stockfish, nnue-pytorch)
 *   bullet    ChessBoard, 32 bytes, always as the side to move sees it                    (bullet)
 *   binpack   games as bit streams in chunks                                              (Stockfish, nnue-pytorch)
 *   plain     text, six lines a record                                                    (Stockfish)
 *   binpack960  binpack with the castling rights of Chess960, which only Tabia reads
 *
 * Two ways of losing something are told apart. A field that a format does not hold, or not in that range, is lost
 * (data_lost) and the rest of the record is written. A record that would come back as something else, or that the
 * format has no place for at all, is unfit (data_unfit says why): it is never written.
 */
#pragma once
#include "base/fault.h"
#include "data/record.h"

#define DATA_FORMATS(FORMAT)                                                                                           \
    FORMAT(viri)                                                                                                       \
    FORMAT(marlin)                                                                                                     \
    FORMAT(bin)                                                                                                        \
    FORMAT(bullet)                                                                                                     \
    FORMAT(binpack)                                                                                                    \
    FORMAT(plain)                                                                                                      \
    FORMAT(binpack960)

/* Why a record is not written: name, what records those are. */
#define DATA_UNFITS(UNFIT)                                                                                             \
    UNFIT(move, "whose move is not known")                                                                             \
    UNFIT(skip, "marked to be skipped (score 32002)")                                                                  \
    UNFIT(score, "with a real score of 32002, which would mark them to be skipped")                                    \
    UNFIT(rook, "where a rook other than the outermost may castle")                                                    \
    UNFIT(castling, "with a castling move of Chess960, which other programs' readers cannot follow")
typedef enum {
#define DATA_UNFIT_NUMBER(name, words) DATA_UNFIT_##name,
    DATA_UNFITS(DATA_UNFIT_NUMBER)
#undef DATA_UNFIT_NUMBER
        DATA_UNFITS_N,
    DATA_FIT = DATA_UNFITS_N
} DataUnfit;

#define DATA_FORMAT_NUMBER(name) DATA_FORMAT_##name,
enum { DATA_FORMATS(DATA_FORMAT_NUMBER) DATA_FORMATS_N };

typedef struct DataEncoder DataEncoder;
typedef struct DataDecoder DataDecoder;

/* Constant. The functions are for encode.h and reader.h, which are what callers use. */
typedef struct {
    const char *name;
    const char *endings; /* of files' names, without the dot, a blank apart */
    const char *about;
    const char *family;    /* the format that its bytes are read as and its checksums name; null: its own name */
    unsigned least_bits;   /* of a record: no file has more of them */
    unsigned record_bytes; /* 0: they differ */
    DataFields holds;      /* what some record can get back; the rest is always lost */
    DataFields needs;      /* without these no record can be written */
    const char *limits;    /* within what it holds, in words */
    bool white_scores;     /* its 16 bits of score are white's; else those of the side to move */

    /* The fields of r that reading it back would not give; only asked of fit records. */
    DataFields (*lost)(const DataRecord *r);
    /* Why it cannot be written, besides what `holds` and `needs` say; null: it always can. */
    DataUnfit (*unfit)(const DataRecord *r);
    /* Changes a fit record into the one that is written and read back, where that loses more than a number; null: none
       is changed. */
    void (*fit)(DataRecord *r);
    /* Appends a record; ends the open game (null: records stand alone). Memory is the affair of encode.h. */
    void (*put)(DataEncoder *e, const DataRecord *r);
    void (*end)(DataEncoder *e);
    void (*close)(DataEncoder *e); /* of what goes around games (a chunk); null: nothing does */
    /* See DataRead in reader.h. */
    int (*get)(DataDecoder *d, DataRecord *r, Fault *fault);
    /* Passes over what cannot be followed behind a bad record: DATA_GOOD, or DATA_BROKEN with a fault. It waits until
       the next record is asked for, so that a fault is told at once, however much lies behind it. Null: nothing is. */
    int (*skip)(DataDecoder *d, Fault *fault);
} DataFormat;

#define DATA_FORMAT_DECLARED(name) extern const DataFormat data_format_##name;
DATA_FORMATS(DATA_FORMAT_DECLARED)

/* In the order of the list, 0 to DATA_FORMATS_N - 1. */
const DataFormat *data_format(unsigned number);

/* By name; null with a fault that lists them. */
const DataFormat *data_format_named(const char *name, Fault *fault);

/* By the ending of a path ("games.viri"), or null. */
const DataFormat *data_format_of_path(const char *path);

/* What of a record, or of any record (null), writing it in that format and reading it back does not give again. Where
   games begin is lost only where the format has no moves: elsewhere it shows in the replay. */
DataFields data_lost(const DataFormat *format, const DataRecord *r);

/* Why a record cannot be written in that format, or DATA_FIT if it can. */
DataUnfit data_unfit(const DataFormat *format, const DataRecord *r);

/* "move" and so on; what records are left out for that reason: "whose move is not known". */
const char *data_unfit_name(DataUnfit why);
const char *data_unfit_words(DataUnfit why);

/* A fit record as the format has it: r itself, or *room. */
const DataRecord *data_fitted(const DataFormat *format, const DataRecord *r, DataRecord *room);

/* "viri", or "binpack" of a binpack960. */
const char *data_family(const DataFormat *format);
