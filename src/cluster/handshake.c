/* SPDX-License-Identifier: MIT */
/*
 * Do all ranks agree? Each describes its setup by one line of text and sends it to rank 0 until that has spoken; rank 0
 * compares the lines with its own. Text, because it is also what a person is told.
 */
#include "cluster_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 180 };
static const double again_after = 0.25, again_share = 0.05; /* seconds, and of the time to arrive */

bool tabia_hello_describe(TabiaCluster *c) {
    TabiaInfo info;
    tabia_table_info(c->table, &info);
    c->setup = malloc(TABIA_CLUSTER_BYTES_MAX);
    if (!c->setup) return false;
    snprintf(c->setup, TABIA_CLUSTER_BYTES_MAX,
             "%.*s, %s of identity %" PRIx64 ", table of %" PRIu64 " bytes, %u path bits, %u ways", 1000,
             c->options.setup, info.face == TABIA_COUNTS ? "counts" : "entries", info.identity, info.bytes,
             info.path_bits, info.ways);
    return true;
}

static void text_of(const Message *m, size_t bytes, char *out, size_t room) {
    const size_t n = bytes < room ? bytes : room - 1;
    memcpy(out, m->body, n);
    out[n] = '\0';
}

static void say_text(TabiaCluster *c, unsigned to, SayKind kind, unsigned detail, const char *text) {
    Message m;
    const size_t n = strlen(text);
    m.head = (Head){.detail = (uint8_t)detail};
    memcpy(m.body, text, n);
    tabia_cluster_say(c, to, kind, &m, n);
}

static void decide(TabiaCluster *c, int verdict, const char *text) {
    c->verdict = verdict;
    snprintf(c->why.text, sizeof c->why.text, "%s", text);
}

/* Of lines that differ, the part that does: from a little before the first difference. */
static const char *differing(const char *line, const char *other) {
    size_t at = 0;
    while (line[at] && line[at] == other[at]) at++;
    while (at && line[at - 1] != ',') at--;
    return line + at + (line[at] == ' ');
}

static void find_difference(TabiaCluster *c, unsigned from, const char *its) {
    char text[sizeof c->why.text];
    snprintf(
        text, sizeof text,
        "the ranks differ: rank %u has \"%.*s\" where rank 0 has \"%.*s\"; start all with the same program and options",
        from, LINE_MAX_BYTES / 2, differing(its, c->setup), LINE_MAX_BYTES / 2, differing(c->setup, its));
    decide(c, TABIA_ERROR_FOREIGN, text);
    for (unsigned r = 1; r < c->transport->ranks; r++) say_text(c, r, SAY_VERDICT, 0, text);
}

/* A hello that comes after the verdict is of a rank that has not heard it. */
void tabia_hello_heard(TabiaCluster *c, unsigned from, const Message *m, size_t bytes) {
    char line[TABIA_CLUSTER_BYTES_MAX];
    if (c->transport->rank != 0 || !from) return;
    text_of(m, bytes, line, sizeof line);
    if (!c->verdict && strcmp(line, c->setup) != 0) {
        find_difference(c, from, line);
        return;
    }
    if (!c->peer[from].greeted) c->greetings++;
    c->peer[from].greeted = true;
    if (c->verdict) {
        say_text(c, from, SAY_VERDICT, c->verdict == 1, c->why.text);
    } else if (c->greetings + 1 == c->transport->ranks) {
        c->verdict = 1;
        for (unsigned r = 1; r < c->transport->ranks; r++) say_text(c, r, SAY_VERDICT, 1, "");
    }
}

void tabia_hello_verdict(TabiaCluster *c, const Message *m, size_t bytes) {
    char text[sizeof c->why.text];
    if (c->verdict) return;
    text_of(m, bytes, text, sizeof text);
    decide(c, m->head.detail ? 1 : TABIA_ERROR_FOREIGN, text);
}

static void miss_somebody(TabiaCluster *c) {
    char text[sizeof c->why.text];
    unsigned missing = 0;
    for (unsigned r = 1; c->transport->rank == 0 && r < c->transport->ranks && !missing; r++)
        if (!c->peer[r].greeted) missing = r;
    snprintf(text, sizeof text,
             "rank %u has not answered for %.3g seconds: does it run this program, and can it be reached?", missing,
             c->options.arrival);
    decide(c, TABIA_ERROR_SYSTEM, text);
}

void tabia_hello_care(TabiaCluster *c, double now) {
    if (c->verdict) return;
    const double share = again_share * c->options.arrival, after = share < again_after ? share : again_after;
    if (c->transport->rank && (c->hello_at < 0 || now - c->hello_at > after)) {
        say_text(c, 0, SAY_HELLO, 0, c->setup);
        c->hello_at = now;
    }
    if (now - c->began_at > c->options.arrival) miss_somebody(c);
}

int tabia_cluster_ready(TabiaCluster *c, TabiaReason *why) {
    cluster_lock(c);
    const int verdict = c->verdict;
    if (verdict < 0 && why) *why = c->why;
    cluster_unlock(c);
    return verdict;
}
