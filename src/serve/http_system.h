/* SPDX-License-Identifier: MIT */
/* What the server asks of the system, by Linux and by Windows. */
#pragma once
#include <microhttpd.h>

#include "base/error.h"

/* What ends a wait of http_wait: a number of the caller's, until it is closed; -1 with errno set. */
int http_wake_open(void);
void http_wake_close(int wake);
/* Any thread. */
void http_wake(int wake);

/* A daemon on a port of the loopback alone, which http_wait and MHD_run drive; port 0: any. NULL with an error. */
struct MHD_Daemon *http_listen(unsigned port, MHD_AccessHandlerCallback answer, void *context,
                               const struct MHD_OptionItem *options, TabiaError *error);

/* Waits until something comes, a connection times out, http_wake was called, the program is to stop, or the time is over. */
void http_wait(struct MHD_Daemon *daemon, int wake, int milliseconds);

/* The library finds the connection closed. */
void http_hang_up(MHD_socket connection);
