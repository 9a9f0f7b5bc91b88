/* SPDX-License-Identifier: MIT */
/*
 * Sets of squares (or of anything else that has 64 members) as one machine word, and the few verbs that
 * everything above is written with. Member n of a set is bit n.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* A function that must vanish into its caller: constant arguments fold away there. Never for one that recurses. */
#define INLINE static inline __attribute__((always_inline))
/* A function that must not: a named instance of such a text, or a slow path kept out of a fast one. */
#define NOINLINE static __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef uint64_t Bits;

/* The least member of a set that is not empty. */
INLINE int first(Bits set) {
    return __builtin_ctzll(set);
}

/* The greatest member of a set that is not empty. */
INLINE int last(Bits set) {
    return 63 - __builtin_clzll(set);
}

INLINE int count(Bits set) {
    return __builtin_popcountll(set);
}

INLINE Bits bit(int member) {
    return (Bits)1 << member;
}

/* Takes the least member out of a set that is not empty, and names it. */
INLINE int pop(Bits *set) {
    int member = first(*set);
    *set &= *set - 1;
    return member;
}

/* More than one member? */
INLINE bool several(Bits set) {
    return (set & (set - 1)) != 0;
}

/* The upper word of the product. Kept apart from what follows: compilers would join a shift with it into one of two
   words (shld), which takes some processors six steps. */
INLINE uint64_t upper_product(uint64_t a, uint64_t b) {
    uint64_t upper = (uint64_t)((unsigned __int128)a * b >> 64);
    __asm__("" : "+r"(upper));
    return upper;
}

/* for each member s (an int declared by the loop) of a set */
#define EACH(s, set)                                                                                                   \
    for (Bits s##_left = (set), s = 0; s##_left && (s = (Bits)first(s##_left), 1); s##_left &= s##_left - 1)
