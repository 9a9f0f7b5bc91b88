/* SPDX-License-Identifier: MIT */
#pragma once
#include "unit.h"

#include "network/network.h"

/* In all but the bytes between members, which an assignment may leave as they were. */
static inline void assert_same_network(const Network *found, const Network *wanted) {
    assert_memory_equal(found, wanted, offsetof(Network, shape));
    assert_int_equal(found->shape.width, wanted->shape.width);
    assert_int_equal(found->shape.buckets, wanted->shape.buckets);
    assert_int_equal(found->shape.mirrored, wanted->shape.mirrored);
    assert_true(found->identity == wanted->identity);
}
