/* SPDX-License-Identifier: MIT */
/*
 * What of a named table is the same on all systems: where its parts lie, and what two processes must agree on.
 *
 *     | header | segments' marks | up to a multiple of 2 MiB | lines |
 */
#pragma once
#include "segment.h"
#include "table_internal.h"

enum { LAYOUT = 8, HEADER_BYTES = 4096, BUCKETS_ALIGN = 2 << 20, NAME_MAX_BYTES = 256, WAIT_SECONDS = 10 };

/* Read as a number, so that a machine of the other byte order does not know it. */
static const uint64_t NAMED_MAGIC = 0x54414249412d5454; /* "TABIA-TT" */
/* On Windows the memory goes with the maker that is killed: nothing is left begun. */
#ifndef _WIN32
static const uint64_t NAMED_BEGUN = 0x54414249412d2e2e; /* "TABIA-..": is being made */
#endif

/* Everything that two processes must see alike: name, its value in a table */
#define SHAPE(X)                                                                                                       \
    X(layout, LAYOUT)                                                                                                  \
    X(type, t->options.type)                                                                                           \
    X(bytes, table_bytes(t))                                                                                           \
    X(record_words, t->words)                                                                                          \
    X(path_bits, t->options.type == TABIA_ENTRIES ? t->path_bits : 0)                                                  \
    X(move_bits, t->options.move_bits)                                                                                 \
    X(user_bits, t->options.user_bits)                                                                                 \
    X(signature_bits, t->options.signature_bits)                                                                       \
    X(strict_generations, t->options.strict_generations)                                                               \
    X(age_weight, t->options.type == TABIA_ENTRIES ? t->age_weight : 0)                                                \
    X(exact_bonus, t->options.exact_bonus)                                                                             \
    X(keep_margin, t->options.keep_margin)                                                                             \
    X(refresh_on_hit, t->options.refresh_on_hit)                                                                       \
    X(replacement, t->options.replacement)                                                                             \
    X(identity, t->options.identity)

typedef enum {
#define SHAPE_MEMBER(name, value) SHAPE_##name,
    SHAPE(SHAPE_MEMBER)
#undef SHAPE_MEMBER
        SHAPE_N
} ShapeField;

typedef struct {
    uint64_t magic;
    uint64_t shape[SHAPE_N];
    _Alignas(CACHE_LINE_BYTES) GenerationState generations; /* read by every probe: apart from all else */
} NamedHeader;

_Static_assert(sizeof(NamedHeader) <= HEADER_BYTES, "the header has a page");

/* ---- where its parts lie ---- */

INLINE uint64_t named_segments_end(const TabiaTable *t) {
    return HEADER_BYTES + segments_of(t);
}

INLINE uint64_t named_buckets_offset(const TabiaTable *t) {
    return (named_segments_end(t) + BUCKETS_ALIGN - 1) / BUCKETS_ALIGN * BUCKETS_ALIGN;
}

INLINE uint64_t named_bytes(const TabiaTable *t) {
    return named_buckets_offset(t) + table_bytes(t);
}

/* Has the table use a whole one that begins there. */
void tabia_named_place(TabiaTable *t, char *start);

/* ---- what processes agree on ---- */

void tabia_named_shape(const TabiaTable *t, uint64_t shape[SHAPE_N]);

/* 0, or TABIA_ERROR_FOREIGN with the field that differs and both values. `where` says where the other one lies. */
int tabia_named_compare(const uint64_t there[SHAPE_N], const uint64_t mine[SHAPE_N], const char *name,
                        const char *where, TabiaError *error);
