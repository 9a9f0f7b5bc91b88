/* SPDX-License-Identifier: MIT */
/* Threads store and probe while another clears: whoever comes first to a segment zeroes it, beside the stores of others.
   What a probe finds must be its key's, and afterwards the table works. */
#include "move_tools.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, CLEARS = 3000, STORES_A_CLEAR = 60, KEYS = 2000, BYTES = 4 * 4096 };

typedef struct {
    TabiaTable *table;
    Kind kind;
    unsigned number;
    _Atomic bool *enough;
    uint64_t found;
} Storing;

static void *store_and_find(void *argument) {
    Storing *s = argument;
    uint64_t seed = s->number;
    while (!atomic_load(s->enough)) {
        store_at(s->table, s->kind.options.type, s->kind.words, random_below(&seed, KEYS));
        s->found += find_at(s->table, s->kind.options.type, s->kind.words, random_below(&seed, KEYS));
    }
    return NULL;
}

/* The calling thread stores a little after each clear, so that all have segments to zero. */
static void clear_meanwhile(TabiaTable *t, Kind k) {
    uint64_t seed = 77;
    for (unsigned c = 0; c < CLEARS; c++) {
        for (unsigned i = 0; i < STORES_A_CLEAR; i++) store_at(t, k.options.type, k.words, random_below(&seed, KEYS));
        tabia_table_clear(t);
    }
}

static void others_may_clear_meanwhile(void **state) {
    for (unsigned i = 0; i < KINDS; i++) {
        Kind k = kind_at(i);
        k.options.bytes = BYTES;
        _Atomic bool enough = false;
        TabiaTable *t = new_table(k.options);
        Storing storing[THREADS];
        pthread_t thread[THREADS];
        for (unsigned n = 0; n < THREADS; n++) {
            storing[n] = (Storing){t, k, n, &enough, 0};
            assert_int_equal(pthread_create(&thread[n], NULL, store_and_find, &storing[n]), 0);
        }
        clear_meanwhile(t, k);
        atomic_store(&enough, true);
        for (unsigned n = 0; n < THREADS; n++) pthread_join(thread[n], NULL);
        tabia_table_clear(t);
        assert_int_equal(tabia_table_hashfull(t), 0);
        for (uint64_t key = 0; key < KEYS; key++) assert_false(find_at(t, k.options.type, k.words, key));
        for (uint64_t key = 0; key < 10; key++) {
            store_at(t, k.options.type, k.words, key);
            assert_true(find_at(t, k.options.type, k.words, key));
        }
        tabia_table_destroy(t);
    }
}

#include "test_clear_threads_list.h"
