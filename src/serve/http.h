/* SPDX-License-Identifier: MIT */
/*
 * A small HTTP server for one user, by libmicrohttpd, on one thread. It listens on the loopback only, and serves nobody who
 * does not know the token, a random text in the address:
 *
 *     http://127.0.0.1:41234/0123456789abcdef0123456789abcdef/NAME?ARGUMENT=VALUE
 *
 * What it does not answer: a wrong token, another name in `Host` (a page that had its name resolved to 127.0.0.1), a zero
 * byte in the address: 404; two lines of `Host`, or none in HTTP/1.1: 400; a method other than GET: 405; a request with a body: 413;
 * headers beyond HTTP_REQUEST_MAX: 431 or 414, by the library. After these the connection is closed; else further requests on it are
 * answered in their order. At most HTTP_CONNECTIONS_MAX connections are open; one that is silent for HTTP_TIMEOUT seconds is closed, and of more than
 * HTTP_UNAUTHENTICATED_MAX on which nobody has named the token yet the oldest, so that others cannot take all of them.
 *
 * Names are compared with the routes, and lead to no file.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "serve/stream.h"

enum {
    HTTP_REQUEST_MAX = 16 << 10,
    HTTP_CONNECTIONS_MAX = 500,
    HTTP_UNAUTHENTICATED_MAX = 250,
    HTTP_TIMEOUT = 10,
    HTTP_ADDRESS_MAX = 80
};

/* What a request comes to, by the numbers of HTTP. */
enum {
    HTTP_GOOD = 200,
    HTTP_BAD_REQUEST = 400,
    HTTP_NOT_FOUND = 404,
    HTTP_NOT_ALLOWED = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_UNAVAILABLE = 503
};

typedef struct Http Http;
typedef struct HttpRequest HttpRequest;

/* What stands at a name. `answer` calls http_reply or http_stream once, and does not wait. A NULL name ends a list. */
typedef struct {
    const char *name; /* "": the address itself */
    void (*answer)(void *context, HttpRequest *request);
    void *context;
} HttpRoute;

/* A file that the server has in it: name, media type, content. A NULL name ends a list. */
typedef struct {
    const char *name, *type;
    const unsigned char *bytes;
    size_t n;
} HttpFile;

/* port 0: any that is free. Routes and files are the caller's, and outlive it. NULL with an error. */
Http *http_open(unsigned port, const HttpRoute *routes, const HttpFile *files, TabiaError *error);
/* Its address, with the token. */
const char *http_address(const Http *http);
/* Serves until the program is asked to stop (base/stop.h). Whenever something came, and four times a second, `after` is
   called, between requests. False with an error: the system failed. */
bool http_run(Http *http, void (*after)(void *context), void *context, TabiaError *error);
/* Closes all connections. The writers of streams have come to an end before. NULL is allowed. */
void http_close(Http *http);

/* ---- of a request, in `answer` ---- */

/* The value of an argument, or NULL. */
const char *http_argument(const HttpRequest *request, const char *name);
/* A whole number from min to max; `otherwise` where the argument is missing. False: it is no such number. */
bool http_number(const HttpRequest *request, const char *name, uint64_t min, uint64_t max, uint64_t otherwise,
                 uint64_t *n);
/* Copies the bytes. */
void http_reply(HttpRequest *request, unsigned status, const char *type, const char *bytes, size_t n);
/* The reply is what will be written to the stream that is returned: events, or an answer of that type. NULL: no memory, and
   that was replied. */
Stream *http_stream(HttpRequest *request, const char *type);
#define HTTP_EVENTS "text/event-stream"
#define HTTP_JSON "application/json"
