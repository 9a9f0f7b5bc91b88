/* SPDX-License-Identifier: MIT */
/* The audit: its measure of false hits agrees with the formula and can disagree. */
#include "unit.h"

#include "lab/table/false_hits.h"

static FalseResult measure(FalseCase c) {
    FalseResult r;
    TabiaError error = {0};
    c.threads = 2;
    c.seed = 7;
    if (!false_measure(&c, &r, &error)) fail_msg("%s", error.text);
    assert_true(r.fill > 0.99 && r.fill <= 1);
    assert_int_equal(r.true_hits, 0);
    return r;
}

static double of_formula(const FalseResult *r) {
    return (double)r->false_hits / (double)r->probes / r->formula;
}

/* About 1,200 events: 5 % is not quite two standard deviations, which is why the seed is fixed. */
static void sixteen_bits_meet_the_formula(void **state) {
    const FalseCase c = {.signature_bits = 16, .bytes = 1 << 20, .probes = 20000000};
    const FalseResult r = measure(c);
    assert_true(of_formula(&r) > 0.95 && of_formula(&r) < 1.05);
    const FalseResult again = measure(c);
    assert_memory_equal(&r, &again, sizeof r);
    /* What a bit less would give does not pass for it. */
    FalseResult narrow = measure((FalseCase){.signature_bits = 15, .bytes = 1 << 20, .probes = 5000000});
    assert_true(of_formula(&narrow) > 0.8 && of_formula(&narrow) < 1.2);
    narrow.formula = r.formula;
    assert_true(of_formula(&narrow) > 1.6);
}

/* 2^18 buckets: two of the 18 bits that choose one are in the signature too. */
static void one_word_loses_what_the_index_knows(void **state) {
    FalseCase c = {.signature_bits = 12, .bytes = 16 << 20, .probes = 2000000, .one_word = true};
    const FalseResult one = measure(c);
    c.one_word = false;
    const FalseResult two = measure(c);
    assert_true(of_formula(&one) > 0.9 && of_formula(&one) < 1.1);
    assert_true(of_formula(&two) > 0.9 && of_formula(&two) < 1.1);
    assert_true(one.formula > 3.9 * two.formula && one.formula < 4.1 * two.formula);
}

static void wide_keys_are_silent(void **state) {
    for (unsigned bits = 48; bits <= 64; bits += 16) {
        const FalseResult r = measure((FalseCase){.signature_bits = bits, .bytes = 1 << 18, .probes = 2000000});
        assert_int_equal(r.false_hits, 0);
        assert_true(r.formula > 0 && r.formula < 2e-14);
    }
}

static void judge_says_no_too(void **state) {
    static const struct {
        unsigned bits;
        uint64_t found, expected;
        bool holds;
    } cases[] = {{48, 0, 0, true},        {48, 1, 0, false},      {64, 1, 0, false},    {16, 1049, 1000, true},
                 {16, 1051, 1000, false}, {16, 949, 1000, false}, {24, 151, 100, true}, {24, 156, 100, false},
                 {24, 44, 100, false},    {32, 5, 0, true},       {32, 6, 0, false}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const FalseResult r = {
            .probes = 1000000, .false_hits = cases[i].found, .formula = (double)cases[i].expected / 1000000};
        assert_int_equal(false_result_holds(&(FalseCase){.signature_bits = cases[i].bits}, &r), cases[i].holds);
    }
}

#include "test_audit_list.h"
