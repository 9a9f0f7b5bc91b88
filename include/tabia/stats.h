/* SPDX-License-Identifier: MIT */
/*
 * What a table tells of itself: how full it is, what was obtained from the system, and what happened.
 *
 * Caveats first.
 * - tabia_table_info() reads /proc and takes milliseconds: call it once after create, not during a search.
 * - Counters are 0 unless the table was created with the option `counters`.
 * - While other threads store, all figures are of no single moment.
 * - Figures of a whole with partitions are sums or means of its partitions; ask a partition for its own.
 *
 * NULL is permitted for the table: all figures are then 0.
 *
 * Ownership: the structs are the caller's and are filled in; they point to nothing.
 * Errors: none of these functions can fail.
 * Memory ordering: all reads are relaxed, and nothing is published by them.
 *
 * Example:
 *
 *     TabiaInfo info;
 *     tabia_table_info(table, &info);
 *     if (info.page_bytes < 2 << 20) fprintf(stderr, "the table lies in small pages: probes are slower\n");
 */
#ifndef TABIA_STATS_H
#define TABIA_STATS_H

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns how many slots of a thousand are in use, 0 to 1000: for entries by something of the present generation (the hashfull of
 * the UCI protocol), for the other types by anything stored since the last clear, or in this strict generation (modulo 4).
 * Estimated from at most 1,000 slots, so it takes microseconds. Of a whole: the mean of its partitions, or of some.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     printf("info hashfull %u\n", tabia_table_hashfull(table));
 */
TABIA_API unsigned tabia_table_hashfull(const TabiaTable *table);

/*
 * The same for entries of several generations: stored or refreshed in the present one or up to max_age before it, 0 to 62
 * (more is 62). With 0 it is tabia_table_hashfull(), with 62 it counts all that was stored since the last clear. For the
 * other types max_age has no effect.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     printf("info string %u of 1000 from the last three searches\n", tabia_table_hashfull_age(table, 2));
 */
TABIA_API unsigned tabia_table_hashfull_age(const TabiaTable *table, unsigned max_age);

/*
 * The shape of a table, with all defaults filled in, and the memory that it lies in. What an engine should show its
 * user is bytes and page_bytes: large pages that were silently not obtained cost more speed than most options.
 */
typedef struct TabiaInfo {
    /* The option of that name. */
    TabiaRecordType type;
    /* The rule, the default filled in. */
    TabiaReplacement replacement;
    /* Bytes of all buckets of all partitions: what was requested, rounded down to whole buckets. */
    uint64_t bytes;
    /* Of all partitions together. */
    uint64_t buckets, slots;
    /* Bytes of the pages that at least half of all buckets lie in: 1 GiB, 2 MiB or the system's small page. */
    uint64_t page_bytes;
    /* Generations begun since the table was created or wiped; a clear begins one too. */
    uint64_t generation;
    /* The option of that name. */
    uint64_t identity;
    /* Entries and counts have 1 data word. path_bits and move_bits are 0 where there is no path and no move. */
    unsigned record_words, path_bits, move_bits, user_bits, signature_bits, partitions;
    /* A named table that existed before this process opened it. */
    bool joined;
} TabiaInfo;

/*
 * Fills in *info. Takes milliseconds: the page size is read from /proc.
 *
 * Errors: none. Where /proc is missing, page_bytes is the small page.
 * Threads: any number at any time; pages that are first touched meanwhile may be missed.
 *
 * Example:
 *
 *     TabiaInfo info;
 *     tabia_table_info(table, &info);
 *     printf("%llu MiB in pages of %llu KiB\n", (unsigned long long)info.bytes >> 20,
 *            (unsigned long long)info.page_bytes >> 10);
 */
TABIA_API void tabia_table_info(const TabiaTable *table, TabiaInfo *info);

/*
 * The counters: member, what is counted. Each store is counted in `stores` and in one of the members below it. For
 * types other than entries path_misses and kept stay 0; refused is counted by the rules of TabiaReplacement that refuse.
 *
 * hits / probes is the hit rate. path_misses / hits says what the path key costs. A table with far more replaced_less
 * than filled and replaced_old is too small for its search.
 */
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
    X(replaced_less, "stores over another position of the present generation")

/*
 * What happened in a table: in this process only, also where the table is named.
 */
typedef struct TabiaCounters {
#define TABIA_COUNTER_MEMBER(name, text) uint64_t name;
    TABIA_COUNTERS(TABIA_COUNTER_MEMBER)
#undef TABIA_COUNTER_MEMBER
} TabiaCounters;

/*
 * Fills in *counters with what was counted since the table was created, of a whole the sums of its partitions. A clear
 * or a wipe does not reset them. All 0 unless the table was created with the option `counters`.
 *
 * Errors: none.
 * Threads: any number at any time. Exact when no other call is running; each thread counts in one of 64 parts of its
 * own, with relaxed additions.
 *
 * Example:
 *
 *     TabiaCounters counted;
 *     tabia_table_counters(table, &counted);
 *     if (counted.probes) printf("hit rate %.3f\n", (double)counted.hits / (double)counted.probes);
 */
TABIA_API void tabia_table_counters(const TabiaTable *table, TabiaCounters *counters);

#ifdef __cplusplus
}
#endif
#endif
