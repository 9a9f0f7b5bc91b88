/* SPDX-License-Identifier: MIT */
/*
 * What ranks say to each other. Every message is a head and a body of items:
 *
 *     check 8 | id 4 | items 2 | kind 1 | detail 1 | from 4 | to 4 || items ...
 *
 *     probe     keys: index 8, check 8; id: the asker's, for the reply
 *     reply     a bit for each key, filled up to 8 bytes; then, for each key found, what was found
 *     store     index 8 and what is stored
 *     hello     a line of text
 *     verdict   the same, detail 1 if all is well
 *     program   the program's bytes, detail its kind
 *
 * What is found or stored travels as it lies in a table, its check word made with the whole key:
 *
 *     count     check XOR hash(count) 8 | count 8
 *     entry     check XOR hash(data) XOR hash(path) 8 | data 8 | path 8
 */
#pragma once
#include <string.h>

#include "base/checksum.h"
#include "cluster/transport.h"
#include "table/slot.h"

typedef enum { SAY_HELLO = 1, SAY_VERDICT, SAY_PROBE, SAY_REPLY, SAY_STORE, SAY_PROGRAM } SayKind;

typedef struct {
    uint64_t check; /* of all that follows, to the message's end */
    uint32_t id;
    uint16_t items;
    uint8_t kind, detail;
    uint32_t from, to;
} Head;

/* A message being written, or one received: the body lies behind the head. */
typedef struct {
    Head head;
    uint64_t body[(TRANSPORT_BYTES_MAX - sizeof(Head)) / 8];
} Message;

_Static_assert(sizeof(Head) == 24 && sizeof(Message) <= TRANSPORT_BYTES_MAX, "a message fits");
_Static_assert(TABIA_CLUSTER_BYTES_MAX <= sizeof(((Message *)0)->body), "the longest message of a program fits");

enum {
    KEY_WORDS = 2,
    COUNT_WORDS = 2,
    ENTRY_WORDS = 3,
    ITEMS_MAX = TABIA_CLUSTER_BATCH,
    BITMAP_WORDS = (ITEMS_MAX + 63) / 64,
    STORES_MAX = 480,
};

_Static_assert((BITMAP_WORDS + ENTRY_WORDS * ITEMS_MAX) * 8 <= sizeof(((Message *)0)->body), "the longest reply fits");
_Static_assert((1 + ENTRY_WORDS) * STORES_MAX * 8 <= sizeof(((Message *)0)->body), "as many stores fit");

/* Of a message of n bytes. The length takes part, because the hash takes it. */
INLINE uint64_t message_check(const Message *m, size_t n) {
    return tabia_checksum((const char *)m + sizeof m->head.check, n - sizeof m->head.check);
}

/* The check words of entries under way. */
INLINE uint64_t count_seal(uint64_t check, uint64_t count) {
    return check ^ hash_word(count);
}
INLINE uint64_t entry_seal(uint64_t check, uint64_t data, uint64_t path) {
    return check ^ hash_word_of(data, 0) ^ hash_word_of(path, 1);
}
