/* SPDX-License-Identifier: MIT */
/*
 * The formats of training data: names, the fields that each stores, and the functions that decode and encode them. The
 * list is the game's (records/formats.h), and so is what implements it.
 *
 * A conversion loses information in two ways. A field that a format does not store, or not in that range, is lost
 * (data_lost_fields), and the rest of the record is written. A record that would be read back as another one, or that
 * the format cannot encode at all, is rejected (data_rejection) and never written.
 *
 * Threads: formats are constants; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "data/record.h"
#include "records/formats.h"

typedef enum {
#define DATA_REJECT_ENTRY(name, words) DATA_REJECT_##name,
    DATA_REJECTIONS(DATA_REJECT_ENTRY)
#undef DATA_REJECT_ENTRY
        DATA_REJECTIONS_N,
    DATA_ACCEPT = DATA_REJECTIONS_N
} DataRejection;

#define DATA_FORMAT_INDEX(name) DATA_FORMAT_##name,
enum { DATA_FORMATS(DATA_FORMAT_INDEX) DATA_FORMATS_N };

typedef struct DataEncoder DataEncoder;
typedef struct DataDecoder DataDecoder;

/* Constant. The functions are called by encode.h and reader.h only. */
typedef struct {
    const char *name;
    const char *extensions; /* of file names, without the dot, separated by blanks */
    const char *description;
    const char *signature;    /* the first bytes of each of its files; null: they tell nothing */
    unsigned min_record_bits; /* a lower bound on the size of a record, in bits */
    unsigned record_bytes;    /* 0: the size varies */
    DataFields fields;        /* stored in at least some records; all others are always lost */
    DataFields requires;      /* without these no record can be written */
    const char *limits;       /* on the values of the fields it stores, for readers of messages */
    bool white_relative;      /* its 16-bit scores are relative to white; else to the side to move */
    bool named_only;          /* another format's bytes pass for its own: it is not recognized by its bytes */
    bool marks_games;         /* stores where games begin, which elsewhere follows from the moves */

    /* The fields of r that are lost although the format stores them; null: there are none. Only called for records that
       are not rejected. */
    DataFields (*lost_fields)(const DataRecord *r);
    /* Why r cannot be written, besides what `fields` and `requires` imply; null: it always can be. */
    DataRejection (*reject)(const DataRecord *r);
    /* Changes a record into the one that is written and read back, where more than a number changes. False: it is none
       to change, and *to is not written. Null: none is. */
    bool (*normalize)(const DataRecord *r, DataRecord *to);
    /* Appends a record (null: the format is only read); ends the open game (null: records are independent). Memory is
       managed by encode.h. */
    void (*write)(DataEncoder *e, const DataRecord *r);
    void (*end_game)(DataEncoder *e);
    void (*end_chunk)(DataEncoder *e); /* of the chunk around games; null: there is none */
    /* Reads the next record: a DataReadStatus (reader.h). */
    int (*read)(DataDecoder *d, DataRecord *r, TabiaError *error);
    /* Skips what cannot be decoded behind a bad record: DATA_READ_OK, or DATA_READ_ERROR with an error. It is called
       when the next record is asked for, so that the error is reported at once, however many bytes lie behind it.
       Null: nothing is skipped. */
    int (*resync)(DataDecoder *d, TabiaError *error);
} DataFormat;

#define DATA_FORMAT_DECLARED(name) extern const DataFormat data_format_##name;
DATA_FORMATS(DATA_FORMAT_DECLARED)

/* In the order of the list, 0 to DATA_FORMATS_N - 1. */
const DataFormat *data_format(unsigned index);

/* By name; null with an error that lists the names. */
const DataFormat *data_format_by_name(const char *name, TabiaError *error);

/* By the extension of a file name ("games.viri"), or null. Of formats that share one, the first. */
const DataFormat *data_format_by_extension(const char *path);

/* Notation of games (PGN, CSA, KIF): `skip` says that a move has no score; elsewhere that trainers are to skip the record. */
bool data_format_is_notation(const DataFormat *format);

/* A file name ends with an extension, whatever it is. */
bool data_has_extension(const char *path);
/* False with an error if the name says that the file is compressed. path may be NULL. */
bool data_check_output_name(const char *path, TabiaError *error);

/* Has a file name an extension of that format? */
bool data_format_has_name(const DataFormat *format, const char *path);

/* The fields of a record (null: of any record) that are lost by writing it in that format. Game boundaries are lost only
   in formats without moves; elsewhere they follow from the moves. */
DataFields data_lost_fields(const DataFormat *format, const DataRecord *r);

/* Why a record cannot be written in that format, or DATA_ACCEPT. */
DataRejection data_rejection(const DataFormat *format, const DataRecord *r);

/* By reason: "move" and the like; the records that are rejected so: "whose move is unknown". */
extern const DataName data_rejections[DATA_REJECTIONS_N];

/* An accepted record as the format stores it: r itself, or *normalized. */
const DataRecord *data_normalized(const DataFormat *format, const DataRecord *r, DataRecord *normalized);
