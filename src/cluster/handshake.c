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
    TabiaInfo info = {0};
    if (c->table) tabia_table_info(c->table, &info);
    c->handshake.description = malloc(TABIA_CLUSTER_BYTES_MAX);
    if (!c->handshake.description) return false;
    snprintf(c->handshake.description, TABIA_CLUSTER_BYTES_MAX,
             "%.*s, entries of identity %" PRIx64 ", table of %" PRIu64 " bytes, %u path bits, replacement rule %d",
             CONFIGURATION_BYTES, c->options.configuration, info.identity, info.bytes, info.path_bits,
             info.replacement);
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
    tabia_link_send(c, destination, type, &m, n);
}

static void set_verdict(TabiaCluster *c, int verdict, const char *text) {
    assert(!c->handshake.verdict && verdict);
    c->handshake.verdict = c->handshake.error.code = verdict;
    snprintf(c->handshake.error.text, sizeof c->handshake.error.text, "%s", text);
}

/* Of lines that differ, the field that does: from the last comma before the first difference. */
static const char *differing_field(const char *line, const char *other) {
    size_t at = 0;
    while (line[at] && line[at] == other[at]) at++;
    while (at && line[at - 1] != ',') at--;
    return line + at + (line[at] == ' ');
}

static void refuse_rank(TabiaCluster *c, unsigned source, const char *line) {
    char text[sizeof c->handshake.error.text];
    snprintf(
        text, sizeof text,
        "the ranks differ: rank %u has \"%.*s\" where rank 0 has \"%.*s\"; start all with the same program and options",
        source, SHOWN_BYTES, differing_field(line, c->handshake.description), SHOWN_BYTES,
        differing_field(c->handshake.description, line));
    set_verdict(c, TABIA_ERROR_FOREIGN, text);
    for (unsigned r = 1; r < c->transport->ranks; r++) send_text(c, r, MESSAGE_VERDICT, 0, text);
}

/* A hello after the verdict is from a rank that has not received the verdict. */
void tabia_handshake_hello(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t bytes) {
    char line[TABIA_CLUSTER_BYTES_MAX];
    if (c->transport->rank != 0 || !source) return;
    copy_text(m, bytes, line, sizeof line);
    if (!c->handshake.verdict && strcmp(line, c->handshake.description) != 0) {
        refuse_rank(c, source, line);
        return;
    }
    if (!c->peer[source].greeted) c->handshake.greetings++;
    c->peer[source].greeted = true;
    assert(c->handshake.greetings < c->transport->ranks);
    if (c->handshake.verdict) {
        send_text(c, source, MESSAGE_VERDICT, c->handshake.verdict == 1, c->handshake.error.text);
    } else if (c->handshake.greetings + 1 == c->transport->ranks) {
        c->handshake.verdict = 1;
        for (unsigned r = 1; r < c->transport->ranks; r++) send_text(c, r, MESSAGE_VERDICT, 1, "");
    }
}

void tabia_handshake_verdict(TabiaCluster *c, const ClusterMessage *m, size_t bytes) {
    char text[sizeof c->handshake.error.text];
    if (c->handshake.verdict) return;
    copy_text(m, bytes, text, sizeof text);
    set_verdict(c, m->header.detail ? 1 : TABIA_ERROR_FOREIGN, text);
}

static void time_out(TabiaCluster *c) {
    char text[sizeof c->handshake.error.text];
    unsigned missing = 0;
    for (unsigned r = 1; c->transport->rank == 0 && r < c->transport->ranks && !missing; r++)
        if (!c->peer[r].greeted) missing = r;
    snprintf(text, sizeof text,
             "rank %u has not answered for %.3g seconds: does it run this program, and can it be reached?", missing,
             c->options.handshake_timeout);
    set_verdict(c, TABIA_ERROR_SYSTEM, text);
}

void tabia_handshake_maintain(TabiaCluster *c, double now) {
    if (c->handshake.verdict) return;
    const double share = repeat_share * c->options.handshake_timeout;
    const double interval = share < repeat_interval ? share : repeat_interval;
    if (c->transport->rank && (c->handshake.hello_sent_at < 0 || now - c->handshake.hello_sent_at > interval)) {
        send_text(c, 0, MESSAGE_HELLO, 0, c->handshake.description);
        c->handshake.hello_sent_at = now;
    }
    if (now - c->created_at > c->options.handshake_timeout) time_out(c);
}

int tabia_cluster_ready(TabiaCluster *c, TabiaError *error) {
    cluster_lock(c);
    const int verdict = c->handshake.verdict;
    if (verdict < 0 && error) *error = c->handshake.error;
    cluster_unlock(c);
    return verdict;
}
