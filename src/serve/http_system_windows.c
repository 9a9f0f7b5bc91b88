/* SPDX-License-Identifier: MIT */
/* serve/http_system.h by Windows. No event joins its sockets with the rest: each wait is short instead. */
#include <winsock2.h> /* first */

#include "serve/http_system.h"

enum { WAIT_MILLISECONDS = 20 };

int http_wake_open(void) {
    return 0;
}

void http_wake_close(int wake) {
    (void)wake;
}

void http_wake(int wake) {
    (void)wake;
}

struct MHD_Daemon *http_listen(unsigned port, MHD_AccessHandlerCallback answer, void *context,
                               const struct MHD_OptionItem *options, TabiaError *error) {
    struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_port = htons((u_short)port)};
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR, &loopback,
                         MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (!daemon) tabia_fail(error, "port %u: cannot listen there: error %d of Windows", port, WSAGetLastError());
    return daemon;
}

void http_wait(struct MHD_Daemon *daemon, int wake, int milliseconds) {
    (void)wake;
    MHD_run_wait(daemon, milliseconds < WAIT_MILLISECONDS ? milliseconds : WAIT_MILLISECONDS);
}

void http_hang_up(MHD_socket connection) {
    shutdown(connection, SD_BOTH);
}
