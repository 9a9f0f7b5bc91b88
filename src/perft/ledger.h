/* SPDX-License-Identifier: MIT */
/*
 * A ledger keeps the finished units of a long count on disk, so that a run killed at any moment can be started again,
 * resumes where it stopped, and still gives the exact total. It is a text that a person can read:
 *
 *   tabia-ledger 1 5a0d8c1b2f3e4d67 perft 11 of rnbqkbnr/pppppppp/... w KQkq - 0 1, units of depth 4
 *                | fingerprint      ^ the run: one line that the caller chose
 *                format version
 *   17 8031647685 0f1e2d3c4b5a6978
 *   ^  ^          ^ checksum over the run's fingerprint, the unit and the count
 *   |  the unit's count
 *   the unit's number, in the order in which units were finished
 *
 * What keeps the total exact:
 *  - A record is written whole by one write, behind the last good one, and believed only if its checksum is right and
 *    the line is, byte for byte, what this program writes. So half a record, a damaged one, and one that was copied in
 *    from another run are all no record, and its unit is merely counted again.
 *  - A ledger of another run is refused, and so is a file that is no ledger, or one whose first line is damaged. Such a
 *    file is left as it is: nothing is ever destroyed but lines that hold no record.
 *  - While a process has a ledger open, every other one is refused it.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include <stdint.h>

/* An open ledger. */
typedef struct Ledger Ledger;

/* Called with each record: unit number `unit` was counted and has `count`. */
typedef void LedgerVisit(void *context, uint64_t unit, U128 count);

/* The longest line that names a run. */
enum { LEDGER_RUN_MAX = 1000 };

/*
 * Opens the ledger file_name, or makes one: also where a file is empty or holds nothing but the beginning of this run's
 * first line. `run` is one line without a line break, at most LEDGER_RUN_MAX characters, and must name all that makes a
 * count what it is: position, depth, how units are made, and of which version.
 *
 * Every good record is passed to visit, in the order of the file, before the function returns. A unit may come more
 * than once (two copies of a ledger put together): the visitor must take the first and leave the rest, they are equal.
 *
 * Damage: lines that are no record are skipped, and those behind the last good record are cut off. *cut_bytes is what
 * they measure together, 0 if all was well (may be null). Damage between good records stays in the file and is
 * reported again the next time.
 *
 * Returns null with an error when the ledger is refused, in use, or cannot be read or written. The caller owns the
 * ledger until ledger_close.
 */
Ledger *ledger_open(const char *file_name, const char *run, LedgerVisit *visit, void *context, uint64_t *cut_bytes,
                    TabiaError *error);

typedef struct {
    char run[LEDGER_RUN_MAX + 1]; /* that it was opened for */
    bool in_use;                  /* a run has it open; others that read it do not count */
    uint64_t damaged_bytes;       /* of no good record */
    double seconds;               /* since it was last written */
} LedgerFacts;
/*
 * Reads a ledger that may be in use, and changes nothing: every good record is passed to visit as by ledger_open. False
 * with an error for a file that is none, or cannot be read.
 */
bool ledger_read(const char *file_name, LedgerVisit *visit, void *context, LedgerFacts *facts, TabiaError *error);

/* Records a finished unit. When it returns true the record survives the end of this process, however it comes; records
   are forced to the disk at most once a second, so a power cut may lose the latest. On failure (disk full) false with
   an error: all earlier records stand, and it may be tried again. Any thread, at any time. */
bool ledger_append(Ledger *ledger, uint64_t unit, U128 count, TabiaError *error);

/* Forces everything to the disk, lets other processes in, frees. False with an error if the disk refused; the ledger is
   closed all the same. Null is fine. No other thread may be using it. */
bool ledger_close(Ledger *ledger, TabiaError *error);
