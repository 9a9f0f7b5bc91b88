/* SPDX-License-Identifier: MIT */
/*
 * Is a data file what it claims to be? Every record is read as strictly as always (reader.h), and besides:
 *
 *   bytes     what the reader refuses: no valid position, an illegal move, a number out of its range, a truncated tail
 *   clock     more plies since the last capture or pawn move than were played, or more than 150; or not 0 after a
 *             pawn's double step
 *   score     beyond the limit; 32002 in bin, binpack and plain marks a record to be skipped, and is counted only
 *   game      a record that continues the game before it by its position, but not by its result, ply or clocks
 *   end       a game that ends in mate or stalemate with another result
 *   sums      blocks that have not the checksums beside the file (sums.h)
 */
#pragma once
#include "block_checksums.h"
#include "data/source.h"

#define DATA_FAULTS(KIND) KIND(bytes) KIND(clock) KIND(score) KIND(game) KIND(end) KIND(sums)
#define DATA_FAULT_NUMBER(name) DATA_FAULT_##name,
enum { DATA_FAULTS(DATA_FAULT_NUMBER) DATA_FAULTS_N };

/* "bytes" and so on. */
const char *data_fault_name(unsigned kind);

typedef struct {
    int score_most; /* the greatest score without its sign; 0: 32000 */
    /* Called for each fault, with a line that names record, byte and fault. May be null. */
    void (*visit)(void *context, unsigned kind, const char *line);
    void (*progress)(void *context, const DataProgress *progress); /* may be null */
    void *context;
} DataCheck;

typedef struct {
    const DataFormat *format;
    uint64_t bytes, records, games; /* good ones */
    uint64_t skip_marks;
    uint64_t faults[DATA_FAULTS_N], faulty; /* by kind, and together */
    bool has_sums;
    DataPrefix sums;
} DataVerdict;

/* Checks one file. DATA_DONE with whatever was found; otherwise the fault says why it could not be checked. */
DataOutcome data_check_file(const char *path, const DataFormat *format, const DataCheck *check, DataVerdict *verdict,
                            Fault *fault);
