/* SPDX-License-Identifier: MIT */
/*
 * A clean Ctrl-C: the first one asks a program to come to an end by itself, with its partial results; the second one
 * kills it at once. Loops that take more than half a second ask tabia_stop_requested().
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* says: the first is answered on standard error at once, whatever the program is at. From now on SIGINT and SIGTERM are
   requests to stop. A signal that was ignored when the program started (nohup) stays ignored. System calls go on after
   it, except sleeps, which end early. Once, from main. */
void tabia_stop_install(bool says);

/* Who says so: "tabia", unless this names another, of at most 32 letters. Before tabia_stop_install. */
void tabia_stop_name(const char *program);

/* A write beyond the limit on the size of files (ulimit -f) fails from now on, as on a full disk, and kills nobody: what
   wrote can say so. From main. */
void tabia_stop_not_by_file_size(void);

/* A read of memory whose file another process has cut short (a named table, a book) ends the program from now on with one
   line that names the file, and exit status 3. On systems without /proc it is killed by the signal. From main. */
void tabia_stop_at_cut_files(void);

/* How often SIGUSR1 has asked, since tabia_stop_install, how far the work is (base/progress.h). Any thread. */
unsigned tabia_status_requests(void);

/* Has there been a request? Cheap enough to ask for every unit of work; any thread. */
bool tabia_stop_requested(void);

/* poll() that a request to stop ends, one that came before it too: 0 or -1 then. For the thread that signals go to. */
struct pollfd;
int tabia_stop_poll(struct pollfd *files, unsigned n, int milliseconds);

/* Waits until a read of an open file would not. False: there was a request to stop. For the thread that signals go to. */
bool tabia_stop_wait(int file);

/* The same as the function of a TabiaWatch (tabia/table.h): a request ends the library's long call. */
bool tabia_stop_watch(void *unused, uint64_t bytes_done, uint64_t bytes_all);
/* The same, for those who take the address of what ends them. */
const atomic_bool *tabia_stop_flag(void);
