/* SPDX-License-Identifier: MIT */
/* base/stop.h by Windows, whose console calls a function on a thread of its own. No one asks how far the work is. */
#include "base/stop.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "base/system.h"

enum { NAME_MAX_BYTES = 32, WAIT_MILLISECONDS = 50 };

static char stop_name[NAME_MAX_BYTES + 1] = "tabia";
static bool stop_says;
static atomic_bool stop_requested;

/* The second is left to the system, which ends the program. */
static BOOL WINAPI on_control(DWORD kind) {
    (void)kind;
    if (atomic_exchange_explicit(&stop_requested, true, memory_order_relaxed)) return FALSE;
    if (stop_says) fprintf(stderr, "%s: stopping; the same signal again ends it at once\n", stop_name);
    return TRUE;
}

void tabia_stop_name(const char *program) {
    snprintf(stop_name, sizeof stop_name, "%s", program);
}

void tabia_stop_not_by_file_size(void) {
}

/* The system keeps a file that is mapped as long as it is. */
void tabia_stop_at_cut_files(void) {
}

void tabia_stop_install(bool says) {
    stop_says = says;
    SetConsoleCtrlHandler(on_control, TRUE);
}

unsigned tabia_status_requests(void) {
    return 0;
}

bool tabia_stop_requested(void) {
    return atomic_load_explicit(&stop_requested, memory_order_relaxed);
}

bool tabia_stop_wait(int file) {
    while (!tabia_stop_requested())
        if (tabia_file_wait(file, WAIT_MILLISECONDS)) return true;
    return false;
}

bool tabia_stop_watch(void *unused, uint64_t bytes_done, uint64_t bytes_all) {
    (void)unused, (void)bytes_done, (void)bytes_all;
    return tabia_stop_requested();
}

const atomic_bool *tabia_stop_flag(void) {
    return &stop_requested;
}
