/* SPDX-License-Identifier: MIT */
/* serve/http_system.h by Linux: epoll, and an eventfd for what is written to streams. */
#include "serve/http_system.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/stop.h"

int http_wake_open(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void http_wake_close(int wake) {
    if (wake >= 0) close(wake);
}

/* The server looks at all its streams when it wakes, so that a lost count of the eventfd loses nothing. */
void http_wake(int wake) {
    const uint64_t one = 1;
    if (write(wake, &one, sizeof one) < 0) return;
}

struct MHD_Daemon *http_listen(unsigned port, MHD_AccessHandlerCallback answer, void *context,
                               const struct MHD_OptionItem *options, TabiaError *error) {
    const struct sockaddr_in loopback = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR,
                         &loopback, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (!daemon) tabia_fail(error, "port %u: cannot listen there: %s", port, strerror(errno));
    return daemon;
}

void http_wait(struct MHD_Daemon *daemon, int wake, int milliseconds) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    assert(info); /* which the start of the daemon has asked for */
    struct pollfd files[] = {{.fd = info->epoll_fd, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
    MHD_UNSIGNED_LONG_LONG timeout;
    if (MHD_get_timeout(daemon, &timeout) == MHD_YES && timeout < (unsigned)milliseconds) milliseconds = (int)timeout;
    uint64_t count;
    if (tabia_stop_poll(files, 2, milliseconds) > 0 && files[1].revents && read(wake, &count, sizeof count) < 0) return;
}

void http_hang_up(MHD_socket connection) {
    shutdown(connection, SHUT_RDWR);
}
