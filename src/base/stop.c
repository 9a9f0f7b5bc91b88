/* SPDX-License-Identifier: MIT */
/*
 * The one mutable global of the project. A signal handler is called by the system, which hands it a number and nothing
 * else: there is no other way to lead it to a state. Signals belong to the whole process, and so does this flag. It is
 * a lock-free atomic, which both a handler and other threads may touch.
 */
#include "base/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop_requested;

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may only touch atomics without locks");

static void on_signal(int number) {
    if (atomic_exchange_explicit(&stop_requested, 1, memory_order_relaxed)) {
        /* Delivered when this handler returns: until then the signal is held back. */
        signal(number, SIG_DFL);
        raise(number);
    }
}

void tabia_stop_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

bool tabia_stop_requested(void) {
    return atomic_load_explicit(&stop_requested, memory_order_relaxed) != 0;
}
