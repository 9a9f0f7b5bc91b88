/* SPDX-License-Identifier: MIT */
#include "serve/http.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/stop.h"
#include "base/system.h"
#include "base/time.h"
#include "serve/http_system.h"

enum { TOKEN_LENGTH = 32, TICK_MILLISECONDS = 250, IDLE_MILLISECONDS = 2000, HEARTBEAT_SECONDS = 1 };

/* A stream that is being sent. All members are of the server's thread. */
typedef struct Sending {
    Http *http;
    Stream *stream;
    struct MHD_Connection *connection;
    bool suspended, is_events;
    struct Sending *next;
} Sending;

/* Listed, the oldest first, until the token is named on it, or until it had to make room. */
typedef struct Connection {
    MHD_socket file;
    bool listed;
    struct Connection *before, *next;
} Connection;

struct Http {
    struct MHD_Daemon *daemon;
    int wake; /* of http_system.h */
    const HttpRoute *routes;
    const HttpFile *files;
    char token[TOKEN_LENGTH + 1], address[HTTP_ADDRESS_MAX], hosts[2][32];
    Sending *sending;
    Connection *oldest, *newest; /* of those listed */
    unsigned unauthenticated;
    double heartbeat; /* the time of the last one */
};

struct HttpRequest {
    Http *http;
    struct MHD_Connection *connection;
    bool close, replied;
};

/* ---- replies ---- */

/* The page may load and ask what is served here, and nothing else; its address, which is a secret, goes nowhere. */
static void add_headers(struct MHD_Response *response, const char *type, bool close) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
    };
    for (unsigned i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (close) MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
}

/* Sends a response, which may be NULL, and lets go of it. */
static void queue(HttpRequest *r, unsigned status, const char *type, struct MHD_Response *response) {
    assert(!r->replied);
    if (!response) return;
    add_headers(response, type, r->close);
    r->replied = MHD_queue_response(r->connection, status, response) == MHD_YES;
    MHD_destroy_response(response);
}

void http_reply(HttpRequest *r, unsigned status, const char *type, const char *bytes, size_t n) {
    queue(r, status, type, MHD_create_response_from_buffer(n, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY));
}

static void refuse(HttpRequest *r, unsigned status) {
    r->close = true;
    http_reply(r, status, "text/plain", "", 0);
}

/* ---- streams ---- */

static ssize_t send_stream(void *context, uint64_t position, char *out, size_t room) {
    Sending *s = context;
    (void)position;
    const size_t n = stream_take(s->stream, out, room);
    if (n) return (ssize_t)n;
    if (stream_state(s->stream) == STREAM_ENDED) return MHD_CONTENT_READER_END_OF_STREAM;
    /* What is written from now on wakes the server, which resumes the connection. */
    s->suspended = true;
    MHD_suspend_connection(s->connection);
    return 0;
}

static void forget_stream(void *context) {
    Sending *s = context, **link = &s->http->sending;
    while (*link != s) link = &(*link)->next;
    *link = s->next;
    stream_abandon(s->stream);
    free(s);
}

Stream *http_stream(HttpRequest *r, const char *type) {
    Sending *s = calloc(1, sizeof *s);
    Stream *stream = s ? stream_create(r->http->wake) : NULL;
    if (!stream) return free(s), refuse(r, HTTP_UNAVAILABLE), NULL;
    *s = (Sending){
        .http = r->http, .stream = stream, .connection = r->connection, .is_events = !strcmp(type, HTTP_EVENTS)};
    s->next = r->http->sending;
    r->http->sending = s;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, send_stream, s, forget_stream);
    if (!response) return forget_stream(s), stream_release(stream), refuse(r, HTTP_UNAVAILABLE), NULL;
    queue(r, HTTP_GOOD, type, response);
    return stream;
}

/* A client that is gone is seen when something is sent to it. A blank comment is no event. */
static void beat_heart(Http *http) {
    const double now = tabia_clock_wall();
    if (now - http->heartbeat < HEARTBEAT_SECONDS) return;
    http->heartbeat = now;
    for (Sending *s = http->sending; s; s = s->next)
        if (s->is_events && s->suspended && stream_state(s->stream) == STREAM_WAITS)
            stream_write(s->stream, ":\n\n", 3);
}

static void resume_streams(Http *http, bool all) {
    for (Sending *s = http->sending; s; s = s->next) {
        if (!s->suspended || (!all && stream_state(s->stream) == STREAM_WAITS)) continue;
        s->suspended = false;
        MHD_resume_connection(s->connection);
    }
}

/* ---- connections without the token ---- */

static void unlist(Http *http, Connection *c) {
    *(c->before ? &c->before->next : &http->oldest) = c->next;
    *(c->next ? &c->next->before : &http->newest) = c->before;
    c->listed = false;
    http->unauthenticated--;
}

/* The one that waits longest makes room for a new one, whatever it sends; the library sees that and closes it. */
static void list_connection(Http *http, Connection *c) {
    c->before = http->newest;
    *(c->before ? &c->before->next : &http->oldest) = c;
    http->newest = c;
    c->listed = true;
    if (++http->unauthenticated <= HTTP_UNAUTHENTICATED_MAX) return;
    Connection *oldest = http->oldest;
    unlist(http, oldest);
    http_hang_up(oldest->file);
}

static void see_connection(void *context, struct MHD_Connection *connection, void **of_ours,
                           enum MHD_ConnectionNotificationCode code) {
    Http *http = context;
    Connection *c = *of_ours;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        c = info ? calloc(1, sizeof *c) : NULL;
        *of_ours = c;
        if (!c) return;
        c->file = info->connect_fd;
        list_connection(http, c);
    } else if (c) {
        if (c->listed) unlist(http, c);
        free(c);
    }
}

/* The token was named on this connection. */
static void trust(const HttpRequest *r) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    Connection *c = info ? info->socket_context : NULL;
    if (c && c->listed) unlist(r->http, c);
}

/* ---- requests ---- */

const char *http_argument(const HttpRequest *r, const char *name) {
    return MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool http_number(const HttpRequest *r, const char *name, uint64_t min, uint64_t max, uint64_t otherwise, uint64_t *n) {
    const char *text = http_argument(r, name);
    char *end;
    *n = otherwise;
    if (!text) return true;
    errno = 0;
    *n = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno && *n >= min && *n <= max;
}

/* The name behind the token; NULL: the token is wrong. It takes the same time wherever the texts differ. */
static const char *name_behind_token(const Http *http, const char *url) {
    if (strlen(url) < 2 + TOKEN_LENGTH) return NULL;
    unsigned differs = (unsigned)(url[0] ^ '/') | (unsigned)(url[1 + TOKEN_LENGTH] ^ '/');
    for (unsigned i = 0; i < TOKEN_LENGTH; i++) differs |= (unsigned)(url[1 + i] ^ http->token[i]);
    return differs ? NULL : url + 2 + TOKEN_LENGTH;
}

static bool is_for_us(const HttpRequest *r) {
    const char *host = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    return host && (!strcmp(host, r->http->hosts[0]) || !strcmp(host, r->http->hosts[1]));
}

/* What may come in several lines. */
typedef struct {
    unsigned hosts;
    bool has_body;
} Headers;

static enum MHD_Result read_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    Headers *h = context;
    (void)kind;
    h->hosts += !strcasecmp(name, MHD_HTTP_HEADER_HOST);
    h->has_body |= !strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) ||
                   (!strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) && strcmp(value ? value : "", "0") != 0);
    return MHD_YES;
}

static void answer_name(HttpRequest *r, const char *name) {
    for (const HttpRoute *route = r->http->routes; route->name; route++)
        if (!strcmp(route->name, name)) return route->answer(route->context, r);
    for (const HttpFile *file = r->http->files; file->name; file++)
        if (!strcmp(file->name, *name ? name : "index.html"))
            return http_reply(r, HTTP_GOOD, file->type, (const char *)file->bytes, file->n);
    refuse(r, HTTP_NOT_FOUND);
}

/* Before a request's address is decoded: what it keeps with the request says whether a zero byte is in it, behind which the
   library reads nothing. */
static void *see_address(void *http, const char *encoded, struct MHD_Connection *connection) {
    (void)connection;
    return strstr(encoded, "%00") ? http : NULL;
}

/* What a request is refused with when its headers are there, or 0. HTTP/1.0 knew no Host. */
static unsigned status_of_refusal(const HttpRequest *r, const char *url, const char *method, const char *version) {
    Headers h = {0};
    const bool trusted = name_behind_token(r->http, url) && is_for_us(r);
    if (trusted) trust(r);
    MHD_get_connection_values(r->connection, MHD_HEADER_KIND, read_header, &h);
    if (h.hosts > 1 || (!h.hosts && strcmp(version, MHD_HTTP_VERSION_1_0) != 0)) return HTTP_BAD_REQUEST;
    if (!trusted) return HTTP_NOT_FOUND;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0) return HTTP_NOT_ALLOWED;
    return h.has_body ? HTTP_TOO_LARGE : 0;
}

/* Called with the headers, and again behind the body, which there is none of: the library closes a connection after what is
   replied to the headers, and reads no further request on it. */
static enum MHD_Result answer_request(void *context, struct MHD_Connection *connection, const char *url,
                                      const char *method, const char *version, const char *upload, size_t *upload_n,
                                      void **state) {
    HttpRequest r = {.http = context, .connection = connection};
    const bool again = *state == connection, zero = *state && !again;
    const unsigned status = again ? 0 : status_of_refusal(&r, url, method, version);
    (void)upload, (void)upload_n;
    if (status || zero) {
        refuse(&r, status ? status : HTTP_NOT_FOUND);
    } else if (again) {
        answer_name(&r, name_behind_token(r.http, url));
    } else {
        *state = connection;
        return MHD_YES;
    }
    return r.replied ? MHD_YES : MHD_NO; /* which closes the connection */
}

/* ---- the server ---- */

static bool make_token(Http *http, TabiaError *error) {
    uint64_t numbers[2];
    if (!tabia_random_number(&numbers[0]) || !tabia_random_number(&numbers[1]))
        return tabia_fail(error, "no random numbers for the token: %s", strerror(errno));
    snprintf(http->token, sizeof http->token, "%016" PRIx64 "%016" PRIx64, numbers[0], numbers[1]);
    return true;
}

static bool listen_on(Http *http, unsigned port, TabiaError *error) {
    const struct MHD_OptionItem options[] = {
        {MHD_OPTION_CONNECTION_LIMIT, HTTP_CONNECTIONS_MAX, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, HTTP_TIMEOUT, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_REQUEST_MAX, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)see_address, http},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)see_connection, http},
        {MHD_OPTION_END, 0, NULL},
    };
    http->daemon = http_listen(port, answer_request, http, options, error);
    if (!http->daemon) return false;
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    const unsigned got = info ? info->port : port;
    snprintf(http->hosts[0], sizeof http->hosts[0], "127.0.0.1:%u", got);
    snprintf(http->hosts[1], sizeof http->hosts[1], "localhost:%u", got);
    snprintf(http->address, sizeof http->address, "http://%s/%s/", http->hosts[0], http->token);
    return true;
}

Http *http_open(unsigned port, const HttpRoute *routes, const HttpFile *files, TabiaError *error) {
    Http *http = calloc(1, sizeof *http);
    if (!http) return tabia_fail(error, "not enough memory for a server"), NULL;
    *http = (Http){.routes = routes, .files = files, .wake = http_wake_open()};
    bool good = http->wake >= 0 || tabia_fail(error, "no file for events: %s", strerror(errno));
    good = good && make_token(http, error) && listen_on(http, port, error);
    if (!good) return http_close(http), NULL;
    return http;
}

const char *http_address(const Http *http) {
    return http->address;
}

bool http_run(Http *http, void (*after)(void *context), void *context, TabiaError *error) {
    while (!tabia_stop_requested()) {
        http_wait(http->daemon, http->wake, http->sending ? TICK_MILLISECONDS : IDLE_MILLISECONDS);
        if (http->sending) beat_heart(http);
        resume_streams(http, false);
        if (MHD_run(http->daemon) != MHD_YES) return tabia_fail(error, "the server failed: %s", strerror(errno));
        after(context);
    }
    return true;
}

void http_close(Http *http) {
    if (!http) return;
    resume_streams(http, true); /* the library demands it */
    if (http->daemon) MHD_stop_daemon(http->daemon);
    assert(!http->sending);
    http_wake_close(http->wake);
    free(http);
}
