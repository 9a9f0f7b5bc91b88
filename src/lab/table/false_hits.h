/* SPDX-License-Identifier: MIT */
/*
 * How often is a key found that was never stored? A table is filled with random keys; each entry carries the number of
 * its key in a shadow, an array that holds all keys in full. Then random keys are asked for, and each hit is judged by
 * the shadow: the number leads to the very key that was asked for, or the hit is false.
 *
 *     expected a probe:   ways * fill * 2^-bits
 *
 * bits: those of the signature. When one 64-bit key serves as index and as signature (tabia_key_from_64), the bits that
 * are in both tell nothing new: with 2^n buckets n - 16 of them, if that is more than none.
 */
#pragma once
#include "base/error.h"
#include "tabia/table.h"

typedef struct {
    unsigned signature_bits; /* 8 to 48, or 64: no path bits */
    bool one_word;           /* keys of 64 bits in all */
    uint64_t bytes;          /* of the table: a power of two */
    uint64_t probes;
    unsigned threads;
    uint64_t seed;
    /* Called some times a second with the share done. May be NULL. */
    void (*progress)(void *context, double share);
    void *context;
} FalseCase;

typedef struct {
    uint64_t probes, false_hits;
    uint64_t true_hits; /* the key asked for had been stored: about never */
    double fill;        /* share of the slots in use, counted one by one */
    double formula;     /* false hits a probe */
} FalseResult;

/* The formula for that fill. */
double false_formula(const FalseCase *c, double fill);

/* Measures; the same case gives the same result. False with an error: memory, threads, or a stop was requested. */
bool false_measure(const FalseCase *c, FalseResult *result, TabiaError *error);

/* Is the result as it should be? 48 bits and more must be silent, 16 bits must meet the formula within 5 %, and what lies
   between must be what chance allows: five standard deviations, and five events more where few are expected. */
bool false_result_holds(const FalseCase *c, const FalseResult *r);
