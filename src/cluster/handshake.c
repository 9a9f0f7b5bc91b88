/* SPDX-License-Identifier: MIT */
/*
 * The handshake: do all ranks agree? Each rank describes its configuration by one line of text and sends it to rank 0
 * until rank 0 has answered; rank 0 compares the lines with its own and sends the verdict. Text, because the difference
 * is also what the user is shown.
 */
#include "cluster_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHOWN_BYTES = 90, CONFIGURATION_BYTES = 1000 };
static const double repeat_interval = 0.25, repeat_share = 0.05; /* seconds; share of the handshake timeout */

bool tabia_handshake_init(TabiaCluster *c) {
    TabiaInfo info;
    tabia_table_info(c->table, &info);
    c->description = malloc(TABIA_CLUSTER_BYTES_MAX);
    if (!c->description) return false;
    snprintf(c->description, TABIA_CLUSTER_BYTES_MAX,
             "%.*s, %s of identity %" PRIx64 ", table of %" PRIu64 " bytes, %u path bits, %u ways, replacement rule %d",
             CONFIGURATION_BYTES, c->options.configuration, info.type == TABIA_COUNTS ? "counts" : "entries",
             info.identity, info.bytes, info.path_bits, info.ways, info.replacement);
    return true;
}

static void copy_text(const ClusterMessage *m, size_t bytes, char *out, size_t size) {
    const size_t n = bytes < size ? bytes : size - 1;
    memcpy(out, m->body, n);
    out[n] = '\0';
}

static void send_text(TabiaCluster *c, unsigned destination, ClusterMessageType type, unsigned detail,
                      const char *text) {
    ClusterMessage m;
    const size_t n = strlen(text);
    assert(n <= sizeof m.body);
    m.header = (ClusterMessageHeader){.detail = (uint8_t)detail};
    memcpy(m.body, text, n);
    tabia_cluster_send_message(c, destination, type, &m, n);
}

static void set_verdict(TabiaCluster *c, int verdict, const char *text) {
    assert(!c->verdict && verdict);
    c->verdict = c->error.code = verdict;
    snprintf(c->error.text, sizeof c->error.text, "%s", text);
}

/* Of lines that differ, the field that does: from the last comma before the first difference. */
static const char *differing_field(const char *line, const char *other) {
    size_t at = 0;
    while (line[at] && line[at] == other[at]) at++;
    while (at && line[at - 1] != ',') at--;
    return line + at + (line[at] == ' ');
}

static void refuse_rank(TabiaCluster *c, unsigned source, const char *line) {
    char text[sizeof c->error.text];
    snprintf(
        text, sizeof text,
        "the ranks differ: rank %u has \"%.*s\" where rank 0 has \"%.*s\"; start all with the same program and options",
        source, SHOWN_BYTES, differing_field(line, c->description), SHOWN_BYTES, differing_field(c->description, line));
    set_verdict(c, TABIA_ERROR_FOREIGN, text);
    for (unsigned r = 1; r < c->transport->ranks; r++) send_text(c, r, MESSAGE_VERDICT, 0, text);
}

/* A hello after the verdict is from a rank that has not received the verdict. */
void tabia_handshake_hello(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t bytes) {
    char line[TABIA_CLUSTER_BYTES_MAX];
    if (c->transport->rank != 0 || !source) return;
    copy_text(m, bytes, line, sizeof line);
    if (!c->verdict && strcmp(line, c->description) != 0) {
        refuse_rank(c, source, line);
        return;
    }
    if (!c->peer[source].greeted) c->greetings++;
    c->peer[source].greeted = true;
    assert(c->greetings < c->transport->ranks);
    if (c->verdict) {
        send_text(c, source, MESSAGE_VERDICT, c->verdict == 1, c->error.text);
    } else if (c->greetings + 1 == c->transport->ranks) {
        c->verdict = 1;
        for (unsigned r = 1; r < c->transport->ranks; r++) send_text(c, r, MESSAGE_VERDICT, 1, "");
    }
}

void tabia_handshake_verdict(TabiaCluster *c, const ClusterMessage *m, size_t bytes) {
    char text[sizeof c->error.text];
    if (c->verdict) return;
    copy_text(m, bytes, text, sizeof text);
    set_verdict(c, m->header.detail ? 1 : TABIA_ERROR_FOREIGN, text);
}

static void time_out(TabiaCluster *c) {
    char text[sizeof c->error.text];
    unsigned missing = 0;
    for (unsigned r = 1; c->transport->rank == 0 && r < c->transport->ranks && !missing; r++)
        if (!c->peer[r].greeted) missing = r;
    snprintf(text, sizeof text,
             "rank %u has not answered for %.3g seconds: does it run this program, and can it be reached?", missing,
             c->options.handshake_timeout);
    set_verdict(c, TABIA_ERROR_SYSTEM, text);
}

void tabia_handshake_maintain(TabiaCluster *c, double now) {
    if (c->verdict) return;
    const double share = repeat_share * c->options.handshake_timeout;
    const double interval = share < repeat_interval ? share : repeat_interval;
    if (c->transport->rank && (c->hello_sent_at < 0 || now - c->hello_sent_at > interval)) {
        send_text(c, 0, MESSAGE_HELLO, 0, c->description);
        c->hello_sent_at = now;
    }
    if (now - c->created_at > c->options.handshake_timeout) time_out(c);
}

int tabia_cluster_ready(TabiaCluster *c, TabiaError *error) {
    cluster_lock(c);
    const int verdict = c->verdict;
    if (verdict < 0 && error) *error = c->error;
    cluster_unlock(c);
    return verdict;
}
