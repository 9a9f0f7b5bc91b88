/* SPDX-License-Identifier: MIT */
/* The stream of orders: whole, in order and once at every rank, over nets that lose, double, damage and reorder. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cluster/transport_lab.h"
#include "distributed/engine/command_broadcast.h"

enum { RANKS_MOST = 80, KIND_ORDER = 3, KIND_CONFIRM = 4, LINES = 400 };

typedef struct {
    unsigned ranks;
    LabNet *net;
    TabiaTable *table[RANKS_MOST];
    TabiaCluster *cluster[RANKS_MOST];
    Orders orders[RANKS_MOST];
    char *heard[RANKS_MOST];
    size_t heard_n[RANKS_MOST], heard_room[RANKS_MOST];
    char *said;
    size_t said_n, said_room;
} World;

/* One of these for each rank, so that a message knows whose it is. */
typedef struct {
    World *world;
    unsigned rank;
} Place;

static void receive(void *context, unsigned from, unsigned kind, const void *bytes, size_t n) {
    const Place *p = context;
    Orders *o = &p->world->orders[p->rank];
    (kind == KIND_ORDER ? orders_received : orders_confirmed)(o, from, bytes, n);
}

static void append(char **text, size_t *n, size_t *room, const char *more, size_t length) {
    if (!length) return;
    if (*n + length > *room) *text = realloc(*text, *room = 2 * (*n + length));
    memcpy(*text + *n, more, length);
    *n += length;
}

static void begin(World *w, Place *places, LabWish wish) {
    *w = (World){.ranks = wish.ranks};
    w->net = lab_net_new(wish, NULL);
    assert_non_null(w->net);
    for (unsigned r = 0; r < w->ranks; r++) {
        places[r] = (Place){w, r};
        const TabiaClusterOptions options = {.receive = receive, .context = &places[r], .patience = 1};
        assert_int_equal(tabia_table_create(&w->table[r], &(TabiaOptions){.bytes = 1 << 16}, NULL), 0);
        assert_int_equal(tabia_cluster_create(&w->cluster[r], lab_net_rank(w->net, r), w->table[r], &options, NULL), 0);
        orders_begin(&w->orders[r], w->cluster[r], KIND_ORDER, KIND_CONFIRM, 5);
    }
}

static void end(World *w) {
    for (unsigned r = 0; r < w->ranks; r++) {
        orders_free(&w->orders[r]);
        tabia_cluster_destroy(w->cluster[r]);
        tabia_table_destroy(w->table[r]);
        free(w->heard[r]);
    }
    free(w->said);
    lab_net_free(w->net);
}

static void say_line(World *w, unsigned length) {
    char line[6000];
    memset(line, 'a' + (int)(length % 26), length);
    line[length] = '\n';
    append(&w->said, &w->said_n, &w->said_room, line, length + 1);
    orders_append(&w->orders[0], line, length + 1);
}

static void go_round(World *w, unsigned dead) {
    for (unsigned r = 0; r < w->ranks; r++) {
        size_t n;
        if (r == dead) continue;
        tabia_cluster_poll(w->cluster[r]);
        orders_care(&w->orders[r]);
        const char *text = orders_unread(&w->orders[r], &n);
        append(&w->heard[r], &w->heard_n[r], &w->heard_room[r], text, r ? n : 0);
        orders_have_read(&w->orders[r], r ? n : 0);
    }
}

static bool all_arrived(const World *w, unsigned dead) {
    for (unsigned r = 1; r < w->ranks; r++)
        if (r != dead && orders_parent(r) != dead && w->heard_n[r] < w->said_n) return false;
    return true;
}

static void run(World *w, unsigned dead) {
    uint64_t random = 7;
    for (unsigned i = 0; i < LINES; i++) {
        say_line(w, random_below(&random, 30) ? random_below(&random, 100) : random_below(&random, 5999));
        go_round(w, dead);
    }
    for (unsigned i = 0; i < 200000 && !all_arrived(w, dead); i++) go_round(w, dead);
}

static void check_heard(const World *w, unsigned dead) {
    for (unsigned r = 1; r < w->ranks; r++) {
        if (r == dead || orders_parent(r) == dead) continue;
        assert_int_equal(w->heard_n[r], w->said_n);
        assert_memory_equal(w->heard[r], w->said, w->said_n);
    }
}

static void arrives_everywhere(void **state) {
    (void)state;
    static const unsigned sizes[] = {2, 9, 80};
    for (unsigned i = 0; i < 3; i++) {
        World w;
        Place places[RANKS_MOST];
        begin(&w, places,
              (LabWish){.ranks = sizes[i],
                        .seed = 5 + i,
                        .delay = 1e-3,
                        .step = 1e-5,
                        .lost = 50000,
                        .doubled = 50000,
                        .damaged = 20000});
        run(&w, RANKS_MOST);
        check_heard(&w, RANKS_MOST);
        for (unsigned round = 0; round < 20000 && !orders_arrived(&w.orders[0]); round++) go_round(&w, RANKS_MOST);
        assert_true(orders_arrived(&w.orders[0]));
        assert_int_equal(orders_lost(&w.orders[0]), 0);
        assert_true(lab_net_tally(w.net).lost && lab_net_tally(w.net).damaged);
        end(&w);
    }
}

/* Says a line every `pause` seconds; no rank may be behind by more than so many lines. */
static void keeps_up(LabWish wish, double pause, unsigned behind) {
    enum { LINES_SAID = 300 };
    size_t said[LINES_SAID];
    World w;
    Place places[RANKS_MOST];
    begin(&w, places, wish);
    for (unsigned i = 0; i < LINES_SAID; i++) {
        say_line(&w, 20 + i % 50);
        said[i] = w.said_n;
        for (const double until = tabia_cluster_now(w.cluster[0]) + pause; tabia_cluster_now(w.cluster[0]) < until;)
            go_round(&w, RANKS_MOST);
        assert_true(i < behind || w.heard_n[1] >= said[i - behind]);
    }
    assert_true(!wish.lost || lab_net_tally(w.net).lost > 20);
    end(&w);
}

/* Text that comes all the time, as in a game of short moves, does not put off what was lost or overtaken. */
static void a_loss_is_made_good_while_more_is_said(void **state) {
    (void)state;
    keeps_up((LabWish){.ranks = 2, .seed = 8, .step = 1e-5, .delay = 1e-4, .lost = 100000}, 0.02, 10);
}

static void what_is_overtaken_comes_again_at_once(void **state) {
    (void)state;
    keeps_up((LabWish){.ranks = 2, .seed = 9, .step = 1e-5, .delay = 2e-3}, 5e-4, 40); /* not after 100 */
}

/* A rank that is dead holds nobody up but those behind it, and its text is not kept. */
static void goes_on_without_the_dead(void **state) {
    (void)state;
    World w;
    Place places[RANKS_MOST];
    begin(&w, places, (LabWish){.ranks = 20, .seed = 3, .delay = 1e-3, .step = 1e-5});
    lab_net_kill(w.net, 1);
    run(&w, 1);
    check_heard(&w, 1);
    for (unsigned round = 0; round < 100000 && !orders_lost(&w.orders[0]); round++) go_round(&w, 1);
    assert_int_equal(orders_lost(&w.orders[0]), 1);
    assert_true(orders_arrived(&w.orders[0]));
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives_everywhere),
        cmocka_unit_test(a_loss_is_made_good_while_more_is_said),
        cmocka_unit_test(what_is_overtaken_comes_again_at_once),
        cmocka_unit_test(goes_on_without_the_dead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
