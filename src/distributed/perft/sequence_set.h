/* SPDX-License-Identifier: MIT */
/* Which messages of a numbered sequence have come: they may be lost, doubled and out of order. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty set. */
typedef struct {
    uint64_t *seen;                 /* a bit for each number */
    size_t words, received, length; /* length: of the sequence; 0 until its last message has come */
} SequenceSet;

/* Notes a message, numbered from 0; last: no higher number was sent. False if it came before, or memory is out (which
   is as if the message had been lost). */
bool sequence_set_insert(SequenceSet *set, uint32_t sequence, bool last);

/* Have all messages come? */
bool sequence_set_is_complete(const SequenceSet *set);

void sequence_set_release(SequenceSet *set);
