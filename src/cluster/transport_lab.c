/* SPDX-License-Identifier: MIT */
#include "cluster/transport_lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MILLION = 1000000, POLL_MOST = 200 };

/* A message under way: in a list without order, because who comes first is drawn anyway. */
typedef struct Letter {
    struct Letter *next;
    double due;
    unsigned from;
    bool damaged;
    size_t n;
    _Alignas(8) unsigned char bytes[];
} Letter;

typedef struct {
    TabiaTransport base; /* first: a rank is found from its transport */
    LabNet *net;
    Letter *letters; /* to this rank */
    unsigned waiting;
    bool dead;
} LabRank;

struct LabNet {
    LabWish wish;
    LabRank *rank;
    LabTally tally;
    uint64_t random;
    double now;
};

static LabRank *rank_of(TabiaTransport *t) {
    return (LabRank *)t;
}

static bool drawn(LabNet *net, unsigned of_million) {
    return random_below(&net->random, MILLION) < of_million;
}

static void damage(LabNet *net, Letter *letter) {
    for (unsigned turns = 1 + random_below(&net->random, 3); turns; turns--) {
        const unsigned at = random_below(&net->random, (unsigned)letter->n * 8);
        letter->bytes[at / 8] ^= (unsigned char)(1u << at % 8);
    }
    letter->damaged = true;
}

static bool post(LabNet *net, unsigned from, LabRank *to, const void *bytes, size_t n) {
    Letter *letter = malloc(sizeof *letter + n);
    if (!letter) return false;
    const double late = net->wish.delay * (random_below(&net->random, MILLION) / (double)MILLION);
    *letter = (Letter){.next = to->letters, .due = net->now + late, .from = from, .n = n};
    memcpy(letter->bytes, bytes, n);
    if (drawn(net, net->wish.damaged)) damage(net, letter);
    to->letters = letter;
    to->waiting++;
    return true;
}

static bool lab_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    LabNet *net = rank_of(t)->net;
    LabRank *target = net->rank + to;
    if (target->waiting >= net->wish.room) return false;
    net->tally.sent++;
    if (target->dead || rank_of(t)->dead || drawn(net, net->wish.lost)) return net->tally.lost++, true;
    if (drawn(net, net->wish.doubled) && post(net, t->rank, target, bytes, n)) net->tally.doubled++;
    return post(net, t->rank, target, bytes, n);
}

/* Takes the letters that are due out of a rank's list. */
static Letter *due_letters(LabRank *rank, double now) {
    Letter *due = NULL;
    unsigned taken = 0;
    for (Letter **at = &rank->letters; *at && taken < POLL_MOST;) {
        Letter *letter = *at;
        if (letter->due > now) {
            at = &letter->next;
            continue;
        }
        *at = letter->next;
        letter->next = due, due = letter;
        taken++;
    }
    rank->waiting -= taken;
    return due;
}

static unsigned lab_poll(TabiaTransport *t, TransportTake *take, void *context) {
    LabRank *me = rank_of(t);
    LabNet *net = me->net;
    net->now += net->wish.step;
    unsigned count = 0;
    for (Letter *letter = due_letters(me, net->now), *next; letter; letter = next, count++) {
        next = letter->next;
        net->tally.delivered++;
        net->tally.damaged += letter->damaged;
        if (!me->dead) take(context, letter->from, letter->bytes, letter->n);
        free(letter);
    }
    return count;
}

static bool lab_is_empty(TabiaTransport *t) {
    (void)t;
    return true;
}

static double lab_now(TabiaTransport *t) {
    return rank_of(t)->net->now += rank_of(t)->net->wish.step;
}

static void lab_close(TabiaTransport *t, bool all_well) {
    (void)t, (void)all_well;
}

LabNet *lab_net_new(LabWish wish, Fault *fault) {
    LabNet *net = calloc(1, sizeof *net);
    if (net) net->rank = calloc(wish.ranks, sizeof *net->rank);
    if (!net || !net->rank) {
        free(net);
        tabia_fault(fault, "no memory for a net of %u ranks", wish.ranks);
        return NULL;
    }
    if (wish.step <= 0) wish.step = 1e-6;
    if (!wish.room) wish.room = 64;
    net->wish = wish;
    net->random = wish.seed;
    for (unsigned r = 0; r < wish.ranks; r++) {
        net->rank[r].net = net;
        net->rank[r].base = (TabiaTransport){r, wish.ranks, lab_send, lab_poll, lab_is_empty, lab_now, lab_close};
    }
    return net;
}

static void drop_letters(LabRank *rank) {
    for (Letter *letter = rank->letters, *next; letter; letter = next) {
        next = letter->next;
        free(letter);
    }
    rank->letters = NULL, rank->waiting = 0;
}

void lab_net_free(LabNet *net) {
    if (!net) return;
    for (unsigned r = 0; r < net->wish.ranks; r++) drop_letters(net->rank + r);
    free(net->rank);
    free(net);
}

TabiaTransport *lab_net_rank(LabNet *net, unsigned rank) {
    return &net->rank[rank].base;
}

void lab_net_kill(LabNet *net, unsigned rank) {
    net->rank[rank].dead = true;
    drop_letters(net->rank + rank);
}

LabTally lab_net_tally(const LabNet *net) {
    return net->tally;
}
