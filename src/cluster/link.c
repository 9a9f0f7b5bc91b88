/* SPDX-License-Identifier: MIT */
/* Messages over the transport: their header, their checksum, and when a rank was last heard. */
#include "cluster_internal.h"

bool tabia_link_send(TabiaCluster *c, unsigned destination, ClusterMessageType type, ClusterMessage *m, size_t bytes) {
    const size_t n = sizeof m->header + bytes;
    assert(destination < c->transport->ranks && bytes <= sizeof m->body);
    m->header.type = (uint8_t)type;
    m->header.source = c->transport->rank, m->header.destination = destination;
    m->header.checksum = message_checksum(m, n);
    if (!c->transport->send(c->transport, destination, m, n)) return false;
    c->count.messages++;
    c->count.bytes += n;
    return true;
}

static bool is_intact(const TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t n) {
    return n >= sizeof m->header && n <= sizeof *m && m->header.checksum == message_checksum(m, n) &&
           m->header.source == source && m->header.destination == c->transport->rank && source < c->transport->ranks;
}

bool tabia_link_receive(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t n) {
    c->count.received++;
    if (!is_intact(c, source, m, n)) {
        c->count.corrupt_messages++;
        return false;
    }
    c->peer[source].last_received = c->transport->now(c->transport);
    c->peer[source].dead = false;
    return true;
}
