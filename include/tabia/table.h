/* SPDX-License-Identifier: MIT */
/*
 * libtabia: a transposition table that threads and processes share without locks.
 *
 * Caveats first.
 * - A table is a cache. A store may replace any other record of its bucket, and a probe may miss what another thread
 *   has just stored. No result may depend on a hit.
 * - A false hit, another position's record, is rare but possible: with the default options one probe in 7e13 of those
 *   that should miss. Test a move from the table before it is played.
 * - A table has one record type. Calling a function of another type is a programming error; debug builds assert it.
 * - With the option `partitions`, threads use the tables that tabia_table_partition() returns. Probes and stores of
 *   the whole are not permitted; clear, wipe, new_generation, resize, hashfull, info and counters are.
 *
 * How it works. A table is an array of buckets of one cache line. A key chooses the bucket; its slots hold records of
 * at most that many keys. The record type is chosen by create:
 *
 *     key -> bucket  | check data | check data | check data | check data |     64 bytes
 *
 *     entries   tabia/entry.h     score, bound, draft, move, evaluation: the transposition table of a search
 *     counts    tabia/counts.h    (position, depth) -> 64-bit number: the table of perft
 *     records   tabia/record.h    1 to 7 words of the caller's own: pawn structure, material, any cache
 *
 * Integrity. The check word is the signature of the key XOR a hash of the data. A reader that meets the check word of
 * one store beside the data of another computes a signature that is neither's, and misses. (Robert Hyatt and Tim Mann,
 * "A lockless transposition table implementation for parallel search", ICGA Journal 25(1), 2002. They XOR the data
 * itself; it is hashed here because equal differences in two words would cancel.)
 *
 * Ownership: the caller owns the table from create to destroy. What a probe returns is a copy: no pointer into the
 * table leaves the library. The library keeps no pointer of the caller after a call has returned.
 *
 * Threads: any number of threads may call any function on one table at any time, without a lock, unless the function
 * says otherwise: destroy, wipe and resize need the table to themselves. The library has no state of its own.
 *
 * Memory ordering: every word of a table is a relaxed atomic. A slot is accepted for what its words say together, never
 * for when they were written, and a hit publishes no other memory. A program that must order a clear or a new
 * generation before the probes of other threads does it as it starts these threads.
 *
 * Errors: a function that returns int returns 0 (TABIA_OK) or a negative TABIA_ERROR_...; the reason, one line of
 * text, is in *error unless that is NULL. NULL is permitted for the table in every function: a probe misses, nothing
 * is stored or changed, figures are 0, and a function that can fail returns TABIA_ERROR_OPTION. Sizes are in bytes.
 *
 * Example:
 *
 *     TabiaTable *table;
 *     TabiaError error;
 *     const TabiaOptions options = {.bytes = 1 << 30};
 *     if (tabia_table_create(&table, &options, &error)) return fprintf(stderr, "%s\n", error.text), 1;
 *     tabia_entry_store(table, key, 0, entry);
 *     TabiaHit hit = tabia_entry_probe(table, key, 0);
 *     tabia_table_destroy(table);
 *
 * Programs link libtabia: cc engine.c $(pkg-config --cflags --libs tabia). docs/table.md puts it into an engine step by
 * step.
 */
#ifndef TABIA_TABLE_H
#define TABIA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "options.h"
#include "stats.h"
#include "versions.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The key of a position: two words, each as good as random and neither computable from the other (Albert Zobrist, "A
 * new hashing method with application for game playing", 1970). `index` chooses the bucket as index * buckets / 2^64,
 * so the number of buckets need not be a power of two (Daniel Lemire, "Fast random integer generation in an interval",
 * 2019); `check` is compared. They share no bits, so the rate of false hits does not grow with the size of the table.
 */
typedef struct TabiaKey {
    uint64_t index, check;
} TabiaKey;

/*
 * Makes both words from a single 64-bit key, for programs that have no second one. The bits that choose the bucket are
 * then lost to the signature: 3.6e-12 false hits for each absent probe at 1 GiB instead of 1.4e-14 (docs/table.md).
 *
 * Errors: none.
 * Threads: any number; a pure function.
 *
 * Example:
 *
 *     const uint64_t zobrist = 0x463b96181691fc9c;
 *     hit = tabia_entry_probe(table, tabia_key_from_64(zobrist), 0);
 */
static inline TabiaKey tabia_key_from_64(uint64_t key) {
    TabiaKey both;
    both.index = key;
    both.check = key << 16 | key >> 48; /* the bits that the index uses last come first */
    return both;
}

/* ---- lifecycle ---- */

/*
 * Creates a table. options and error may be NULL.
 *
 * Ownership: on success *table is the caller's until tabia_table_destroy(); on failure *table is NULL and nothing is
 * kept. *options and its name are copied.
 * Errors: TABIA_ERROR_OPTION; TABIA_ERROR_MEMORY, also where the memory would be touched later only;
 * TABIA_ERROR_STOPPED (by the watch of the options);
 * for a named table TABIA_ERROR_SYSTEM (/dev/shm refuses it)
 * and TABIA_ERROR_FOREIGN (a table of that name exists and differs).
 * Threads: any; it uses up to `threads` threads to touch the memory, which have ended when it returns.
 *
 * Named tables. One with the option `name` lies in /dev/shm/tabia-NAME, for processes of the same user; on systems without that
 * folder in /tmp, on Windows in memory of that name of the user's session. If it exists it is joined, with what it holds. All
 * options but pages, touch, threads and counters must agree. Generations and clears apply to all processes; each counts its own
 * events. The memory is provided at once whatever `touch` says, in transparent huge pages where that file system permits (mount
 * -o remount,huge=advise /dev/shm). The last process to destroy the table removes it; a child of fork() creates its own, and
 * leaves the inherited one alone. A process may be killed at any point: its unfinished store is a miss for the others, and a
 * table that no process uses any more is joined, or replaced if it differs, by the next create.
 *
 * Example:
 *
 *     TabiaTable *own;
 *     TabiaError why;
 *     const TabiaOptions options = {.bytes = 64 << 20};
 *     if (tabia_table_create(&own, &options, &why)) return fprintf(stderr, "%s\n", why.text), 1;
 *     tabia_table_destroy(own);
 */
TABIA_API int tabia_table_create(TabiaTable **table, const TabiaOptions *options, TabiaError *error);

/*
 * Destroys a table and its partitions and returns its memory to the system. NULL is permitted.
 *
 * Ownership: only what create returned is destroyed, never a partition. A named table stays until its last process has
 * destroyed it.
 * Errors: none.
 * Threads: one; no other call may be running on the table or on a partition of it, and none may follow.
 *
 * Example:
 *
 *     TabiaTable *own;
 *     if (tabia_table_create(&own, NULL, NULL)) return 1;
 *     tabia_table_destroy(own);
 */
TABIA_API void tabia_table_destroy(TabiaTable *table);

/*
 * Returns partition number i modulo the number of partitions: a table like any other. Of a table without any it is the
 * table itself, so that a program need not know which kind it has.
 *
 * Ownership: the partition is the whole's and lives as long as it.
 * Errors: none; of NULL it is NULL.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     const unsigned worker = 3;
 *     TabiaTable *own = tabia_table_partition(table, worker);
 *     hit = tabia_entry_probe(own, key, 0);
 */
TABIA_API TabiaTable *tabia_table_partition(TabiaTable *table, unsigned i);

/* ---- generations and clears ---- */

/*
 * Begins a generation: to be called once for each search. Entries of older generations lose priority (age_weight); with
 * strict_generations everything stored before is forgotten. Counts and records ignore generations unless these are
 * strict. Takes nanoseconds for every size. Of a whole: of all its partitions.
 *
 * Caveat: an entry keeps its generation modulo 63, a strict count or record modulo 4. One that lay untouched for a multiple of 63
 * generations looks new to the replacement and to hashfull; strict generations never find it again.
 *
 * Errors: none.
 * Threads: any number at any time; stores that run meanwhile go to either generation.
 *
 * Example:
 *
 *     tabia_table_new_generation(table);
 */
TABIA_API void tabia_table_new_generation(TabiaTable *table);

/*
 * Forgets everything: what was stored before is not found again and does not influence what is replaced. With one thread, results
 * therefore repeat exactly after a clear, also after load and resize, unless signature_bits are few. Of a whole: of all its
 * partitions.
 *
 * Takes nanoseconds: a number that all signatures are XORed with changes, and memory is zeroed in segments of 4 KiB by
 * the first store that comes to each. Every 255th clear also writes one byte for each segment. No memory is returned.
 *
 * Errors: none.
 * Threads: any number at any time. A store or a batch of probes that runs meanwhile may still see what was there.
 *
 * Example:
 *
 *     tabia_table_clear(table);
 */
TABIA_API void tabia_table_clear(TabiaTable *table);

/*
 * Writes zeros to all memory and begins again with generation 0: the table is as create made it, but for its counters,
 * which go on. A clear is enough, unless the cost of the first stores after it is to be paid now. Takes as long as
 * writing so much memory with one thread. Of a whole: of all its partitions.
 *
 * Errors: none.
 * Threads: one; no other call may be running on the table or its partitions, in any process that shares it.
 *
 * Example:
 *
 *     tabia_table_wipe(table);
 */
TABIA_API void tabia_table_wipe(TabiaTable *table);

/*
 * Changes the size to `bytes` (0: 16 MiB) and keeps the content if the system has memory for both sizes at once;
 * otherwise the content is lost, but the table has its new size. *kept, unless NULL, is set on success and tells which.
 * Of a whole: the size of all partitions together.
 *
 * A slot does not contain its key, only its bucket: it is copied to every bucket of the new size that it may belong
 * to. Growing to a multiple therefore keeps everything; otherwise those of higher priority stay where two buckets meet
 * in one. Pointers to the table and to its partitions stay valid.
 *
 * Caveat: of the copies of a slot one is the key's; the others stay as they are when the key is stored again. Where they
 * meet again, after the next resize or a load, what was stored earlier may be what is found. This is harmless for
 * values that stay true, such as scores of positions. A value that you count up may go back to an earlier one.
 *
 * Errors: TABIA_ERROR_OPTION (too small; NULL; a partition), TABIA_ERROR_MEMORY,
 * TABIA_ERROR_UNSUPPORTED (a named table). The table is then as before.
 * Threads: one; no other call may be running on the table or its partitions. It uses up to `threads` threads.
 *
 * Example:
 *
 *     bool kept;
 *     if (tabia_table_resize(table, 32 << 20, &kept, &error)) fprintf(stderr, "%s\n", error.text);
 */
TABIA_API int tabia_table_resize(TabiaTable *table, uint64_t bytes, bool *kept, TabiaError *error);

/* ---- files ---- */

/*
 * Saves a table to a file: the slots in use only, in blocks with a checksum each. The file gets its name when it is complete and
 * written to the disk (fsync); until then, and on failure, what had that name before stays (if the folder alone cannot be synced,
 * the error says that the file is written). A saved table is replaced, another file is not. The new file is readable for all, as
 * the umask has it. A save that is killed leaves a file PATH.PID-N.part. The bytes do not depend on the number of threads. The
 * format is described in src/table/file_format.h. watch may be NULL.
 *
 * Errors: TABIA_ERROR_SYSTEM (the file cannot be written, or what has its name not read), TABIA_ERROR_FOREIGN (that is neither a
 * saved table nor empty), TABIA_ERROR_STOPPED (by the watch), TABIA_ERROR_MEMORY, TABIA_ERROR_OPTION (NULL; a whole of several
 * partitions: save each partition).
 * Threads: any number at any time; what others store meanwhile is saved or not. It uses up to `threads` threads.
 *
 * Example:
 *
 *     if (tabia_table_save(table, "example.tt", NULL, &error)) fprintf(stderr, "%s\n", error.text);
 */
TABIA_API int tabia_table_save(const TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error);

/*
 * Adds the content of a saved file. Where the bucket is full, those of higher priority stay; entries keep their ages. The table
 * may have another size than the saved one (the caveat of tabia_table_resize() holds); record type, words, widths of signature,
 * path, user bits and move, and identity must agree. With strict_generations only what was of the saved table's last generation
 * is added. watch may be NULL.
 *
 * The whole file is verified before the table is changed. After TABIA_ERROR_STOPPED in the second half, or where the
 * file changes while it is read, what had been added stays.
 *
 * Errors: TABIA_ERROR_DAMAGED, TABIA_ERROR_FOREIGN (no saved table, or one that does not agree), TABIA_ERROR_SYSTEM
 * (the file cannot be read), TABIA_ERROR_STOPPED, TABIA_ERROR_MEMORY, TABIA_ERROR_OPTION (NULL; a whole of several
 * partitions).
 * Threads: others may probe and store meanwhile. A clear, or with strict_generations a new generation, forgets what is
 * added. One load at a time: of two, each may lose what the other adds. It uses up to `threads` threads.
 *
 * Example:
 *
 *     if (tabia_table_save(table, "example.tt", NULL, &error)) return 1;
 *     if (tabia_table_load(table, "example.tt", NULL, &error)) fprintf(stderr, "%s\n", error.text);
 */
TABIA_API int tabia_table_load(TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error);

/* ---- prefetch ---- */

/*
 * Prefetches the bucket of a key of entries or records into the caches, to be called some hundred nanoseconds before
 * the probe: for instance when the key of a child is known and its move not yet made. Only key.index is read, so
 * key.check may still be unknown. Counts have tabia_counts_prefetch(), because their bucket depends on the depth.
 *
 * Errors: none; it never faults.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     tabia_table_prefetch(table, key);
 *     hit = tabia_entry_probe(table, key, 0);
 */
TABIA_API void tabia_table_prefetch(const TabiaTable *table, TabiaKey key);

#ifdef __cplusplus
}
#endif
#endif
