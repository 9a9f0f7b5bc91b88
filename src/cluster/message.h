/* SPDX-License-Identifier: MIT */
/*
 * The wire format. Every message is a header and a body of items:
 *
 *     checksum 8 | id 4 | items 2 | type 1 | detail 1 | source 4 | destination 4 || items ...       bytes
 *
 *     probe     keys: index 8, check 8; id: of the request, repeated in the reply
 *     reply     one bit for each key, padded to 8 bytes; then, for each key found, the data found
 *     store     index 8 and the data to store
 *     hello     a line of text: the sender's configuration
 *     verdict   a line of text; detail 1 if all ranks agree
 *     program   the program's bytes; detail: its tag
 *
 * Data found or stored travels as it lies in a table, with a check word made of the whole key:
 *
 *     entry     check XOR hash(data) XOR hash(path) 8 | data 8 | path 8
 */
#pragma once
#include <string.h>

#include "base/checksum.h"
#include "cluster/transport.h"
#include "table/bucket.h"

typedef enum {
    MESSAGE_HELLO = 1,
    MESSAGE_VERDICT,
    MESSAGE_PROBE,
    MESSAGE_REPLY,
    MESSAGE_STORE,
    MESSAGE_PROGRAM
} ClusterMessageType;

typedef struct {
    uint64_t checksum; /* of all that follows, to the end of the message */
    uint32_t id;
    uint16_t items;
    uint8_t type, detail;
    uint32_t source, destination;
} ClusterMessageHeader;

/* A message, outgoing or received: the body follows the header. */
typedef struct {
    ClusterMessageHeader header;
    uint64_t body[(TRANSPORT_BYTES_MAX - sizeof(ClusterMessageHeader)) / 8];
} ClusterMessage;

_Static_assert(sizeof(ClusterMessageHeader) == 24 && sizeof(ClusterMessage) <= TRANSPORT_BYTES_MAX, "a message fits");
_Static_assert(TABIA_CLUSTER_BYTES_MAX <= sizeof(((ClusterMessage *)0)->body), "the program's longest message fits");

/* Sizes of items in words of 8 bytes, and how many items a message holds. */
enum {
    KEY_WORDS = 2,
    ENTRY_WORDS = 3,
    PROBE_KEYS_MAX = TABIA_CLUSTER_KEYS_MAX,
    BITMAP_WORDS = (PROBE_KEYS_MAX + 63) / 64,
    STORES_MAX = 480,
};

_Static_assert((BITMAP_WORDS + ENTRY_WORDS * PROBE_KEYS_MAX) * 8 <= sizeof(((ClusterMessage *)0)->body),
               "the longest reply fits");
_Static_assert((1 + ENTRY_WORDS) * STORES_MAX * 8 <= sizeof(((ClusterMessage *)0)->body), "as many stores fit");

/* The checksum of a message of n bytes. It covers the length, because the hash does. */
INLINE uint64_t message_checksum(const ClusterMessage *m, size_t n) {
    return tabia_checksum((const char *)m + sizeof m->header.checksum, n - sizeof m->header.checksum);
}

/* The check word of data in a message. It is its own inverse: applied to a check word it gives the key's half. */
INLINE uint64_t entry_check_word(uint64_t check, uint64_t data, uint64_t path) {
    return check ^ hash_word_of(data, 0) ^ hash_word_of(path, 1);
}
