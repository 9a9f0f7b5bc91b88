/* SPDX-License-Identifier: MIT */
/*
 * The options of a table, for tabia_table_create(). 0 is the default of every member, so {0} describes a table of
 * 16 MiB of entries that all threads share.
 *
 * Caveats first.
 * - `signature_bits` and TABIA_PAGES_SMALL make a table worse. They exist so that experiments can measure what the
 *   defaults are worth.
 * - `counters` costs an atomic addition for each event.
 * - `strict_generations` and `partitions` make threads forget or miss what others found. They buy results that do not
 *   depend on the number of threads, and lose hits.
 * - With `partitions`, threads probe and store in the tables that tabia_table_partition() returns, never in the whole.
 *
 * Ownership: an options struct is the caller's; create copies it, the name included, but not the watch.
 * Errors: a value out of its range makes create return TABIA_ERROR_OPTION with a line that names member and range.
 *
 * Example:
 *
 *     const TabiaOptions search = {.bytes = 1 << 30};
 *     const TabiaOptions perft = {.bytes = 1 << 30, .type = TABIA_COUNTS};
 *     const TabiaOptions pawns = {.bytes = 1 << 20, .type = TABIA_RECORDS, .record_words = 3};
 *     const TabiaOptions generator = {.bytes = 64 << 20, .partitions = 4};
 */
#ifndef TABIA_OPTIONS_H
#define TABIA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A table. Made by tabia_table_create(), destroyed by tabia_table_destroy(). The struct is not public: its content is
 * reached through functions only, so that a program compiled against one version runs with the next.
 */
typedef struct TabiaTable TabiaTable;

/*
 * What a slot of the table holds: the record type. A table has one for its whole life, and each has functions of its
 * own. A program with two kinds of records, such as positions and pawn structures, creates two tables.
 */
typedef enum TabiaRecordType {
    /*
     * One entry of a search for each position: move, score, evaluation, draft, bound. 16 bytes; entry.h.
     */
    TABIA_ENTRIES = 0,
    /*
     * A 64-bit number for each position and depth, such as the leaves of a perft. 16 bytes; counts.h.
     */
    TABIA_COUNTS,
    /*
     * 1 to 7 words of the caller's own for each key. 8 bytes more than the words; record.h.
     */
    TABIA_RECORDS,
} TabiaRecordType;

/*
 * The pages that the memory is requested in. A table larger than the caches is read at random: with small pages nearly
 * every probe also walks the page tables. tabia_table_info() says which pages were obtained.
 */
typedef enum TabiaPages {
    /*
     * Reserved pages of 1 GiB, else reserved pages of 2 MiB, else transparent huge pages, else small pages. Less than 1 MiB
     * lies in small pages.
     */
    TABIA_PAGES_LARGEST = 0,
    /* Small pages only: for comparison. */
    TABIA_PAGES_SMALL,
} TabiaPages;

/*
 * When the system provides the memory. Zeroing pages takes about as long as writing so much memory; the choice is who
 * waits for it.
 */
typedef enum TabiaTouch {
    /*
     * Within create, by `threads` threads: no page faults afterwards.
     */
    TABIA_TOUCH_PARALLEL = 0,
    /*
     * Page by page, when a page is first used: create returns at once, and each page's first user waits.
     */
    TABIA_TOUCH_LATER,
} TabiaTouch;

/*
 * Which slot of a full bucket a new entry or count gets, if any. Before any rule applies, the key's own slot, an empty slot or,
 * with strict generations, a slot of an older generation is used (of counts and records: of another one modulo 4). What a rule
 * compares is the priority: of a count the count, of an entry the draft, exact_bonus more for an exact score, less age_weight for
 * each generation since it was stored. On equality the new one is stored, over the first of several. A record has no priority,
 * unless the rule makes its last word one, which resize and load do not look at. docs/experiments has what the rules were
 * measured to be worth.
 */
typedef enum TabiaReplacement {
    /*
     * Entries and records: TABIA_REPLACE_ALWAYS. Counts: TABIA_REPLACE_DEPTH_AND_AGE.
     */
    TABIA_REPLACEMENT_DEFAULT = 0,
    /* The slot of lowest priority, however low that of the new one is: what is new is always stored. */
    TABIA_REPLACE_ALWAYS = 1,
    /*
     * Entries: the slot of lowest priority, if that is not higher than that of the new one; else the new one is refused.
     * Counts: the slot of lowest priority; what is new is always stored. A count has half the priority for each that was
     * stored in its bucket after it: slots lie in the order in which they were stored, and a store moves those in front
     * of the slot that is given up back by one. Records: the slot whose last word is the smallest; what is new is always
     * stored.
     */
    TABIA_REPLACE_DEPTH_AND_AGE = 3,
} TabiaReplacement;

/* Defaults, limits, and values that switch something off. */
enum {
    /* bytes: 16 MiB, as the Hash of Stockfish. */
    TABIA_BYTES_DEFAULT = 16 << 20,
    /* path_bits: one path in 65,536 is taken for another. */
    TABIA_PATH_BITS_DEFAULT = 16,
    /* path_bits: none; the signature has all 64 bits, and every bound is usable. */
    TABIA_NO_PATH_BITS = 255,
    /* move_bits: what most engines pack a move into. */
    TABIA_MOVE_BITS_DEFAULT = 16,
    /* move_bits: all of TabiaEntry.move. */
    TABIA_MOVE_BITS_MAX = 32,
    /* user_bits: all of TabiaEntry.user. */
    TABIA_USER_BITS_MAX = 16,
    /* age_weight: plies of priority that an entry loses for each generation since it was stored. */
    TABIA_AGE_DEFAULT = 8,
    /* age_weight: generations do not change the priority of entries. */
    TABIA_AGE_IGNORED = 255,
    /* exact_bonus: plies of priority that an exact score adds. */
    TABIA_EXACT_BONUS_DEFAULT = 1,
    /* exact_bonus: an exact score has the priority of a bound. */
    TABIA_NO_EXACT_BONUS = 255,
    /* keep_margin: how many plies shallower a store is that leaves a deeper entry of its position alone. */
    TABIA_KEEP_MARGIN_DEFAULT = 4,
    /* keep_margin: a store always takes the place of what is known of its position. */
    TABIA_KEEP_NEVER = 255,
    /* record_words: with the check word they fill a cache line. */
    TABIA_RECORD_WORDS_MAX = 7,
};

/*
 * Watches a creation, a save or a load, and may end it.
 *
 * stop is called by the thread that made the call, when a part of the work begins and then about fifty times a second;
 * true ends the call with TABIA_ERROR_STOPPED. bytes_all is for a creation and a save the size of the table, for a
 * load twice that of the file, which is read twice; bytes_done grows from 0 to at most that. stop is not NULL. It must
 * not destroy, wipe or resize the table.
 */
typedef struct TabiaWatch {
    bool (*stop)(void *context, uint64_t bytes_done, uint64_t bytes_all);
    /* First argument of stop. */
    void *context;
} TabiaWatch;

/* How tabia_table_create() makes a table. */
typedef struct TabiaOptions {
    /*
     * Size in bytes of all partitions together, rounded down to whole buckets: at least 64 for each partition, no power
     * of two needed, at most what the system has to give. 0: 16 MiB. A byte for each 4 KiB comes on top of
     * it, and for each partition 512 bytes, with `counters` 8 KiB more.
     */
    uint64_t bytes;
    /* 0: entries. */
    TabiaRecordType type;
    /*
     * Records: data words of each, 1 to 7. 0: 3. A cache line holds 4 records of 1 word, 2 of 2 or 3, 1 of more.
     * Ignored for the other types.
     */
    unsigned record_words;
    /*
     * 0 or 1: all threads use the whole table, and what one found helps all. More: the memory is cut into so many equal
     * partitions, which tabia_table_partition() returns; what is stored in one is not found in another. A generator of
     * training data gives each game one, so that its games do not depend on the number of threads.
     */
    unsigned partitions;
    /*
     * What was stored in another generation is never found: for searches that must not see each other's results, as in
     * a generator that searches at a fixed depth, where nothing repairs a wrong score.
     */
    bool strict_generations;
    /*
     * Entries: bits of the path key that are stored, 1 to 32. 0: 16; or TABIA_NO_PATH_BITS. They are taken from the
     * signature. Ignored for the other types.
     */
    unsigned path_bits;
    /*
     * Entries: bits of a move, 16 to 32. 0: 16. Those above 16 are taken from the signature, so that with 32 and the
     * default path 32 bits are left to it, with TABIA_NO_PATH_BITS 48.
     * Ignored for the other types.
     */
    unsigned move_bits;
    /*
     * Entries: bits of TabiaEntry.user that are stored, 0 to 16: whether the position was in the principal variation,
     * for instance. They are taken from the signature. Ignored for the other types.
     */
    unsigned user_bits;
    /*
     * Bits of the signature, from 8 to what path, user bits and move leave of 64. 0: all of these. Each bit less
     * doubles the rate of false hits: for experiments with it.
     */
    unsigned signature_bits;
    /*
     * Entries: plies of priority that each generation costs, 1 to 254. 0: 8; or TABIA_AGE_IGNORED. Ignored
     * with strict generations, and as the next two for the other types.
     */
    unsigned age_weight;
    /*
     * Entries: plies of priority that an exact score adds, 1 to 254. 0: 1; or TABIA_NO_EXACT_BONUS.
     */
    unsigned exact_bonus;
    /*
     * Entries: a store that is not exact leaves what is known of its position, but for the move, where that is so many
     * plies deeper or more, of the same path and generation. 1 to 254. 0: 4; or TABIA_KEEP_NEVER.
     */
    unsigned keep_margin;
    /*
     * Entries: a probe that finds an entry of an older generation gives it the present one, as tabia_entry_refresh()
     * does; the hit still tells the generation of before. Such a probe writes to the table.
     */
    bool refresh_on_hit;
    /*
     * 0: the default of the record type.
     */
    TabiaReplacement replacement;
    /*
     * 0: TABIA_PAGES_LARGEST. On a machine with several NUMA nodes `numactl --interleave=all PROGRAM` spreads the pages
     * over all of them.
     */
    TabiaPages pages;
    /* 0: TABIA_TOUCH_PARALLEL. */
    TabiaTouch touch;
    /*
     * Threads that touch, resize, save and load, at most 4096. 0: one for each usable processor. Any number may probe.
     */
    unsigned threads;
    /*
     * Count what happens, for tabia_table_counters(). Makes every call slower.
     */
    bool counters;
    /*
     * Name of a table that processes share: 1 to 200 letters, digits, '-', '_' and '.', the first not '.'. NULL: none.
     * A table with partitions has none. See tabia_table_create().
     */
    const char *name;
    /*
     * What keys and data mean: a hash of the Zobrist numbers and of a version. Saved files and named tables of another
     * identity are refused. 0 is a value like any other.
     */
    uint64_t identity;
    /*
     * Asked while create touches the memory, and not kept. NULL: none.
     */
    const TabiaWatch *watch;
} TabiaOptions;

#ifdef __cplusplus
}
#endif
#endif
