/* SPDX-License-Identifier: MIT */
/*
 * libtabia: a transposition table that threads and processes share without locks.
 *
 *     TabiaTable *table;
 *     TabiaError why;
 *     TabiaOptions options = {.bytes = 1 << 30};
 *     if (tabia_table_create(&table, &options, &why)) return puts(why.text), 1;
 *     ...
 *     tabia_table_destroy(table);
 *
 * A table is an array of cache lines. A key chooses a bucket; the slots of a bucket hold what is known of at most that
 * many keys. What a slot holds is the table's record type, chosen when it is made:
 *
 *     entries   tabia/entry.h     score, bound, draft, move, evaluation: the transposition table of a search
 *     counts    tabia/counts.h    (position, depth) -> 64-bit number: the table of perft
 *     records   tabia/record.h    1 to 7 words of the caller's own: pawn structure, material, any cache
 *
 * How threads share it. Every word in the table is a relaxed atomic. A slot is a check word and one or more data words;
 * the check word is the position's signature XOR a hash of the data (Robert Hyatt and Tim Mann, "A lockless
 * transposition table implementation for parallel search", ICGA Journal 25(1), 2002), so that a reader who meets one
 * writer's check beside another's data computes a signature that is neither's, and sees a miss. What a probe returns is
 * a copy: no pointer into the table leaves the library. Nothing else is ordered: a probe may miss what another thread
 * has just stored, and what it finds says nothing of other memory.
 *
 * Threads. Unless a function says otherwise, any number of threads may call it on one table at any time. `create`,
 * `destroy`, `resize` and `load` need the table to themselves where their descriptions say so.
 *
 * NULL. Every call but `create` takes NULL for the table, as an engine may give it that makes moves before its table is
 * there: a probe misses, nothing is stored or changed, what is asked for is 0, and a call that can fail returns
 * TABIA_ERROR_OPTION.
 *
 * Zero in TabiaOptions means the default; {0} is a good table. Several tables may live in one process; the library has
 * no state of its own.
 */
#ifndef TABIA_TABLE_H
#define TABIA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TabiaTable TabiaTable;

/*
 * The key of a position: two words, each as good as random (Albert Zobrist, "A new hashing method with application for
 * game playing", 1970), neither computable from the other. `index` chooses the bucket, by multiply-high, so that a
 * table may have any number of buckets; `check` is compared. Because they share no bits, the rate of false hits is that
 * of the signature's width whatever the size of the table.
 */
typedef struct TabiaKey {
    uint64_t index, check;
} TabiaKey;

/* For programs with a single 64-bit key: both words from the one. The bits that choose the bucket then leave the
   signature: at 1 GiB some 3.6e-12 false hits a probe instead of 1.4e-14 (docs/table.md). */
static inline TabiaKey tabia_key_from_64(uint64_t key) {
    TabiaKey both;
    both.index = key;
    both.check = key << 16 | key >> 48; /* the bits that the index uses last come first */
    return both;
}

typedef enum TabiaRecordType {
    TABIA_ENTRIES = 0,
    TABIA_COUNTS,
    TABIA_RECORDS,
} TabiaRecordType;

/* What keeps a reader from believing a mixed slot. */
typedef enum TabiaIntegrity {
    TABIA_INTEGRITY_DEFAULT = 0, /* xor */
    TABIA_XOR,                   /* the check word depends on the data: any CPU, any number of words */
    TABIA_WIDE,   /* one aligned 16-byte access, atomic on x86 with AVX (Intel SDM 3A 9.1.1, AMD APM 2 7.3.2)
                     and on arm64 with LSE2. Records of 2 or more words need more than that: they get xor */
    TABIA_LOCKED, /* a spinlock around every access: for comparison */
    TABIA_NONE,   /* nothing: for comparison, and for a table that one thread uses */
} TabiaIntegrity;

/* Who uses which part. tabia_table_partition gives each thread its own. */
typedef enum TabiaSharing {
    TABIA_SHARED = 0,  /* all threads the whole */
    TABIA_PARTITIONED, /* one memory, cut into equal partitions that know nothing of each other */
    TABIA_PRIVATE,     /* each partition in memory of its own, first touched by one thread, near it: by one of create's
                          threads, or with TABIA_TOUCH_LATER by the one that uses it */
} TabiaSharing;

typedef enum TabiaPages {
    TABIA_PAGES_LARGEST = 0, /* reserved pages of 1 GiB, else of 2 MiB, else transparent ones, else small */
    TABIA_PAGES_SMALL,       /* the system's small pages only: for comparison */
} TabiaPages;

typedef enum TabiaTouch {
    TABIA_TOUCH_PARALLEL = 0, /* create makes the system provide all memory, with all processors at once */
    TABIA_TOUCH_LATER,        /* pages are provided when they are first used: create returns at once */
} TabiaTouch;

enum {
    TABIA_BYTES_DEFAULT = 16 << 20,
    TABIA_PATH_BITS_DEFAULT = 16,
    TABIA_NO_PATH_BITS = 255, /* path_bits: none, the signature has all 64 bits */
    TABIA_AGE_DEFAULT = 8,    /* an entry is worth this many plies less for each generation since it was stored */
    TABIA_AGE_IGNORED = 255,  /* age_weight: old entries are worth as much as new ones */
    TABIA_RECORD_WORDS_MAX = 7,
};

/* Called by the calling thread of a long call: at the beginning of each part of it, then some times a second; true ends
   the call early. bytes_all is for a creation and a save the size of the table, for a load twice that of the file,
   which is read twice. */
typedef struct TabiaWatch {
    bool (*stop)(void *context, uint64_t bytes_done, uint64_t bytes_all);
    void *context;
} TabiaWatch;

typedef struct TabiaOptions {
    uint64_t bytes;           /* of all partitions together; any number of at least 64 a partition. 0: 16 MiB */
    TabiaRecordType type;     /* 0: entries */
    unsigned record_words;    /* records: data words each, 1 to 7. 0: 3 */
    TabiaIntegrity integrity; /* 0: xor */
    TabiaSharing sharing;     /* 0: shared */
    unsigned partitions;      /* partitioned, private: how many. 0: 1 */
    bool strict_generations;  /* what was stored in another generation is no hit at all */
    bool probing_off;         /* every probe misses and nothing is stored */
    unsigned path_bits;       /* entries: of the path key, 1 to 32. 0: 16; TABIA_NO_PATH_BITS: none */
    unsigned signature_bits;  /* fewer than there is room for, at least 8: for experiments. 0: all there is room for */
    unsigned ways;            /* entries, counts: slots in a bucket, 1, 2 or 4. 0: 4, a whole line */
    unsigned age_weight;      /* entries: plies a generation costs, 1 to 254. 0: 8; TABIA_AGE_IGNORED */
    unsigned locks;           /* locked: spinlocks, a power of two. 0: 4096; 1: one for the whole table */
    TabiaPages pages;         /* 0: the largest to be had */
    bool numa_interleave;     /* spread pages over the memory nodes in turn */
    TabiaTouch touch;         /* 0: at once, in parallel */
    unsigned threads;  /* for touching, resizing, saving and loading. 0: one for each processor that may be used */
    bool counters;     /* count what happens: tabia_table_counters. Takes 8 bits from the signature */
    const char *name;  /* of memory shared between processes, letters, digits, - _ . only; NULL: none */
    uint64_t identity; /* of what keys and data mean (a hash of the Zobrist numbers, a version): saved files and named
                          tables of another identity are refused. 0 is one like any other */
    const TabiaWatch *watch; /* asked while memory is touched; used by tabia_table_create alone, not kept. NULL: none */
} TabiaOptions;

/*
 * Makes a table. On success *table is the caller's until tabia_table_destroy. On failure *table is NULL, nothing is
 * kept, and the result is TABIA_ERROR_OPTION, _MEMORY, _UNSUPPORTED (wide), _SYSTEM, _STOPPED (by the watch), or
 * _FOREIGN: a named table exists already and is of another shape. More memory than the system, or this process's control
 * group, has to give is refused here, also when it would be touched later only. options and error may be NULL.
 *
 * A named table lies in /dev/shm/tabia-NAME, for processes of the same user. One that exists is joined with what it
 * holds. All options but pages, numa_interleave, touch, threads and probing_off must agree. Generations and clears are
 * everybody's; each process counts its own events. The memory is provided at once whatever `touch` says, in transparent
 * huge pages where that file system has them (mount -o remount,huge=advise /dev/shm). The last process to destroy the
 * table removes it. A process that is killed harms nobody: the others go on, what it was storing is a miss, and when
 * nobody is left, the next to come joins what is there, or replaces it by another shape. The exception is `locked`: who
 * is killed with a lock in hand blocks the others for ever at that lock.
 */
TABIA_API int tabia_table_create(TabiaTable **table, const TabiaOptions *options, TabiaError *error);

/* Gives all back. NULL is fine; no other call may be running, and no partition may be used afterwards. */
TABIA_API void tabia_table_destroy(TabiaTable *table);

/* Partition number i modulo the number of partitions: a table like any other, owned by the whole. For a shared table
   the table itself. */
TABIA_API TabiaTable *tabia_table_partition(TabiaTable *table, unsigned i);

/*
 * Begins a generation: one for each search. What was stored before is worth less (age_weight), with strict_generations
 * it is forgotten. Takes the same few nanoseconds for every size. The field that entries keep has 63 values; an entry
 * that lay untouched for a multiple of 63 generations looks fresh to the default replacement and to hashfull, but
 * strict generations never see it again. Stores that run meanwhile go to either generation. Applies to all partitions of a
 * whole.
 */
TABIA_API void tabia_table_new_generation(TabiaTable *table);

/*
 * Forgets everything, in the same few nanoseconds for every size. Nothing of before is found again, and nothing of
 * before has a say in what is replaced, however many clears and generations follow: with one thread, results repeat
 * exactly, after load and resize too. The first store into each 4 KiB after a clear zeroes them, which takes as long as
 * writing so much memory. Memory is not given back. Applies to all partitions of a whole.
 */
TABIA_API void tabia_table_clear(TabiaTable *table);

/*
 * Makes the table as it was when it was made, generation 0 and all memory zeros: a clear that writes all the memory at
 * once, and leaves nothing to later stores. Applies to all partitions of a whole; no other call may be running on it, in
 * any process that shares it.
 */
TABIA_API void tabia_table_wipe(TabiaTable *table);

/*
 * Changes the size to `bytes` and keeps the content when the system has memory for both at once: entries move to their
 * new buckets, those of higher priority stay. Otherwise the content is lost, but the table has its new size. *kept (may be
 * NULL) tells. A slot does not know its key, only its bucket: it goes to every bucket of the new size that it may
 * belong to. Growing to a whole multiple therefore keeps all; to other sizes, new buckets that two old ones overlap
 * keep the worthiest of both. On failure (TABIA_ERROR_OPTION, _MEMORY, _UNSUPPORTED for a named table) the old table
 * stays as it is. Of a whole: the size of all partitions together. No other call may be running.
 */
TABIA_API int tabia_table_resize(TabiaTable *table, uint64_t bytes, bool *kept, TabiaError *error);

/* Slots in a thousand that hold something of the present generation (entries) or of the time since the last clear
   (counts, records), from a sample of 1,000 slots at most. Of a whole: the mean of its partitions, which have equal parts of
   the sample, one bucket each at least. */
TABIA_API unsigned tabia_table_hashfull(const TabiaTable *table);

typedef struct TabiaInfo {
    TabiaRecordType type;
    TabiaIntegrity integrity; /* as obtained: records of several words say xor where wide was asked for */
    TabiaSharing sharing;
    uint64_t bytes; /* really obtained, all partitions */
    uint64_t buckets, slots;
    uint64_t page_bytes; /* that most of the touched memory really lies in; reads /proc, takes milliseconds */
    uint64_t generation; /* since the table was made */
    uint64_t identity;   /* as given */
    unsigned record_words, path_bits, signature_bits, ways, partitions;
    unsigned memory_nodes; /* on which the touched memory really lies; reads /proc */
    bool joined;           /* a named table that was there before */
} TabiaInfo;

TABIA_API void tabia_table_info(const TabiaTable *table, TabiaInfo *info);

/* name, what is counted */
#define TABIA_COUNTERS(X)                                                                                              \
    X(probes, "probes")                                                                                                \
    X(hits, "probes that found their position")                                                                        \
    X(path_misses, "of the hits: the path was another, the score not usable")                                          \
    X(stores, "stores")                                                                                                \
    X(filled, "stores into an empty slot, or one from before a clear")                                                 \
    X(updated, "stores over what was known of the same position")                                                      \
    X(kept, "stores that left what was known of the same position, but for the move")                                  \
    X(refused, "stores that were worth less than all there was")                                                       \
    X(replaced_old, "stores over another position of an older generation")                                             \
    X(replaced_less, "stores over another position of the present generation")                                         \
    X(torn, "slots met that no single store wrote (xor; of 256, one escapes)")

typedef struct TabiaCounters {
#define TABIA_COUNTER_MEMBER(name, text) uint64_t name;
    TABIA_COUNTERS(TABIA_COUNTER_MEMBER)
#undef TABIA_COUNTER_MEMBER
} TabiaCounters;

/* What was counted since the table was made, of a whole the sums. All 0 unless it was made with `counters`. Exact when
   no other call is running. */
TABIA_API void tabia_table_counters(const TabiaTable *table, TabiaCounters *counters);

/*
 * Writes all that is known into a file: the slots in use only, in blocks that each carry a checksum. The file appears
 * under its name when it is whole; until then, and on failure, what was there before stays. What is saved is the same
 * whatever the number of threads. Others may probe and store meanwhile. Of a whole with several partitions:
 * TABIA_ERROR_OPTION, save and load each partition. watch may be NULL. The format: src/table/file_format.h.
 */
TABIA_API int tabia_table_save(const TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error);

/*
 * Adds what a file holds, entries of higher priority stay. The table may have another size than the saved one;
 * record type, words, widths of signature and path, and identity must agree. The whole file is checked first: if it is damaged
 * (TABIA_ERROR_DAMAGED), of another kind (_FOREIGN) or cannot be read (_SYSTEM), the table is as before. Stopped while
 * slots are being added, or met by a file that changes in that very moment, it keeps those that were added by then.
 * Ages are kept. With strict_generations only what was of the saved table's last generation is added. Others may probe
 * and store meanwhile.
 */
TABIA_API int tabia_table_load(TabiaTable *table, const char *path, const TabiaWatch *watch, TabiaError *error);

/* Brings a bucket's line towards the processor. Ask some hundred nanoseconds before the probe. key.index alone chooses the
   bucket: key.check may be anything. For entries and records; counts have their own, because the depth takes part. */
TABIA_API void tabia_table_prefetch(const TabiaTable *table, TabiaKey key);

/* The library's version, "major.minor.patch". */
TABIA_API const char *tabia_version(void);

#ifdef __cplusplus
}
#endif
#endif
