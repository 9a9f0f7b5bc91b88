/* SPDX-License-Identifier: MIT */
/*
 * Sets of squares (or of anything else that has 64 members) as one 64-bit word, and the operations on them. Member n
 * of a set is bit n.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* A function that is always inlined: constant arguments fold away. Not for recursive functions. */
#define INLINE static inline __attribute__((always_inline))
/* A function that is never inlined: an instance with constant arguments, or a slow path kept out of a fast one. */
#define NOINLINE static __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Before a return of a call of the same type: a jump, so that the function in front of it needs no stack frame even where
   what is returned lies in memory. For speed only. */
#if defined(__has_attribute)
#if __has_attribute(musttail)
#define TAIL_CALL __attribute__((musttail))
#endif
#endif
#ifndef TAIL_CALL
#define TAIL_CALL
#endif

typedef uint64_t Bits;

/* The least member of a set that is not empty (least significant bit). */
INLINE int lsb(Bits set) {
    return __builtin_ctzll(set);
}

/* The greatest member of a set that is not empty (most significant bit). */
INLINE int msb(Bits set) {
    return 63 - __builtin_clzll(set);
}

#ifdef __NetBSD__
#include <strings.h> /* has a function of this name */
#define popcount bits_popcount
#endif
INLINE int popcount(Bits set) {
    return __builtin_popcountll(set);
}

INLINE Bits bit(int member) {
    return (Bits)1 << member;
}

/* Removes the least member of a set that is not empty, and returns it. */
INLINE int pop_lsb(Bits *set) {
    int member = lsb(*set);
    *set &= *set - 1;
    return member;
}

/* Does the set have more than one member? */
INLINE bool more_than_one(Bits set) {
    return (set & (set - 1)) != 0;
}

/* for each member s (an int declared by the loop) of a set */
#define EACH(s, set)                                                                                                   \
    for (Bits s##_left = (set), s = 0; s##_left && (s = (Bits)lsb(s##_left), 1); s##_left &= s##_left - 1)
