/* SPDX-License-Identifier: MIT */
/*
 * Verifies a data file. Every record is read as strictly as always (reader.h); besides, these kinds of faults are found:
 *
 *   record       refused by the reader: an invalid position, an illegal move, a number out of range, a truncated tail
 *   clock        a halfmove clock above the number of plies played, or above 150, or not 0 after a pawn's double step
 *   score        beyond the limit; 32002 in bin, binpack and plain marks a record to be skipped, and is only counted
 *   unused       bits set that the format leaves unused; readers do not look at them
 *   continuity   a record that continues the game before it by its position, but not by its result, ply or move counters
 *   result       a game that ends in mate or stalemate with another result
 *   checksum     blocks that do not match the checksums beside the file (block_checksums.h)
 */
#pragma once
#include "block_checksums.h"
#include "data/source.h"

#define DATA_FAULTS(KIND) KIND(record) KIND(clock) KIND(score) KIND(unused) KIND(continuity) KIND(result) KIND(checksum)
#define DATA_FAULT_INDEX(name) DATA_FAULT_##name,
enum { DATA_FAULTS(DATA_FAULT_INDEX) DATA_FAULTS_N };

/* "record" and so on. */
const char *data_fault_name(unsigned fault);

typedef struct {
    uint64_t ignored; /* faults that are counted and forgiven: bit i for fault i */
    /* Called for each fault that is not ignored, with a text that names record, byte and error. May be null. */
    void (*on_fault)(void *context, unsigned fault, const char *text);
    void (*on_progress)(void *context, const DataProgress *progress); /* every 4096 records; may be null */
    void *context;
} DataCheckOptions;

typedef struct {
    const DataFormat *format, *named_format; /* named: data_reader_named_format */
    uint64_t bytes, records, games;          /* good records */
    uint64_t skipped;                        /* records marked to be skipped */
    uint64_t faults[DATA_FAULTS_N];          /* by fault, ignored ones too */
    uint64_t fault_count, ignored_count;     /* in total */
    bool has_checksums;
    DataPrefix checksums;
} DataCheckReport;

/* Verifies one file. DATA_DONE whatever was found; otherwise the error says why it could not be verified. */
DataOutcome data_check_file(const char *path, const DataFormat *format, const DataCheckOptions *options,
                            DataCheckReport *report, TabiaError *error);
